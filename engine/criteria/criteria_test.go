package criteria

import (
	"strings"
	"testing"
)

func TestPublishedDiffersOnlyByTheListedSubstitutions(t *testing.T) {
	published := string(Drift())
	for _, s := range Substitutions() {
		if strings.Count(Issued(), s.From) != 1 {
			t.Errorf("%s: %q stands %d times in the document as issued", s.Pointer, s.From, strings.Count(Issued(), s.From))
		}
		published = strings.Replace(published, s.To, s.From, 1)
	}
	if published != Issued() {
		t.Error("the published document differs from the issued one by more than what is listed")
	}
	if strings.Contains(string(Drift()), "ExchangeRebel") || strings.Contains(string(Drift()), "toll-api") {
		t.Error("another service is still named")
	}
}
