// Package criteria implements the publication of mcp-manifest-drift/v1: the
// document as issued, with the few substitutions that name this service in the
// place of another.
//
// It never knows how a rule is carried out. It stands in no browser's bundle:
// what reports repeat of it is in package report, and a test holds the two
// together.
package criteria

import (
	_ "embed"
	"strings"
)

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
