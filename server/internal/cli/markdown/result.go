// Package markdown implements the painting of results as GitHub Flavored
// Markdown, for a pull request's comment or a job's summary. All that comes
// from a manifest stands in code spans and code fences, in which GitHub makes
// neither mentions nor links of it, with hidden characters as labelled chips.
//
// It never knows where its text goes; the text fits one comment.
package markdown

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Limit is how many bytes a document may have: GitHub takes comments of 65,536
// characters, and something may be put around it.
const Limit = 60_000

const (
	maxRows  = 60
	maxChars = 400
	maxNames = 50
	maxHits  = 10
	keep     = 60
)

// Document is Markdown being written, within Limit.
type Document struct {
	b       strings.Builder
	skipped int // sections that had no room
}

// Add appends a section, or its brief form where there is no room for the
// section and reserve bytes more, or nothing and then counts it as left out.
func (d *Document) Add(section, brief string, reserve int) {
	switch {
	case section == "":
	case d.b.Len()+len(section)+reserve <= Limit:
		d.b.WriteString(section)
	case brief != "" && d.b.Len()+len(brief) <= Limit:
		d.b.WriteString(brief)
	default:
		d.skipped++
	}
}

// String returns the document, which says how much had no room.
func (d *Document) String() string {
	text := d.b.String()
	if d.skipped > 0 {
		text += "\n**" + plain.Count(d.skipped, "more section") + " had no room here.** The text, JSON and HTML formats hold everything.\n"
	}
	return text
}

// Result adds a comparison; name is the file's when there are several.
func (d *Document) Result(name string, v *view.View) {
	d.Add(head(name, v), "", 0)
	d.Add(assessment(v.Assessment), "", 0)
	quiet := []string{}
	// Tools are named before others have room for their details, in up to half
	// of the document.
	reserve := 0
	for i := range v.Tools {
		reserve += len(brief(&v.Tools[i]))
	}
	for i := range v.Tools {
		t := &v.Tools[i]
		if t.Status == "UNCHANGED" && len(t.Parts) == 0 {
			quiet = append(quiet, nameSpan(t.Name))
			continue
		}
		short := brief(t)
		reserve -= len(short)
		d.Add(toolTitle(t)+toolBody(t), short, min(reserve, Limit/2))
	}
	if len(v.List) > 0 {
		text := "\n**The list itself** (outside the digest)\n"
		for i := range v.List {
			text += part(&v.List[i])
		}
		d.Add(text, "", 0)
	}
	d.Add(unchanged(quiet), "", 0)
	d.Add(notes(v.Notes), "", 0)
}

// brief names a tool whose details have no room.
func brief(t *view.Tool) string {
	if t.Status == "UNCHANGED" && len(t.Parts) == 0 {
		return ""
	}
	return "\n**" + Text(t.StatusLabel) + "** " + nameSpan(t.Name) + ", details had no room here: " + Text(strings.TrimSpace(t.Summary+" "+t.Alarm)) + "\n"
}

var signs = map[string]string{view.Unchanged: "✅", view.Changed: "🔶", view.NotCompared: "⛔"}

func head(name string, v *view.View) string {
	var b strings.Builder
	b.WriteString("### " + signs[v.State] + " " + Text(v.Verdict) + "\n\n")
	if name != "" {
		b.WriteString(Code(name) + "\n\n")
	}
	b.WriteString(Text(v.Lead))
	if quiet := plain.NoMatch(v); quiet != "" {
		b.WriteString(" " + Text(quiet))
	}
	b.WriteByte('\n')
	if len(v.Notices) > 0 {
		b.WriteByte('\n')
	}
	for _, n := range v.Notices {
		b.WriteString("- **" + Text(n.Text) + "**\n")
	}
	b.WriteString("\n| | tools | aggregate digest |\n|---|---:|---|\n")
	for _, s := range []view.Side{v.Baseline, v.Current} {
		if s.Label != "" {
			b.WriteString("| " + s.Label + " | " + plain.Number(s.ToolCount) + " | `" + digestOnly(s.Digest) + "` |\n")
		}
	}
	b.WriteByte('\n')
	if v.Baseline.Origin != "" {
		b.WriteString(Text(v.Baseline.Origin) + "\n")
	}
	return b.String()
}

// digestOnly keeps hexadecimal digits, so that the table stands whatever a
// report that is no report of ours may say.
func digestOnly(digest string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'f' {
			return r
		}
		return -1
	}, digest)
}

