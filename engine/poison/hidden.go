package poison

import (
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/claims/fold"
	"github.com/manifestseal/manifestseal/engine/digest"
)

// The rules of hidden text. They are code and not patterns: whether a character belongs where it stands is a question of
// the script around it.
const (
	ruleHidden    = "hidden-text"            // tags, bidirectional controls, escapes, runs of variation selectors
	ruleZeroWidth = "hidden-text-zero-width" // other characters that cannot be seen
)

// hidden finds the characters that do not belong into a text. What stands together is one finding.
func hidden(text string) []finding {
	if !mayHide(text) {
		return nil
	}
	var found []finding
	rtl, u := hasRightToLeft(text), unitCounter{text: text}
	for from := 0; len(found) < maxHits; {
		at, size := fold.FindHidden(text, from)
		if at < 0 {
			break
		}
		end := at + size
		for {
			next, n := fold.FindHidden(text[:min(len(text), end+2*utf8.UTFMax)], end)
			if next != end {
				break
			}
			end += n
		}
		from = end
		if f, ok := hiddenFinding(text, at, end, rtl); ok {
			found = append(found, u.place(f, at, end))
		}
	}
	return found
}

// mayHide says whether a text has a byte that hidden characters begin with; most texts have none.
func mayHide(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7F || c < 0x20 && c != '\n' && c != '\t' && c != '\r' {
			return true
		}
	}
	return false
}

// hiddenFinding judges a run of hidden characters. Its anchor is what the run says, so that another payload is another
// hit.
func hiddenFinding(text string, at, end int, rtl bool) (finding, bool) {
	run := []rune(text[at:end])
	f := finding{rule: ruleZeroWidth, family: familyHidden, severity: Medium, match: codePoints(run), view: AsSubmitted}
	tags, selectors, marks := 0, 0, 0
	for _, r := range run {
		switch {
		case r >= 0xE0000 && r <= 0xE007F:
			tags++
		case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
			selectors++
		case r == 0x1B, r == 0x9B:
			f.match = codePoints(run) + start(text[end:], escapeShown)
			f.rule = ruleHidden
		case isMark(r), rtl && r >= 0x2066 && r <= 0x2069:
			marks++
		case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			f.rule = ruleHidden
		}
	}
	if rtl && marks == len(run) {
		return f, false // they belong into text that runs from right to left
	}
	if tags > 0 {
		f.match = cut(untag(run))
	}
	if tags > 0 || selectors > 2 || f.rule == ruleHidden {
		f.rule, f.severity = ruleHidden, Critical
	}
	if f.anchor = lower(f.match); len(f.match) >= 72 || f.anchor == "" {
		sum := digest.SumOf([]byte(text[at:end]))
		f.anchor = sum.Hex()[:16]
	}
	return f, true
}

// escapeShown is how many characters of a terminal's escape are shown.
const escapeShown = 12

// isMark says whether a character only says which way the text beside it runs.
func isMark(r rune) bool { return r == 0x61C || r == 0x200E || r == 0x200F }

// hasRightToLeft says whether a text has letters that run from right to left.
func hasRightToLeft(text string) bool {
	for _, r := range text {
		if r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF {
			return true
		}
	}
	return false
}

// untag spells tag characters as the ASCII that they stand for.
func untag(run []rune) string {
	var out []byte
	for _, r := range run {
		if c := r - 0xE0000; c >= 0x20 && c < 0x7F {
			out = append(out, byte(c))
		}
	}
	return string(out)
}

// codePoints names the characters of a run, as many as can be shown.
func codePoints(run []rune) string {
	var out []byte
	for _, r := range run {
		if len(out) >= 72 {
			return string(append(out, "…"...))
		}
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, "U+"...)
		for shift := 20; shift >= 0; shift -= 4 {
			if r>>shift != 0 || shift < 16 {
				out = append(out, "0123456789ABCDEF"[r>>shift&15])
			}
		}
	}
	return string(out)
}
