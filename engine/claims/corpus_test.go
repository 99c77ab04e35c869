package claims

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// exception is a case of a rule at high or critical on a real server that
// somebody has read. Tool "*" stands for every tool of those versions.
type exception struct {
	Server   string `json:"server"`
	Versions string `json:"versions"` // "all", one version, or "FIRST..LAST"
	Tool     string `json:"tool"`
	Rule     string `json:"rule"`
	Verdict  string `json:"verdict"` // "true" when the finding stands; "accepted" when the tool is well made all the same
	Reason   string `json:"reason"`
	used     bool
}

func exceptions(t testing.TB) []exception {
	t.Helper()
	data, err := os.ReadFile("testdata/exceptions.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []exception
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCorpusBaseRates prints for each rule on how many tools it fires, and fails
// where one at high or critical fires on a tool that is not in the list of cases
// read, or where a case of the list no longer happens.
func TestCorpusBaseRates(t *testing.T) {
	files := corpus(t)
	read := exceptions(t)
	var fires [ruleCount]int
	tools := 0
	for _, file := range files {
		m := readManifest(t, file)
		o := Grade(m)
		tools += len(o.Tools)
		checkFindings(t, m.Doc.Root(), o)
		for i := range o.Tools {
			for r, s := range o.Tools[i].Checks {
				if s != Fail {
					continue
				}
				fires[r]++
				if rules[r].Severity <= High && !isRead(read, file, o.Tools[i].Name, rules[r].ID) {
					t.Errorf("%s %s: %s fires on %q, and nobody has read that case", file.server, file.version, rules[r].ID, o.Tools[i].Name)
				}
			}
		}
	}
	t.Logf("%d tools of %d manifests", tools, len(files))
	for r := range rules {
		t.Logf("%-4s %-8s %d", rules[r].ID, rules[r].Severity, fires[r])
	}
	for _, e := range read {
		if !e.used {
			t.Errorf("%s %s %s: %s does not happen; take it out of the list", e.Server, e.Versions, e.Tool, e.Rule)
		}
		if e.Reason == "" || e.Verdict != "true" && e.Verdict != "accepted" {
			t.Errorf("%s %s: %s has no reason or no verdict", e.Server, e.Tool, e.Rule)
		}
	}
}

func isRead(read []exception, file corpusFile, tool, rule string) bool {
	for i := range read {
		e := &read[i]
		if e.Server == file.server && e.Rule == rule && (e.Tool == "*" || e.Tool == tool) && inRange(file.version, e.Versions) {
			e.used = true
			return true
		}
	}
	return false
}

func inRange(version, versions string) bool {
	first, last, isRange := strings.Cut(versions, "..")
	switch {
	case versions == "all":
		return true
	case !isRange:
		return version == versions
	}
	return slices.Compare(numbers(first), numbers(version)) <= 0 && slices.Compare(numbers(version), numbers(last)) <= 0
}

func numbers(version string) (out []int) {
	for _, part := range strings.Split(version, ".") {
		n, _ := strconv.Atoi(part)
		out = append(out, n)
	}
	return out
}

// The rates that were measured before there was a rule, on two well-kept
// servers: these rules fire on none of their tools.
func TestSilentOnWellKeptServers(t *testing.T) {
	tools := 0
	for _, file := range corpus(t) {
		if file.server != "github-mcp-server" && file.server != "stripe__mcp" && file.server != "kubernetes-mcp-server" {
			continue
		}
		o := Grade(readManifest(t, file))
		tools += len(o.Tools)
		for _, id := range []string{"A2", "A3", "A4", "A5", "S3", "S8"} {
			r := ruleOf(t, id)
			for _, tool := range o.Tools {
				if tool.Checks[r] == Fail {
					t.Errorf("%s %s: %s fires on %s", file.server, file.version, id, tool.Name)
				}
			}
		}
	}
	t.Logf("%d tools", tools)
}

// A grade is the same however often it is made and however the document is
// spelled, and what is written is JSON.
func TestCorpusGradesAreSteady(t *testing.T) {
	for i, file := range corpus(t) {
		if i%10 != 0 {
			continue
		}
		m := readManifest(t, file)
		want := written(Grade(m))
		if got := written(Grade(m)); got != want {
			t.Errorf("%s %s: two grades differ", file.server, file.version)
		}
		if _, err := jsonvalue.Parse(want); err != nil {
			t.Errorf("%s %s: %v", file.server, file.version, err)
		}
		canonical := grade(t, string(m.Doc.Root().AppendCanonical(nil)))
		if canonical.Score != Grade(m).Score {
			t.Errorf("%s %s: the canonical form has another score", file.server, file.version)
		}
	}
}
