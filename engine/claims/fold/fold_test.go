package fold

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The naive twin of Skeleton: the library's normalisation around the same
// prototypes, read into a map one by one.
func naive(text string, prototypes map[rune]string) string {
	var b strings.Builder
	for _, r := range text {
		if !Hidden(r) {
			b.WriteRune(r)
		}
	}
	normal := norm.NFKD.String(b.String())
	b.Reset()
	for _, r := range normal {
		if p, ok := prototypes[r]; ok {
			b.WriteString(p)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFKD.String(b.String())
}

// characters yields the planes in which characters are assigned.
func characters(yield func(rune) bool) {
	for _, p := range [...][2]rune{{0, 0x33FFF}, {0xE0000, 0xE0FFF}, {0x10FFF0, 0x10FFFF}} {
		for r := p[0]; r <= p[1]; r++ {
			if !yield(r) {
				return
			}
		}
	}
}

func all(m *mapping) map[rune]string {
	out := map[rune]string{}
	for i := range m.blocks {
		d := m.open(i)
		for k := range d.entries {
			d.next()
			out[d.at[k]] = string(d.target[:d.n])
		}
	}
	return out
}

// libraryKnows reports whether the library's Unicode, which is that of the Go that
// builds it and may be older than the tables, knows a character. What it knows
// is fixed for good by Unicode's stability policy, and the tables must agree.
func libraryKnows(r rune) bool {
	own := string(r)
	return norm.NFKD.String(own) != own || norm.NFKD.PropertiesString(own).CCC() != 0 || class(r) == 0 && string(decompose(nil, r)) == string(r)
}

func TestDecompositionIsTheLibrarys(t *testing.T) {
	unknown := 0
	for r := range characters {
		if r >= 0xD800 && r <= 0xDFFF || Hidden(r) {
			continue
		}
		if !libraryKnows(r) {
			unknown++
			continue
		}
		if got, want := string(decompose(nil, r)), norm.NFKD.String(string(r)); got != want {
			t.Errorf("U+%04X: got %+q, want %+q", r, got, want)
		}
		if got, want := class(r), norm.NFKD.PropertiesString(string(r)).CCC(); got != want {
			t.Errorf("U+%04X: class %d, want %d", r, got, want)
		}
	}
	if want := map[string]int{"15.0.0": newSince15, "17.0.0": 0}[norm.Version]; unknown != want {
		t.Errorf("the library's Unicode %s does not know %d characters of the tables, want %d", norm.Version, unknown, want)
	}
}

// newSince15 is how many characters with a decomposition or a class Unicode 16
// and 17 added.
const newSince15 = 103

func TestEqualAfterNFKCIsEqualHere(t *testing.T) {
	for r := range characters {
		if r >= 0xD800 && r <= 0xDFFF || !libraryKnows(r) {
			continue
		}
		if got, want := Skeleton(string(r)), Skeleton(norm.NFKC.String(string(r))); got != want {
			t.Errorf("U+%04X: skeleton %+q, that of its NFKC %+q", r, got, want)
		}
	}
}

func TestSkeletonIsItsOwn(t *testing.T) {
	for r := range characters {
		if once := Skeleton(string(r)); Skeleton(once) != once {
			t.Errorf("U+%04X: %+q, then %+q", r, once, Skeleton(once))
		}
	}
}

func TestTablesAreOrdered(t *testing.T) {
	for _, m := range []*mapping{&decompositions, &confusables} {
		if !slices.IsSortedFunc(m.blocks, func(a, b block) int { return int(a.first) - int(b.first) }) {
			t.Error("blocks out of order")
		}
	}
	if !slices.IsSortedFunc(classes[:], func(a, b classRun) int { return int(a.last) - int(b.last) }) {
		t.Error("classes out of order")
	}
	prototypes := all(&confusables)
	for r := rune(0); r < 0x80; r++ {
		_, confused := prototypes[r]
		if plain(string(r)) == (confused || r < 0x20 || r == 0x7F) {
			t.Errorf("%q: plain is wrong", r)
		}
	}
}

func TestLookalikes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"send_mail", "send_mаil", true},         // Cyrillic a
		{"paypal", "раураl", true},               // Cyrillic
		{"read", "ｒｅａｄ", true},                   // full width
		{"list", "𝐥𝐢𝐬𝐭", true},                   // mathematical
		{"get_l", "get_1", true},                 // ell, one
		{"get_O", "get_0", true},                 // O, zero
		{"turn", "tum", true},                    // rn, m
		{"fi", "ﬁ", true},                        // ligature
		{"café", "cafe\u0301", true},             // composed, decomposed
		{"a\u0323\u0307", "a\u0307\u0323", true}, // order of marks
		{"한글", "\u1112\u1161\u11ab\u1100\u1173\u11af", true},
		{"re\u200bad", "read", true},
		{"\U0001ccd6bc", "Abc", true}, // outlined letters of Unicode 16
		{"read", "Read", false},
		{"read_file", "read_files", false},
		{"cafe", "café", false},
		{"\xed\xa0\x80", "\xed\xa0\x81", false},
		{"\xed\xa0\x80", "\ufffd", false},
	} {
		if got := Skeleton(c.a) == Skeleton(c.b); got != c.same {
			t.Errorf("%+q and %+q: same %v, want %v (%+q, %+q)", c.a, c.b, got, c.same, Skeleton(c.a), Skeleton(c.b))
		}
	}
}

