package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

func TestCode(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "add", "`add`"},
		{"mention", "@octocat", "`@octocat`"},
		{"one backtick", "a`b", "``a`b``"},
		{"many backticks", "a````b", "`````a````b`````"},
		{"at the ends", "`a`", "`` `a` ``"},
		{"spaces at the ends", " a ", "`  a  `"},
		{"spaces alone", "  ", "`‹U+0020›‹U+0020›`"},
		{"line break", "a\n# b", "`a‹U+000A›# b`"},
		{"empty", "", "(empty)"},
		{"HTML", "</code><b>", "`</code><b>`"},
		{"long", strings.Repeat("x", 305), "`" + strings.Repeat("x", 300) + "‹…5 more characters›`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Code(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// readCode is CommonMark's rule for code spans, for a text that begins with one.
func readCode(text string) (content, rest string, ok bool) {
	n := len(text) - len(strings.TrimLeft(text, "`"))
	mark, body := text[:n], text[n:]
	for i := 0; i < len(body); {
		if body[i] != '`' {
			i++
			continue
		}
		run := len(body[i:]) - len(strings.TrimLeft(body[i:], "`"))
		if run == len(mark) {
			content, rest = body[:i], body[i+run:]
			if len(content) > 1 && content[0] == ' ' && content[len(content)-1] == ' ' && strings.Trim(content, " ") != "" {
				content = content[1 : len(content)-1]
			}
			return content, rest, n > 0
		}
		i += run
	}
	return "", "", false
}

func FuzzCode(f *testing.F) {
	for _, s := range []string{"`", "``a`", " ` ", "a\n\n# b", "@x", "` `", "   "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || len(s) > 200 {
			return
		}
		content, rest, ok := readCode(Code(s))
		want := plain.Clip(plain.Text(s), maxCode)
		if strings.Trim(want, " ") == "" {
			want = strings.ReplaceAll(want, " ", "‹U+0020›")
		}
		if !ok || rest != "" || content != want {
			t.Errorf("%q is written %q, which reads as %q and then %q", s, Code(s), content, rest)
		}
	})
}

func TestText(t *testing.T) {
	got := Text("a*b_c [d](e) <f> & `g` | ~h~ #1 \\ {i}\n- j")
	want := "a\\*b\\_c \\[d\\](e) &lt;f\\> &amp; \\`g\\` \\| \\~h\\~ \\#1 \\\\ \\{i\\}‹U+000A›- j"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// bigTool is a tool whose diff has as many characters as a description can.
func bigTool(name string, rows int) view.Tool {
	part := view.Part{Title: "description", Kind: "text", Change: "changed"}
	for range rows {
		part.Rows = append(part.Rows, view.Row{Kind: "added", NewLine: "1", New: []view.Segment{{Kind: "ins", Text: strings.Repeat("`x ", 500)}}})
	}
	return view.Tool{Name: []view.Segment{{Kind: "equal", Text: name}}, Status: "CHANGED", StatusLabel: "Changed", Summary: "description changed", Parts: []view.Part{part}}
}

func TestFitsAComment(t *testing.T) {
	v := &view.View{State: view.Changed, Verdict: "MANIFEST CHANGED (500 tools)"}
	for range 500 {
		v.Tools = append(v.Tools, bigTool("tool `a`", 100))
	}
	var d Document
	d.Result("a.json", v)
	got := d.String()
	if len(got) > Limit+500 {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.HasPrefix(got, "### 🔶 MANIFEST CHANGED \\(") && !strings.HasPrefix(got, "### 🔶 MANIFEST CHANGED (") {
		t.Errorf("the verdict does not come first: %.80q", got)
	}
	for _, want := range []string{"more lines", "more characters", "had no room here"} {
		if !strings.Contains(got, want) {
			t.Errorf("nothing says %q", want)
		}
	}
	if n := strings.Count(got, "\n```"); n%2 != 0 {
		t.Errorf("%d fence lines", n)
	}
}

// TestFences holds every fence of a document to being longer than any run of
// backticks inside it.
func TestFences(t *testing.T) {
	text := "a\n```\n# out\n````\n@octocat"
	v := &view.View{State: view.Changed, Verdict: "MANIFEST CHANGED (1 tools)"}
	tool := view.Tool{Name: view.Plain("t"), Status: "CHANGED", Parts: []view.Part{{Title: "description", Change: "changed"}}}
	for line := range strings.SplitSeq(text, "\n") {
		tool.Parts[0].Rows = append(tool.Parts[0].Rows, view.Row{Kind: "added", New: view.Plain(line)})
	}
	v.Tools = []view.Tool{tool}
	var d Document
	d.Result("", v)
	open := ""
	for line := range strings.SplitSeq(d.String(), "\n") {
		run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case open == "" && len(run) >= 3:
			open = run
		case open != "" && len(run) >= len(open) && strings.Trim(line, "` ") == "":
			open = ""
		case open == "" && strings.Contains(line, "octocat"):
			t.Errorf("outside a fence: %q", line)
		}
	}
	if open != "" {
		t.Error("a fence is left open")
	}
}

func TestFault(t *testing.T) {
	var d Document
	e := &jsonvalue.Error{Message: "is @octocat `no` member", Advice: "Give it <b>."}
	e.Line, e.Column = 3, 14
	d.Fault("a b.json", e)
	want := "### ⛔ Could not check `a b.json`\n\nLine 3, column 14: ``is @octocat `no` member``\n\nGive it &lt;b\\>.\n\n"
	if diff := cmp.Diff(want, d.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
