package main

const (
	gatePkg    = "./engine/gate"
	claimsPkg  = "./engine/claims"
	tiersPkg   = "./engine/capability"
	pinPkg     = "./engine/pin"
	digestPkg  = "./engine/digest"
	driftPkg   = "./engine/drift"
	screenPkg  = "./engine/screen"
	poisonPkg  = "./engine/poison"
	intentPkg  = "./engine/poison/intent"
	commandPkg = "./server/internal/cli"
	rulesPkg   = "./server/internal/cli/rulebook"
	casesPkg   = "./server/internal/cli/cases"
	sarifPkg   = "./server/internal/cli/sarif"
)

// mutations break one rule, decision or check each.
var mutations = []mutation{
	{"claims", "a failed critical check caps nothing", "engine/claims/score.go", "return min(total, criticalCap)", "return total", claimsPkg, "TestCriticalCaps"},
	{"claims", "the lowest tool does not count", "engine/claims/score.go", "lowest = min(lowest, s)", "_ = lowest", claimsPkg, "TestScoreIsExact"},
	{"claims", "a lie about destruction is a trifle", "engine/claims/rulebook.go", `{"A2", Critical,`, `{"A2", Low,`, gatePkg, "TestScan"},

	{"capability", "what mutates does not write", "engine/capability/tier.go", "return t >= Mutate", "return t > Mutate", gatePkg, "TestScan"},
	{"capability", "an unreadable batch is no danger", "engine/capability/capability.go", "r.add(Evidence{Batch, Destructive, b.pointer, b.name})", "r.add(Evidence{Batch, Read, b.pointer, b.name})", tiersPkg, "TestCases"},
	{"capability", "readOnlyHint: false raises nothing", "engine/capability/capability.go", "r.add(Evidence{Annotations, Mutate, ", "r.add(Evidence{Annotations, Read, ", tiersPkg, "TestCases|TestAblation"},

	{"digest", "the whole tool is its name", "engine/digest/digest.go", "return SumOf(e.Value.AppendCanonical(nil))", "return SumOf([]byte(e.Name))", digestPkg, "TestWholeSeesWhatTheDigestDoesNot"},
	{"digest", "the order of tools is not in the aggregate", "engine/digest/digest.go", "b.Nullable(tools[i].Name, tools[i].Named)", "b.Nullable(tools[0].Name, tools[0].Named)", "./wasm/bridge", "TestVectors"},
	{"digest", "annotations are not digested", "engine/digest/digest.go", `{{"annotations", Annotations}, {"description"`, `{{"annotation", Annotations}, {"description"`, commandPkg, "TestDriftStatus"},

	{"drift", "what was added is unchanged", "engine/drift/drift.go", "t.Status = Added", "t.Status = Unchanged", "./wasm/bridge", "TestVectors"},
	{"drift", "outside the digest nothing differs", "engine/drift/outside.go", "return o != nil && len(o.Tools) > 0", "return false", commandPkg, "TestDriftStatus"},
	{"drift", "a parameter more is harmless", "engine/drift/direction.go", "case !p.Old.Exists():\n\t\t\td |= Loosened", "case !p.Old.Exists():\n\t\t\td |= Tightened", driftPkg, "TestDirectionOf"},
	{"drift", "zero tools are unchanged", "server/internal/cli/drift.go", "status = Unchecked\n\t\ttally.unchecked++\n\tcase c.State() == view.Changed", "status = Unchanged\n\t\ttally.unchecked++\n\tcase c.State() == view.Changed", commandPkg, "TestDriftStatus"},

	{"pin", "accepting one tool accepts all", "engine/pin/accept.go", "if !t.Named || t.Name != tool {", "if !t.Named {", pinPkg, "TestAccept"},
	{"pin", "an edited snapshot is believed", "engine/pin/read.go", `if got := t.Get("whole_digest").Text(); got != tools[i].Whole.Hex() {`, `if got := t.Get("whole_digest").Text(); got == "" {`, pinPkg, "TestEditedLockfile"},
	{"pin", "a lockfile is overwritten", "server/internal/cli/pin_file.go", "if _, err := os.Lstat(path); err == nil {\n\t\treturn os.ErrExist\n\t}\n\ttemporary, err := writeBeside(path, data, 0o644)\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer os.Remove(temporary)", "temporary, err := writeBeside(path, data, 0o644)\n\tif err != nil {\n\t\treturn err\n\t}\n\tos.Remove(path)\n\tdefer os.Remove(temporary)", commandPkg, "TestScripts/pin"},

	{"gate", "the threshold itself passes", "engine/gate/gate.go", "f.Severity >= o.FailOn", "f.Severity > o.FailOn", gatePkg, "TestScan"},
	{"gate", "a mention fails", "engine/gate/gate.go", " && !f.Mention && !f.Unsure", " && !f.Unsure", gatePkg, "TestMentionsDoNotFail"},
	{"gate", "what could not be checked is clean", "engine/gate/gate.go", "case len(d.Failures) > 0:\n\t\treturn CouldNotCheck", "case len(d.Failures) > 0:\n\t\treturn Clean", gatePkg, "TestUnknownIsNeverClean"},
	{"gate", "an unknown tier is read-only", "engine/gate/tiers.go", "unknown++\n", "\n", gatePkg, "TestScan"},
	{"gate", "malicious is no more than suspicious", "engine/gate/severity.go", "case \"malicious\":\n\t\treturn High, true", "case \"malicious\":\n\t\treturn Medium, true", gatePkg, "TestScan|TestSeverity"},
	{"gate", "missing annotations pass", "engine/gate/tiers.go", "f.Severity, f.Fails = Medium, ByAnnotations", "f.Severity = Medium", gatePkg, "TestScan"},
	{"gate", "the tool is not in the fingerprint", "engine/gate/finding.go", "w.Nullable(t.Name, t.Named)\n\t\tw.Int(t.Occurrence)", "_ = t", gatePkg, "TestFingerprint"},
	{"gate", "a failed gate ends with 0", "server/internal/cli/scan.go", "case gate.Failed:\n\t\treturn Drift", "case gate.Failed:\n\t\treturn Unchanged", commandPkg, "TestStatusMatrix"},

	{"poison", "a new hit is no alarm", "engine/poison/delta.go", "d.Alarm = d.Alarm || c.Added", "d.Alarm = d.Alarm && c.Added", commandPkg, "TestScripts/pin"},
	{"poison", "a mute outlives the tool that it was for", "engine/poison/mute.go", "m.Digest == whole", "m.Digest != (digest.Sum{})", gatePkg, "TestPoison"},
	{"poison", "parameters are not read", "engine/poison/poison.go", "w.scanner.text(v.Text(), false, w)", "if len(w.path) < 2 {\n\t\t\tw.scanner.text(v.Text(), false, w)\n\t\t}", gatePkg, "TestPoison"},
	{"poison", "a finding on a text that was seen before is lost", "engine/poison/poison.go", "found, known := s.seen[text]", "found, known := []finding(nil), s.seen[text] != nil || len(text) > 40", gatePkg, "TestPoison"},
	{"poison", "what is denied is ordered", "engine/poison/intent/find.go", "rule.denied != not || ", "", intentPkg, "TestDenied"},
	{"poison", "what a tool does is an order", "engine/poison/intent/mood.go", "if opening && !pressed {", "if len(s) == 0 {", intentPkg, "TestMood"},
	{"poison", "one cue alone is a hit", "engine/poison/intent/find.go", "if all&c.cues != c.cues ||", "if all&c.cues == 0 ||", poisonPkg, "TestOwnCases|TestExamples"},
	{"poison", "what a tool is for is an attack", "engine/poison/poison.go", "&& s.job.own(f.family)", "&& len(s.tool) < 0", poisonPkg, "TestJob"},
	{"poison", "a security tool may quote nothing", "engine/poison/poison.go", "if f.quoted && s.job.finds() {", "if f.quoted && len(s.tool) < 0 {", poisonPkg, "TestJob"},

	{"injection", "an order to ignore instructions has no word for it", "engine/screen/injection.go", "`\\b(ignore|disregard|forget|override|bypass)\\b", "`\\b(ignored|disregard|forget|override|bypass)\\b", screenPkg, "Test"},

	{"rulebook", "a rule that ran out of its time is forgotten", "server/internal/cli/rulebook/scan.go", "case err != nil:\n\t\treturn \"", "case err != nil:\n\t\treturn \"\" // ", rulesPkg, "TestRunsOutOfTime"},
	{"rulebook", "groups that ECMAScript does not have are taken", "server/internal/cli/rulebook/rulebook.go", "return found && seen != \"\"", "return found || seen != rest", rulesPkg, "TestRefused"},
	{"eval", "a failed restore passes", "server/internal/cli/cases/evaluate.go", "restored = restored && again.core() == before", "restored = restored || again.core() == before", casesPkg, "TestAblate"},
	{"eval", "every miss is declared", "server/internal/cli/cases/evaluate.go", "if !known[id] {", "if known[id] {", casesPkg, "TestHold"},
	{"sarif", "text of a manifest makes links", "server/internal/cli/sarif/sarif.go", "`[`, `\\[`, `]`, `\\]`, ", "", sarifPkg, "TestHostileText"},
}
