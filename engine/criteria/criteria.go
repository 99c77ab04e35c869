// Package criteria implements the publication of the four rulebooks: the
// document of mcp-manifest-drift/v1 as issued, with the few substitutions that
// name this service in the place of another, and the others from the tables that
// the engine runs.
//
// It never knows how a rule is carried out. It stands in no browser's bundle:
// what reports repeat of the issued document is in package report, and a test
// holds the two together.
package criteria

import (
	_ "embed"
	"strings"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// DriftID is the id of the issued document.
const DriftID = "mcp-manifest-drift/v1"

// Document is one published rulebook.
type Document struct {
	ID      string
	Purpose string // one sentence
	JSON    []byte
}

// All returns the four documents, the one that is read first in front.
func All() []Document {
	return []Document{
		{claims.Criteria, "How a manifest is graded: what each tool claims, and whether its claims agree.", Claims()},
		{DriftID, "How two manifests are compared: canonical form, digests, pairing, verdicts.", Drift()},
		{screen.Injection().ID, "Patterns of text that gives orders to an agent, run over changed descriptions.", Injection()},
		{screen.Poison().ID, "Texts anywhere in a tool that work on the agent which reads them.", Poison()},
	}
}

// Injection returns the screen of the issued document, member by member as it
// stands there.
func Injection() []byte {
	doc, err := jsonvalue.Parse(string(Drift()))
	if err != nil {
		panic(err) // the document is part of the program
	}
	return []byte(doc.Root().Get("changed_description_scan").Source())
}

// UserAgent names this service where the document as issued names another.
const UserAgent = "ManifestSeal/1.1 (manifest-claim audit; read-only fetch of a submitted manifest document)"

//go:embed mcp-manifest-drift-v1.json
var issued string

// Substitution is a text of the document as issued that is published changed.
type Substitution struct {
	Pointer  string // JSON Pointer of the string that it stands in
	From, To string
	Why      string
}

// Substitutions lists every difference between the document as issued and as
// published here.
func Substitutions() []Substitution {
	return []Substitution{{
		Pointer: "/fetch_contract/user_agent",
		From:    "ExchangeRebel-ManifestClaimAudit/1.1 (manifest-claim audit; read-only fetch of a submitted manifest document; contact: toll-api)",
		To:      UserAgent,
		Why:     "The user agent and the contact name the service that fetches.",
	}}
}

// Issued returns the document as it was issued.
func Issued() string { return issued }

// Drift returns the document as published here: JSON, in the issued order.
func Drift() []byte {
	text := issued
	for _, s := range Substitutions() {
		text = strings.Replace(text, s.From, s.To, 1)
	}
	return []byte(text)
}
