package report

import (
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/criteria"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// What a report repeats of the criteria must be theirs to the byte.
func TestSentencesAreTheCriterias(t *testing.T) {
	doc, err := jsonvalue.Parse(criteria.Issued())
	if err != nil {
		t.Fatal(err)
	}
	root := doc.Root()
	input := root.Get("input_contract")
	scan := root.Get("changed_description_scan")
	for _, c := range []struct{ name, got, want string }{
		{"service", Service, root.Get("service").Text()},
		{"version", Version, root.Get("version").Text()},
		{"signed_baseline_note", signedBaselineNote, input.Get("signed_baseline_note").Text()},
		{"fallback_honesty", assertedBaselineNote, input.Get("fallback_honesty").Text()},
		{"changed_description_scan.scope", scanScope, scan.Get("scope").Text()},
		{"changed_description_scan.labelling", scanLabelling, scan.Get("labelling").Text()},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, c.got, c.want)
		}
	}
	zero := input.Get("zero_tools").Text()
	if want := "(verdict '" + couldNotCompare + "')"; !strings.Contains(zero, want) {
		t.Errorf("the criteria's zero_tools does not hold %q:\n%s", want, zero)
	}
}
