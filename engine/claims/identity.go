package claims

import (
	"strings"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/claims/fold"
	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// look is how names that look alike are told apart: the first of them, and one
// that differs from it.
type look struct {
	first, other string
	differ       bool
}

// list looks at what only the whole list shows, and makes its two findings.
func (g *grader) list() {
	g.names, g.descriptions, g.looks = map[string]int{}, map[string]int{}, map[string]look{}
	for i := range g.tools {
		t := &g.tools[i]
		if t.described {
			g.descriptions[t.description]++
		}
		if !t.named {
			continue
		}
		g.names[t.name]++
		t.skeleton = fold.Skeleton(t.name)
		l, seen := g.looks[t.skeleton]
		switch {
		case !seen:
			g.looks[t.skeleton] = look{first: t.name}
		case l.first != t.name && !l.differ:
			g.looks[t.skeleton] = look{l.first, t.name, true}
		}
	}
	g.sameHints = g.hintsAreOne()
	g.pages()
	g.size()
}

// pages is I7: of each tool of a page it is unknown what stands beside it.
func (g *grader) pages() {
	cursor := g.manifest.List.Get("nextCursor")
	paged := cursor.Exists() && !jsonschema.Is(cursor, jsonvalue.Null)
	for i := range g.tools {
		if paged {
			g.set(&g.tools[i], ruleI7, Unknown)
		} else {
			g.pass(&g.tools[i], ruleI7)
		}
	}
	if paged {
		g.out.Findings = append(g.out.Findings, Finding{
			Rule: ruleI7, Tool: -1, Pointer: strings.TrimSuffix(g.manifest.Pointer, "/tools") + "/nextCursor",
			Message: "nextCursor is set: the list is one page of several, and what stands on the others is unknown.", Evidence: evidence(cursor),
		})
	}
}

// size is C5. Four characters a token is the rule of thumb for English and JSON.
func (g *grader) size() {
	const perToken = 4
	characters := 0
	var scratch []byte
	for i := range g.tools {
		scratch = g.tools[i].value.AppendCanonical(scratch[:0])
		for _, c := range scratch {
			if c&0xC0 != 0x80 {
				characters++
			}
		}
	}
	tools := itoa(len(g.tools)) + " tools"
	if len(g.tools) == 1 {
		tools = "1 tool"
	}
	g.out.Findings = append(g.out.Findings, Finding{
		Rule: ruleC5, Tool: -1, Pointer: g.manifest.Pointer,
		Message: "The list holds " + tools + ", about " + itoa((characters+perToken-1)/perToken) + " tokens of a model's context (estimated at four characters a token).",
	})
}

// identity applies I1 to I6.
func (g *grader) identity(t *tool) {
	if !jsonschema.Is(t.value, jsonvalue.Object) {
		g.fail(t, ruleI1, "", "This entry of the list is no object, so it is no tool.", evidence(t.value))
		return
	}
	g.pass(t, ruleI1)
	g.hidden(t)
	if !t.named {
		name := t.value.Get("name")
		what := "The tool's name is blank."
		switch {
		case !name.Exists():
			what = "The tool has no name."
		case !jsonschema.Is(name, jsonvalue.String):
			what = "The tool's name is no string."
		}
		g.fail(t, ruleI2, memberPointer(name, "/name"), what, evidence(name))
		return
	}
	g.pass(t, ruleI2)
	g.nameForm(t)
	if n := g.names[t.name]; n > 1 {
		g.fail(t, ruleI3, "/name", itoa(n)+" tools bear the name "+quoted(t.name)+"; which one a call means is undefined.", excerpt(t.name, 0))
	} else {
		g.pass(t, ruleI3)
	}
	if l := g.looks[t.skeleton]; l.differ {
		other := l.first
		if other == t.name {
			other = l.other
		}
		g.fail(t, ruleI5, "/name", "The name "+quoted(t.name)+" looks like that of another tool, "+quoted(other)+".", excerpt(t.name, 0))
	} else {
		g.pass(t, ruleI5)
	}
}

// memberPointer is the pointer of a member that is there, and otherwise that of
// the object that lacks it.
//
//go:noinline
func memberPointer(v jsonvalue.Value, pointer string) string {
	if v.Exists() {
		return pointer
	}
	return ""
}

func (g *grader) nameForm(t *tool) {
	const longest, comfortable = 128, 64
	n := codePoints(t.name)
	at := strings.IndexFunc(t.name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
	})
	switch {
	case at >= 0:
		piece, _ := shown(t.name[at:])
		g.fail(t, ruleI4, "/name", "The name holds \""+piece+"\", which the specification's form does not allow.", excerpt(t.name, at))
	case n > longest:
		g.fail(t, ruleI4, "/name", "The name has "+itoa(n)+" characters; the specification allows 128.", excerpt(t.name, 0))
	default:
		g.pass(t, ruleI4)
		if n > comfortable {
			g.fail(t, ruleI4b, "/name", "The name has "+itoa(n)+" characters; some clients refuse more than 64.", excerpt(t.name, 0))
		} else {
			g.pass(t, ruleI4b)
		}
	}
}

// hiddenMembers are the members whose texts I6 reads.
var hiddenMembers = [...]string{"name", "title", "description", "inputSchema", "outputSchema", "annotations"}

func (g *grader) hidden(t *tool) {
	if !mayHide(t.value.Source()) {
		g.pass(t, ruleI6)
		return
	}
	for _, member := range hiddenMembers {
		p := search(t.value.Get(member), func(text string) (int, int, bool) {
			at, size := fold.FindHidden(text, 0)
			return at, at + size, at >= 0
		})
		if p == nil {
			continue
		}
		piece, _ := shown(p.text[p.from:])
		g.fail(t, ruleI6, "/"+member+p.pointer(), "The text holds the hidden character "+strings.Trim(piece, "⟨⟩")+".", excerpt(p.text, p.from))
		return
	}
	g.pass(t, ruleI6)
}

// mayHide reports whether a source can spell a hidden character at all: nearly no
// tool can, and is searched.
func mayHide(source string) bool {
	for i := 0; i < len(source); i++ {
		if i += unremarkable(source[i:]); i == len(source) {
			return false
		}
		switch c := source[i]; {
		case c >= 0x80:
			r, size := utf8.DecodeRuneInString(source[i:])
			if r == utf8.RuneError || fold.Hidden(r) {
				return true
			}
			i += size - 1
		case c == 0x7F:
			return true
		case c == '\\' && i+1 < len(source):
			n := source[i+1]
			if n == 'b' || n == 'f' || n == 'u' && plainEscape(source[i:]) == 0 {
				return true
			}
			i++
		}
	}
	return false
}

// unremarkable returns the length of the beginning of a source that is ASCII
// without escapes and without DEL, in steps of eight bytes.
func unremarkable(source string) (n int) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; len(source)-n >= 8; n += 8 {
		s := source[n : n+8]
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		escape, del := w^ones*'\\', w^ones*0x7F
		if (w|(escape-ones)&^escape|(del-ones)&^del)&tops != 0 {
			break
		}
	}
	return n
}

// plainEscape returns the character that an escape \u00XX spells, where it is
// ASCII that can be seen, and 0 for every other.
func plainEscape(source string) byte {
	const digits = 6
	if len(source) < digits || source[:4] != `\u00` {
		return 0
	}
	c := byte(0)
	for _, d := range []byte(source[4:digits]) {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			d = d | 0x20 - 'a' + 10
		default:
			return 0
		}
		c = c<<4 | d
	}
	if c < 0x20 || c >= 0x7F {
		return 0
	}
	return c
}
