package conformance

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// span is one match as spans.mjs writes it: [rule, view, start, end], the rule by its place in the rulebook.
type span struct {
	rule       int
	view       string
	start, end int
}

func (s *span) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&s.rule, &s.view, &s.start, &s.end})
}

// spanTexts is how many texts are compared, MANIFESTSEAL_SPANS of them where it is set.
func spanTexts(t *testing.T) int {
	set := os.Getenv("MANIFESTSEAL_SPANS")
	if set == "" {
		return 3000
	}
	n, err := strconv.Atoi(set)
	if err != nil {
		t.Fatal("MANIFESTSEAL_SPANS: ", err)
	}
	return n
}

// writeRulebook writes the rules that the engine holds for Node to read.
func writeRulebook(t *testing.T, rb *screen.Rulebook) string {
	type rule struct {
		ID      string `json:"id"`
		Pattern string `json:"pattern"`
		Flags   string `json:"flags"`
	}
	var rules []rule
	for _, r := range rb.Rules {
		rules = append(rules, rule{r.ID, r.Pattern, r.Flags})
	}
	out, err := json.Marshal(map[string]any{"rules": rules})
	if err != nil {
		t.Fatal(err)
	}
	name := t.TempDir() + "/rulebook.json"
	if err := os.WriteFile(name, out, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestSpans compares every span of every rule and view with what V8's RegExp gives on generated texts (R40 to R42).
func TestSpans(t *testing.T) {
	rb := screen.Injection()
	node := exec.Command("node", "spans.mjs", writeRulebook(t, rb), strconv.Itoa(spanTexts(t)), "1")
	node.Stderr = os.Stderr
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal("Node is needed: ", err)
	}
	texts := compareSpans(t, rb, bufio.NewReaderSize(out, 1<<20))
	if err := node.Wait(); err != nil {
		t.Fatal(err)
	}
	if texts != spanTexts(t) {
		t.Errorf("got %d texts, want %d", texts, spanTexts(t))
	}
}

// compareSpans reads the lines of spans.mjs and returns how many there were.
func compareSpans(t *testing.T, rb *screen.Rulebook, r *bufio.Reader) int {
	place := map[*screen.Rule]int{}
	for i := range rb.Rules {
		place[&rb.Rules[i]] = i
	}
	scanner := screen.NewScanner(rb)
	rules, views := make([]int, len(rb.Rules)), map[string]int{}
	texts, spans := 0, 0
	lines := json.NewDecoder(r)
	for ; lines.More(); texts++ {
		var line struct {
			TextJSON string `json:"text_json"`
			Matches  []span
		}
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		doc, err := jsonvalue.Parse(line.TextJSON)
		if err != nil {
			t.Fatal(line.TextJSON, err)
		}
		got := []span{}
		for _, m := range scanner.Scan(doc.Root().Text()) {
			got = append(got, span{place[m.Rule], m.View.String(), m.Start, m.End})
		}
		if diff := cmp.Diff(line.Matches, got, cmp.AllowUnexported(span{})); diff != "" {
			t.Fatalf("%s (-V8 +engine):\n%s", line.TextJSON, diff)
		}
		for _, s := range line.Matches {
			rules[s.rule]++
			views[s.view]++
		}
		spans += len(line.Matches)
	}
	for i, n := range rules {
		if n == 0 {
			t.Errorf("%s never fired", rb.Rules[i].ID)
		}
	}
	t.Logf("%d texts, %d rules, %d spans; by rule %v, by view %v", texts, len(rules), spans, rules, views)
	return texts
}