func toolTitle(t *view.Tool) string {
	var b strings.Builder
	b.WriteString("\n#### " + Text(t.StatusLabel) + " " + nameSpan(t.Name))
	if t.OccurrenceNote != "" {
		b.WriteString(" (" + Text(t.OccurrenceNote) + ")")
	}
	b.WriteString("\n\n")
	if t.Summary != "" {
		b.WriteString(Text(t.Summary) + "\n")
	}
	if t.Alarm != "" {
		b.WriteString("\n**" + Text(t.Alarm) + "**\n")
	}
	return b.String()
}

func toolBody(t *view.Tool) string {
	var b strings.Builder
	// What was added or removed is read after what changed: it is folded.
	folded := len(t.Parts) > 0 && (t.Status == "ADDED" || t.Status == "REMOVED")
	if folded {
		b.WriteString("\n<details><summary>Content</summary>\n")
	}
	for i := range t.Parts {
		b.WriteString(part(&t.Parts[i]))
	}
	if folded {
		b.WriteString("\n</details>\n")
	}
	if t.Scan != nil && (len(t.Scan.Hits) > 0 || !t.Scan.Scanned) {
		b.WriteString(scan(t.Scan))
	}
	return b.String()
}

func part(p *view.Part) string {
	var b strings.Builder
	b.WriteString("\n" + Code(p.Title))
	if p.Change != "changed" {
		b.WriteString(" " + Text(p.Change))
	}
	if p.Outside {
		b.WriteString(" (outside the digest)")
	}
	if p.Pointer != "" {
		b.WriteString(" at " + Code(p.Pointer))
	}
	b.WriteByte('\n')
	if p.Note != "" {
		b.WriteString("\n" + Text(p.Note) + "\n")
	}
	if len(p.Rows) == 0 {
		return b.String()
	}
	body := rows(p.Rows)
	mark := fence(body)
	b.WriteString("\n" + mark + "diff\n" + body + mark + "\n")
	return b.String()
}

func rows(all []view.Row) string {
	var b strings.Builder
	line := func(sign string, runs []plain.Run) {
		b.WriteString(sign + plain.Marked(plain.Cut(runs, maxChars)) + "\n")
	}
	for i, r := range all {
		if i == maxRows {
			b.WriteString("… " + plain.Count(len(all)-i, "more line") + "\n")
			break
		}
		switch r.Kind {
		case "fold":
			b.WriteString("… " + r.Label + "\n")
		case "equal":
			line("  ", plain.Whole(r.New))
		case "removed":
			line("- ", plain.Whole(r.Old))
		case "added":
			line("+ ", plain.Whole(r.New))
		default:
			if r.OldLine == "" {
				line("! ", plain.Whole(r.New))
				continue
			}
			line("- ", plain.Elide(plain.Runs(r.Old), keep))
			line("+ ", plain.Elide(plain.Runs(r.New), keep))
		}
	}
	return b.String()
}

func scan(s *view.Scan) string {
	var b strings.Builder
	b.WriteString("\nScreen: " + Text(s.Label) + "\n")
	if len(s.Hits) > 0 {
		b.WriteByte('\n')
	}
	for i, h := range s.Hits {
		if i == maxHits {
			b.WriteString("- … " + plain.Count(len(s.Hits)-i, "more match") + "\n")
			break
		}
		b.WriteString("- **" + Text(h.Rule) + "** " + Text(h.Category) + ", characters " + Text(h.Span))
		if h.View != "" {
			b.WriteString(", seen as " + Text(h.View))
		}
		b.WriteString(": " + codeSpan(plain.Quoted(plain.Whole(h.Excerpt))) + "\n")
	}
	return b.String()
}

func unchanged(names []string) string {
	if len(names) == 0 {
		return ""
	}
	text := "\n<details><summary>" + plain.Count(len(names), "unchanged tool") + "</summary>\n\n"
	more := ""
	if len(names) > maxNames {
		more = " and " + plain.Number(len(names)-maxNames) + " more"
		names = names[:maxNames]
	}
	return text + strings.Join(names, ", ") + more + "\n\n</details>\n"
}

func notes(all []view.Note) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n**Reading notes**\n\n")
	for i, n := range all {
		if i == maxHits {
			b.WriteString("- … " + plain.Count(len(all)-i, "more note") + "\n")
			break
		}
		b.WriteString("- " + Text(n.Side))
		if n.Place != "" {
			b.WriteString(", " + Text(n.Place))
		}
		if n.Pointer != "" {
			b.WriteString(", " + Code(n.Pointer))
		}
		b.WriteString(": " + Text(n.Message) + "\n")
	}
	return b.String()
}
