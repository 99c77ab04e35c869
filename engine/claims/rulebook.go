package claims

import "github.com/manifestseal/manifestseal/engine/manifest"

// Criteria is the identifier of these rules.
const Criteria = manifest.ClaimsCriteria

// specVersions are the revisions of the Model Context Protocol whose words on
// tools the rules hold a manifest to.
var specVersions = [...]string{"2025-03-26", "2025-06-18", "2025-11-25"}

// SpecVersions returns the revisions of the protocol that the rules follow.
func SpecVersions() []string { return append([]string(nil), specVersions[:]...) }

// Severity is an index in Severities.
type Severity uint8

const (
	Critical Severity = iota
	High
	Medium
	Low
	Info
)

var severityNames = [...]string{"critical", "high", "medium", "low", "info"}

// weights are what a check of each severity counts in a tool's score.
var weights = [len(severityNames)]int{5, 3, 2, 1, 0}

// String returns the wire value.
func (s Severity) String() string { return severityNames[s] }

// Weight is what a check of that severity counts in a tool's score.
func (s Severity) Weight() int { return weights[s] }

// Severities returns the wire values, the gravest first.
func Severities() []string { return append([]string(nil), severityNames[:]...) }

// Rule is one published rule.
type Rule struct {
	ID       string
	Severity Severity
	Fails    string // "fails when …"
	Fix      string // one sentence that a server's author can act on
}

// Rules returns the rulebook in published order.
func Rules() []Rule {
	all := make([]Rule, ruleCount)
	for i, r := range rules {
		all[i] = Rule{r.ID, r.Severity, fails[i], r.Fix}
	}
	return all
}

const (
	ruleI1 = iota
	ruleI2
	ruleI3
	ruleI4
	ruleI4b
	ruleI5
	ruleI6
	ruleI7
	ruleD1
	ruleD2
	ruleD3
	ruleD4
	ruleD5
	ruleD6
	ruleD7
	ruleS1
	ruleS2
	ruleS3
	ruleS4
	ruleS5
	ruleS6
	ruleS7
	ruleS8
	ruleS9
	ruleS10
	ruleS11
	ruleS12
	ruleA1
	ruleA2
	ruleA3
	ruleA4
	ruleA5
	ruleA6
	ruleA7
	ruleA8
	ruleA9
	ruleA9b
	ruleA10
	ruleA11
	ruleA12
	ruleC1
	ruleC2
	ruleC3
	ruleC4
	ruleC5
	ruleCount
)

// rule is what the grade itself needs of a rule.
type rule struct {
	ID       string
	Severity Severity
	Fix      string
}

var rules = [ruleCount]rule{
	ruleI1:  {"I1", Critical, "Make every entry of the tools list an object with a name, a description and an inputSchema."},
	ruleI2:  {"I2", Critical, "Give the tool a name: a string that is not blank."},
	ruleI3:  {"I3", Critical, "Give each tool a name of its own."},
	ruleI4:  {"I4", High, "Rename the tool with 1 to 128 characters of A-Z, a-z, 0-9, underscore, hyphen and dot."},
	ruleI4b: {"I4b", Low, "Shorten the name to at most 64 characters."},
	ruleI5:  {"I5", High, "Rename one of the two tools so that a person can tell them apart."},
	ruleI6:  {"I6", Critical, "Remove the hidden characters from the text."},
	ruleI7:  {"I7", Info, "Grade the whole list: follow nextCursor and put all pages into one document."},
	ruleD1:  {"D1", High, "Describe what the tool does and when to use it."},
	ruleD2:  {"D2", Medium, "Say in a full sentence what the tool does, beyond its name."},
	ruleD3:  {"D3", Medium, "Say in each description what sets this tool apart from the others."},
	ruleD4:  {"D4", Low, "Add a title for people to read."},
	ruleD5:  {"D5", Medium, "Describe each property of the input."},
	ruleD6:  {"D6", Low, "Correct the parameter's name in the description, or add the property."},
	ruleD7:  {"D7", Low, "Shorten the description to at most 2,000 characters; move manuals into documentation or a resource."},
	ruleS1:  {"S1", Critical, "Give the tool an inputSchema whose root has \"type\": \"object\", also when it takes nothing."},
	ruleS2:  {"S2", High, "Make required an array that names each required property once."},
	ruleS3:  {"S3", High, "Define the property that required names, or take it out of required."},
	ruleS4:  {"S4", Medium, "Give each property a type."},
	ruleS5:  {"S5", Medium, "Make the default a value that the schema allows."},
	ruleS6:  {"S6", Medium, "List each allowed value of the enum once, and at least one."},
	ruleS7:  {"S7", High, "Put the bounds in order, so that some value fits between them."},
	ruleS8:  {"S8", Low, "Take the property out of required, or remove its default."},
	ruleS9:  {"S9", Low, "Make required and the description agree on whether the property may be left out."},
	ruleS10: {"S10", High, "Point $ref to a definition inside the same schema."},
	ruleS11: {"S11", High, "Make outputSchema a valid JSON Schema object, or leave it out."},
	ruleS12: {"S12", High, "Correct the schema until it is valid under the dialect that $schema names, 2020-12 when none is named."},
	ruleA1:  {"A1", High, "Make annotations an object whose hints are true or false."},
	ruleA2:  {"A2", Critical, "Set readOnlyHint to false and destructiveHint to true, or rename the tool."},
	ruleA3:  {"A3", High, "Set readOnlyHint to false, or say in name and description that the tool only reads."},
	ruleA4:  {"A4", High, "Decide which holds: a tool that only reads destroys nothing."},
	ruleA5:  {"A5", High, "Set destructiveHint to true, or rename the tool."},
	ruleA6:  {"A6", Medium, "Set idempotentHint to false unless a second equal call changes nothing."},
	ruleA7:  {"A7", Medium, "Set openWorldHint to true, or say which closed set of systems the tool talks to."},
	ruleA8:  {"A8", Low, "Set readOnlyHint to true, or say in the name what the tool changes."},
	ruleA9:  {"A9", Medium, "State readOnlyHint: false, so that clients need not guess that the tool writes."},
	ruleA9b: {"A9b", Low, "State the hints, so that clients need not fall back on the specification's defaults."},
	ruleA10: {"A10", Medium, "Set the hints for each tool by what that tool does."},
	ruleA11: {"A11", High, "Split the writing methods off into a tool of their own, or set readOnlyHint to false."},
	ruleA12: {"A12", Info, "Leave destructiveHint and idempotentHint out of tools that only read."},
	ruleC1:  {"C1", High, "Set readOnlyHint to false: what is executed can write."},
	ruleC2:  {"C2", Info, "Offer a parameter that confirms or only previews the deletion."},
	ruleC3:  {"C3", High, "Remove the parameter; take credentials from the server's own configuration."},
	ruleC4:  {"C4", Critical, "Remove the secret, revoke it, and use a placeholder in examples."},
	ruleC5:  {"C5", Info, "Offer fewer tools or shorter texts where the list fills a model's context."},
}

