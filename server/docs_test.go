package server

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// Every reference page answers, and every link inside the reference leads to
// something that answers.
func TestDocs(t *testing.T) {
	s := start(t, Config{})
	seen := map[string]bool{}
	link := regexp.MustCompile(`href="([^"#]*)`)
	for queue := []string{"/docs"}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if seen[at] {
			continue
		}
		seen[at] = true
		answer := ask(s, http.MethodGet, at, header{"Accept": browser})
		if answer.Code != http.StatusOK {
			t.Errorf("%s: status %d", at, answer.Code)
			continue
		}
		if !strings.HasPrefix(at, "/docs") {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(answer.Body.String(), -1) {
			switch to := m[1]; {
			case strings.HasPrefix(to, "/"):
				queue = append(queue, to)
			case to != "" && !strings.Contains(to, ":"):
				queue = append(queue, "/docs/"+to)
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d pages were found from /docs", len(seen))
	}
}
