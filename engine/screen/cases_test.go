package screen

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

//go:embed testdata/cases/poison.jsonl
var poisonCases []byte

// caseTexts are the descriptions of the project's own cases.
func caseTexts(t *testing.T) []string {
	t.Helper()
	var texts []string
	for _, line := range bytes.Split(bytes.TrimSpace(poisonCases), []byte("\n")) {
		var row struct{ Description string }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, row.Description)
	}
	return texts
}

// TestCasesEqualNaive scans the cases whole, all views, with both rulebooks.
func TestCasesEqualNaive(t *testing.T) {
	for _, rb := range rulebooks() {
		s := NewScanner(rb)
		for _, text := range caseTexts(t) {
			if diff := cmp.Diff(naiveScan(rb, text), s.Scan(text)); diff != "" {
				t.Errorf("%s: %q (-want +got):\n%s", rb.ID, text, diff)
			}
		}
	}
}
