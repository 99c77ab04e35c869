package cli

import (
	"errors"
	"strings"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
)

func rulebookFault(file string, err error) *fault {
	var syntax *jsonvalue.Error
	if errors.As(err, &syntax) {
		return faultOf(file, err)
	}
	return &fault{file: file, cause: &jsonvalue.Error{Class: rulebookClass, Code: "not_usable", Message: err.Error(),
		Advice: `A rulebook is {"id": "ours", "rules": [{"id": "R-1", "severity": "high", "description": "What it finds.", "pattern": "...", "flags": "i"}]}. Nothing was checked.`}}
}

// reservedBook says whether a rulebook of ours has the id.
func reservedBook(id string) bool {
	return strings.HasPrefix(id, "mcp-") || strings.HasPrefix(id, "prompt-injection-rules/") || id == gate.CapabilityTiers
}

// ruleText is what a rule of ours finds and, where that is published, its fix.
func ruleText(source, rule string) (text, fix string) {
	switch source {
	case claims.Criteria:
		for _, r := range claims.Rules() {
			if r.ID == rule {
				return "Fails when " + r.Fails + ".", r.Fix
			}
		}
	case gate.CapabilityTiers:
		for _, r := range gate.Rules() {
			if r[0] == rule {
				return r[2], ""
			}
		}
	case screen.Injection().ID:
		for _, r := range screen.Injection().Rules {
			if r.ID == rule {
				return r.Description, "Read the text: a match is no verdict. If it gives orders to an agent, do not use the tool."
			}
		}
	case screen.Poison().ID:
		return gate.PoisonText(rule, rule), "Read the text: a hit is no verdict. If it gives orders to an agent, do not use the tool; if it does not, mute the rule on this tool with a reason."
	}
	return "", ""
}