// fails is beside the rules, so that a program which only grades, as the browser
// does, leaves the published sentences out.
var fails = [ruleCount]string{
	ruleI1:  "an entry of the list is no object",
	ruleI2:  "the name is absent, not a string, or blank",
	ruleI3:  "two tools bear one name",
	ruleI4:  "the name is outside the specification's form: 1 to 128 of A-Z a-z 0-9 _ - and the dot",
	ruleI4b: "the name has the specification's form but is longer than 64 characters, which some clients refuse",
	ruleI5:  "two different names look alike: they are equal after NFKC and the folding of confusable characters",
	ruleI6:  "an invisible, bidirectional-control, tag or escape character stands in a name, a title, a description or any schema text; emoji sequences and the joiners that Persian and Indic scripts need are no failure",
	ruleI7:  "nextCursor is present: the list is one page of several, so what other tools there are is unknown",
	ruleD1:  "the description is absent or blank",
	ruleD2:  "the description is shorter than 20 characters, or only repeats the name or the title",
	ruleD3:  "two tools share one description",
	ruleD4:  "there is neither a title nor annotations.title",
	ruleD5:  "a property of the input has no description",
	ruleD6:  "the description names a parameter in back quotes that no property has",
	ruleD7:  "the description is longer than 2,000 characters",
	ruleS1:  "inputSchema is absent, no object, or its root type is not \"object\"",
	ruleS2:  "required is not an array of unique strings",
	ruleS3:  "required names a property that does not exist",
	ruleS4:  "a property has none of type, enum, const, $ref, anyOf, oneOf and allOf",
	ruleS5:  "a default contradicts its own type, enum or bounds",
	ruleS6:  "an enum is empty or repeats a value",
	ruleS7:  "a lower bound is above its upper bound",
	ruleS8:  "a property is required and also has a default",
	ruleS9:  "a property is required and its description says that it is optional",
	ruleS10: "a local $ref resolves nowhere, or a $ref leads to the network",
	ruleS11: "outputSchema is present and is no well-formed schema",
	ruleS12: "inputSchema is not valid under its own JSON Schema dialect (2020-12 when none is named)",
	ruleA1:  "annotations is no object, or a hint is no boolean",
	ruleA2:  "readOnlyHint is true and the name's leading word destroys",
	ruleA3:  "readOnlyHint is true and the name's leading word or the description's first verb writes",
	ruleA4:  "readOnlyHint and destructiveHint are both true",
	ruleA5:  "destructiveHint is false and the name's leading word destroys",
	ruleA6:  "idempotentHint is true and the name's leading word creates, appends or sends",
	ruleA7:  "openWorldHint is false and the tool takes a URL, a host or an e-mail address, or its description says that it goes to the web",
	ruleA8:  "readOnlyHint is false and the name's leading word only reads",
	ruleA9:  "the tool writes and has no readOnlyHint",
	ruleA9b: "another hint that the stores ask for is left implicit",
	ruleA10: "every tool of a manifest whose verbs differ carries the same hints",
	ruleA11: "readOnlyHint is true and a parameter's enum of methods has a leading verb that writes",
	ruleA12: "destructiveHint or idempotentHint stands beside readOnlyHint: true, where the specification gives them no meaning",
	ruleC1:  "readOnlyHint is true and a free-text parameter is executed (command, script, shell, code)",
	ruleC2:  "a destructive tool has neither a confirmation nor a dry-run parameter",
	ruleC3:  "a parameter asks for the conversation, the system prompt or a secret",
	ruleC4:  "a literal has the shape of a live secret",
	ruleC5:  "never; it tells the manifest's size in tools and in estimated tokens",
}