func TestHidden(t *testing.T) {
	for r := range characters {
		// What Go has of Default_Ignorable_Code_Point: its base is the formats, the
		// selectors and the rest that PropList adds.
		ignorable := unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Cf, r)
		switch {
		case r >= 0x600 && r <= 0x605, r == 0x6DD, r == 0x70F, r >= 0x890 && r <= 0x891, r == 0x8E2, r == 0x110BD, r == 0x110CD, r >= 0x13430 && r <= 0x1343F:
			ignorable = false // prepended marks and Egyptian joiners are seen
		case r >= 0xFFF9 && r <= 0xFFFB:
			ignorable = true
		}
		if unicode.Is(unicode.Cc, r) {
			ignorable = r != '\t' && r != '\n' && r != '\r'
		}
		if got := Hidden(r); got != ignorable {
			t.Errorf("U+%04X: hidden %v, want %v", r, got, ignorable)
		}
	}
}

func TestFindHidden(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
	}{
		{"plain text\twith\r\nlines", -1},
		{"a\u200bb", 1},
		{"\ufeffab", 0},
		{"ab\u202e", 2},
		{"x\x1b[8m", 1},
		{"x\u0085", 1},
		{"so\u00adft", 2},
		{"❤️ ☎︎ ©️ 1️⃣ #️⃣", -1},
		{"👩\u200d💻 👨\u200d👩\u200d👧 🏳️\u200d🌈 👍🏽", -1},
		{"🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", -1},
		{"🏴\U000e0067\U000e0062\U000e0068\U000e0069\U000e0064\U000e0065\U000e007f", 4}, // too long for a region
		{"🏴\U000e0067\U000e0062", 4},
		{"flag\U000e0067\U000e0062\U000e0073\U000e007f", 4},
		{"می\u200cخواهم", -1},
		{"نمی\u200c", -1},
		{"क्\u200dष", -1},
		{"ශ්\u200dරී", -1},
		{"ab\u200cc", 2},
		{"ab\u200d", 2},
		{"a\ufe0f", 1},
		{"❤\ufe0f\ufe0f", 6},
		{"👩\u200d", 4},
		{"漢\U000e0100字", -1},
		{"a\U000e0100", 1},
		{"\u1820\u180b", -1},
		{"a\u180e", 1},
		{"\xed\xa0\x80 lone", -1},
		{"", -1},
	} {
		if at, _ := FindHidden(c.text, 0); at != c.at {
			t.Errorf("%+q: got %d, want %d", c.text, at, c.at)
		}
	}
}

func FuzzSkeleton(f *testing.F) {
	for _, s := range []string{"get_weather", "раураl", "ﬁ\u0301\u0323", "한글", "\xed\xa0\x80", "ᾂ\u0345", "%\"1|"} {
		f.Add(s)
	}
	prototypes := all(&confusables)
	f.Fuzz(func(t *testing.T, text string) {
		got := Skeleton(text)
		if Skeleton(got) != got {
			t.Errorf("%+q: %+q, then %+q", text, got, Skeleton(got))
		}
		for at := 0; at >= 0; {
			from, size := FindHidden(text, at)
			if from < 0 {
				break
			}
			if from < at || size == 0 {
				t.Fatalf("%+q: no step from %d", text, at)
			}
			at = from + size
		}
		// The library inserts a joiner into thirty marks on one letter (Stream-Safe
		// Text), and knows fewer characters than the tables.
		marks := 0
		for _, r := range text {
			if !libraryKnows(r) || r == utf8.RuneError {
				return
			}
			if class(r) != 0 {
				marks++
			}
		}
		if marks > 20 {
			return
		}
		if want := naive(text, prototypes); got != want {
			t.Errorf("%+q: got %+q, want %+q", text, got, want)
		}
	})
}

func BenchmarkSkeleton(b *testing.B) {
	for b.Loop() {
		Skeleton("gitlab_list_merge_request_approval_rules")
	}
}
