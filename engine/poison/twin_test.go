package poison

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/claims/fold"
)

// The naive twins: the same rules the plain way, word by word and character by
// character, over texts that may hold lone surrogates.

// piece is a character of a WTF-8 text: what it is, and its bytes.
type piece struct {
	r    rune
	text string
}

func pieces(text string) (out []piece) {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 && len(text) >= 3 && text[0] == 0xED {
			size = 3
		}
		out = append(out, piece{r, text[:size]})
		text = text[size:]
	}
	return out
}

func naiveUnmask(text string) (plain string, mixed []string, ok bool) {
	isWord := func(p piece) bool {
		return p.r < 0x80 && isLetter(byte(p.r)) || p.r >= 0x370 && p.r <= 0x52F
	}
	letters := []rune(posing)
	all := pieces(text)
	for i := 0; i < len(all); {
		k := i
		for k < len(all) && isWord(all[k]) {
			k++
		}
		raw, spelled, ascii, posed := "", "", false, false
		for _, p := range all[i:k] {
			raw += p.text
			ascii = ascii || p.r < 0x80
			at := slices.Index(letters, p.r)
			if p.r >= 0x80 && at >= 0 {
				posed = true
				spelled += string(letters[at+1])
			} else {
				spelled += p.text
			}
		}
		if ascii && posed {
			mixed, ok, raw = append(mixed, raw), true, spelled
		}
		plain += raw
		if i = k; i == len(all) {
			break
		}
		switch p := all[i]; {
		case p.r >= 0xFF01 && p.r <= 0xFF5E:
			plain, ok = plain+string(p.r-0xFF01+'!'), true
		case p.r >= 0x1D400 && p.r <= 0x1D6A3:
			plain, ok = plain+string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[(p.r-0x1D400)%52]), true
		default:
			plain += p.text
		}
		i++
	}
	return plain, mixed, ok
}

// loose makes a WTF-8 text of any bytes, as a JSON string can be.
func loose(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\u241B", "\xed\xa0\x80")
}

func FuzzUnmask(f *testing.F) {
	for _, s := range []string{"Rеads a file", "ｒead", "𝐫ead 𝒳", "читает", "a\uFFFDе", "\u241Baе and on", "\u241B\u241Bеa", "xеx\uFFFDyοy", "USB-кабель", "aе_b", "é\u0301аa"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = loose(text)
		plain, mixed, ok := unmask(text)
		wantPlain, wantMixed, wantOK := naiveUnmask(text)
		if !ok && !wantOK {
			return
		}
		if plain != wantPlain || ok != wantOK || !slices.Equal(mixed, wantMixed) {
			t.Errorf("%q:\ngot  %q %q %v\nwant %q %q %v", text, plain, mixed, ok, wantPlain, wantMixed, wantOK)
		}
	})
}

// naiveHidden are the runs of hidden characters, each character found by itself.
func naiveHidden(text string) (runs [][2]int) {
	for from := 0; ; {
		at, size := fold.FindHidden(text, from)
		if at < 0 {
			return runs
		}
		if n := len(runs); n > 0 && runs[n-1][1] == at && at == from {
			runs[n-1][1] += size
		} else {
			runs = append(runs, [2]int{at, at + size})
		}
		from = at + size
	}
}

func FuzzHiddenText(f *testing.F) {
	for _, s := range []string{"a\u200bb", "\u202Etxt\u202C", "\x1b[0mred", "\u115f\u115f\u1100", "👩🏽\u200D🚀", "می\u200Cخواهم", "\U0001F3F4\U000E0067\U000E0062\U000E007F", "x\U000E0072\U000E0065", "א\u200f\u200e", "\u241B\u200b", "\x1b\u200bé", "a\ufe0f\ufe0f\ufe0fb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = loose(text)
		var want []finding
		for _, run := range naiveHidden(text) {
			if one, ok := hiddenFinding(text, run[0], run[1], hasRightToLeft(text)); ok && len(want) < maxHits {
				want = append(want, one)
			}
		}
		got := hidden(text)
		for i := range got {
			if got[i].text != text || got[i].start >= got[i].end {
				t.Errorf("%q: read %q from %d to %d", text, got[i].text, got[i].start, got[i].end)
			}
			got[i].text, got[i].start, got[i].end = "", 0, 0 // where it is, place_test.go holds
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(finding{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		for _, one := range got {
			if one.anchor == "" || !utf8.ValidString(strings.ReplaceAll(one.match, "\xed\xa0\x80", "")) {
				t.Errorf("%q: anchor %q, match %q", text, one.anchor, one.match)
			}
		}
	})
}

// naiveDenied reads the last three words.
func naiveDenied(lead string) bool {
	words := strings.FieldsFunc(lead, func(r rune) bool { return r == ' ' })
	slices.Reverse(words)
	for _, w := range words[:min(3, len(words))] {
		if strings.ContainsAny(w, ",:;()") {
			return false
		}
		if slices.Contains([]string{"never", "not", "don't", "doesn't", "cannot", "can't", "won't", "without", "nor"}, w) {
			return true
		}
	}
	return false
}

// naiveLead is what stands behind the last end of a sentence, looked for from the
// front.
func naiveLead(text string, start int) string {
	text = text[max(0, start-leadBytes):start]
	from := 0
	for i := 1; i < len(text); i++ {
		before := text[:i]
		ends := strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "e.g.") || strings.HasSuffix(before, "!") || strings.HasSuffix(before, "?") || strings.HasSuffix(before, ";")
		if text[i] == '\n' || text[i] == ' ' && ends {
			from = i + 1
		}
	}
	return text[from:]
}

func FuzzMention(f *testing.F) {
	for _, s := range []string{"It never reads the key.", "Does not, however, send.", "For instance (e.g. this) it. Then that", `Flags "ignore me" texts`, "A. B! C? D; E\nF", "without  the", "not a b c", "can't"} {
		f.Add(s, 3, 5)
	}
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		text = loose(text)
		if start < 0 || end <= start || end > len(text) {
			return
		}
		lead := lower(leadOf(text, start))
		if want := lower(naiveLead(text, start)); lead != want {
			t.Errorf("%q: lead %q, want %q", text[:start], lead, want)
		}
		if got, want := denied(lead), naiveDenied(lead); got != want {
			t.Errorf("%q: denied %v, want %v", lead, got, want)
		}
		isMention(text, start, end, end) // it never panics
	})
}
