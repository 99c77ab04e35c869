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
func Rules() []Rule { return append([]Rule(nil), rules[:]...) }

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

var rules = [ruleCount]Rule{
	ruleI1:  {"I1", Critical, "an entry of the list is no object", "Make every entry of the tools list an object with a name, a description and an inputSchema."},
	ruleI2:  {"I2", Critical, "the name is absent, not a string, or blank", "Give the tool a name: a string that is not blank."},
	ruleI3:  {"I3", Critical, "two tools bear one name", "Give each tool a name of its own."},
	ruleI4:  {"I4", High, "the name is outside the specification's form: 1 to 128 of A-Z a-z 0-9 _ - and the dot", "Rename the tool with 1 to 128 characters of A-Z, a-z, 0-9, underscore, hyphen and dot."},
	ruleI4b: {"I4b", Low, "the name has the specification's form but is longer than 64 characters, which some clients refuse", "Shorten the name to at most 64 characters."},
	ruleI5:  {"I5", High, "two different names look alike: they are equal after NFKC and the folding of confusable characters", "Rename one of the two tools so that a person can tell them apart."},
	ruleI6:  {"I6", Critical, "an invisible, bidirectional-control, tag or escape character stands in a name, a title, a description or any schema text; emoji sequences and the joiners that Persian and Indic scripts need are no failure", "Remove the hidden characters from the text."},
	ruleI7:  {"I7", Info, "nextCursor is present: the list is one page of several, so what other tools there are is unknown", "Grade the whole list: follow nextCursor and put all pages into one document."},
	ruleD1:  {"D1", High, "the description is absent or blank", "Describe what the tool does and when to use it."},
	ruleD2:  {"D2", Medium, "the description is shorter than 20 characters, or only repeats the name or the title", "Say in a full sentence what the tool does, beyond its name."},
	ruleD3:  {"D3", Medium, "two tools share one description", "Say in each description what sets this tool apart from the others."},
	ruleD4:  {"D4", Low, "there is neither a title nor annotations.title", "Add a title for people to read."},
	ruleD5:  {"D5", Medium, "a property of the input has no description", "Describe each property of the input."},
	ruleD6:  {"D6", Low, "the description names a parameter in back quotes that no property has", "Correct the parameter's name in the description, or add the property."},
	ruleD7:  {"D7", Low, "the description is longer than 2,000 characters", "Shorten the description to at most 2,000 characters; move manuals into documentation or a resource."},
	ruleS1:  {"S1", Critical, "inputSchema is absent, no object, or its root type is not \"object\"", "Give the tool an inputSchema whose root has \"type\": \"object\", also when it takes nothing."},
	ruleS2:  {"S2", High, "required is not an array of unique strings", "Make required an array that names each required property once."},
	ruleS3:  {"S3", High, "required names a property that does not exist", "Define the property that required names, or take it out of required."},
	ruleS4:  {"S4", Medium, "a property has none of type, enum, const, $ref, anyOf, oneOf and allOf", "Give each property a type."},
	ruleS5:  {"S5", Medium, "a default contradicts its own type, enum or bounds", "Make the default a value that the schema allows."},
	ruleS6:  {"S6", Medium, "an enum is empty or repeats a value", "List each allowed value of the enum once, and at least one."},
	ruleS7:  {"S7", High, "a lower bound is above its upper bound", "Put the bounds in order, so that some value fits between them."},
	ruleS8:  {"S8", Low, "a property is required and also has a default", "Take the property out of required, or remove its default."},
	ruleS9:  {"S9", Low, "a property is required and its description says that it is optional", "Make required and the description agree on whether the property may be left out."},
	ruleS10: {"S10", High, "a local $ref resolves nowhere, or a $ref leads to the network", "Point $ref to a definition inside the same schema."},
	ruleS11: {"S11", High, "outputSchema is present and is no well-formed schema", "Make outputSchema a valid JSON Schema object, or leave it out."},
	ruleS12: {"S12", High, "inputSchema is not valid under its own JSON Schema dialect (2020-12 when none is named)", "Correct the schema until it is valid under the dialect that $schema names, 2020-12 when none is named."},
	ruleA1:  {"A1", High, "annotations is no object, or a hint is no boolean", "Make annotations an object whose hints are true or false."},
	ruleA2:  {"A2", Critical, "readOnlyHint is true and the name's leading word destroys", "Set readOnlyHint to false and destructiveHint to true, or rename the tool."},
	ruleA3:  {"A3", High, "readOnlyHint is true and the name's leading word or the description's first verb writes", "Set readOnlyHint to false, or say in name and description that the tool only reads."},
	ruleA4:  {"A4", High, "readOnlyHint and destructiveHint are both true", "Decide which holds: a tool that only reads destroys nothing."},
	ruleA5:  {"A5", High, "destructiveHint is false and the name's leading word destroys", "Set destructiveHint to true, or rename the tool."},
	ruleA6:  {"A6", Medium, "idempotentHint is true and the name's leading word creates, appends or sends", "Set idempotentHint to false unless a second equal call changes nothing."},
	ruleA7:  {"A7", Medium, "openWorldHint is false and the tool takes a URL, a host or an e-mail address, or its description says that it goes to the web", "Set openWorldHint to true, or say which closed set of systems the tool talks to."},
	ruleA8:  {"A8", Low, "readOnlyHint is false and the name's leading word only reads", "Set readOnlyHint to true, or say in the name what the tool changes."},
	ruleA9:  {"A9", Medium, "the tool writes and has no readOnlyHint", "State readOnlyHint: false, so that clients need not guess that the tool writes."},
	ruleA9b: {"A9b", Low, "another hint that the stores ask for is left implicit", "State the hints, so that clients need not fall back on the specification's defaults."},
	ruleA10: {"A10", Medium, "every tool of a manifest whose verbs differ carries the same hints", "Set the hints for each tool by what that tool does."},
	ruleA11: {"A11", High, "readOnlyHint is true and a parameter's enum of methods has a leading verb that writes", "Split the writing methods off into a tool of their own, or set readOnlyHint to false."},
	ruleA12: {"A12", Info, "destructiveHint or idempotentHint stands beside readOnlyHint: true, where the specification gives them no meaning", "Leave destructiveHint and idempotentHint out of tools that only read."},
	ruleC1:  {"C1", High, "readOnlyHint is true and a free-text parameter is executed (command, script, shell, code)", "Set readOnlyHint to false: what is executed can write."},
	ruleC2:  {"C2", Info, "a destructive tool has neither a confirmation nor a dry-run parameter", "Offer a parameter that confirms or only previews the deletion."},
	ruleC3:  {"C3", High, "a parameter asks for the conversation, the system prompt or a secret", "Remove the parameter; take credentials from the server's own configuration."},
	ruleC4:  {"C4", Critical, "a literal has the shape of a live secret", "Remove the secret, revoke it, and use a placeholder in examples."},
	ruleC5:  {"C5", Info, "never; it tells the manifest's size in tools and in estimated tokens", "Offer fewer tools or shorter texts where the list fills a model's context."},
}
