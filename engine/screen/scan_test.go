package screen

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/manifestseal/manifestseal/engine/enginetest"
)

// spell writes matches as "rule view start-end".
func spell(all []Match) []string {
	out := []string{}
	for _, m := range all {
		out = append(out, fmt.Sprintf("%s %v %d-%d", m.Rule.ID, m.View, m.Start, m.End))
	}
	return out
}

type scanCase struct {
	name, text string
	want       []string
}

func runScanCases(t *testing.T, cases []scanCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			want := append([]string{}, tt.want...)
			if diff := cmp.Diff(want, spell(Injection().Scan(tt.text))); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.text, diff)
			}
			if diff := cmp.Diff(want, spell(naiveScan(Injection(), tt.text))); diff != "" {
				t.Errorf("naive %q (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

// TestUnits is R40: UTF-16 units, ASCII words, ECMAScript white space, no folding across ASCII.
func TestUnits(t *testing.T) {
	runScanCases(t, []scanCase{
		{"letters of both cases", "Respond ONLY with", []string{"CC-3 as_submitted 0-17"}},
		{"Kelvin sign is no k", "\u212aeep this secret from", nil},
		{"long s is no s", "re\u017fpond only with", nil},
		{"dotted I is no i", "s\u0130gn this transaction", nil},
		{"word ends at a letter beyond ASCII", "érespond only withé", []string{"CC-3 as_submitted 1-18"}},
		{"word does not end at an underscore", "respond only with_", nil},
		{"start counts a pair as two", "\U0001f600respond only with", []string{"CC-3 as_submitted 2-19"}},
		{"start counts a lone surrogate as one", "\xed\xa0\x80respond only with", []string{"CC-3 as_submitted 1-18"}},
		{"gap of 24 units", "never tell" + strings.Repeat("-", 24) + "user", []string{"CC-1 as_submitted 0-38"}},
		{"gap of 25 units", "never tell" + strings.Repeat("-", 25) + "user", nil},
		{"gap of 12 pairs", "never tell" + strings.Repeat("\U0001f600", 12) + "user", []string{"CC-1 as_submitted 0-38"}},
		{"gap of 13 pairs", "never tell" + strings.Repeat("\U0001f600", 13) + "user", nil},
		{"gap stops at a full stop", "never tell. user", nil},
		{"gap stops at LF", "never tell\nuser", nil},
		{"gap passes CR and line separators", "never tell\r\u2028\u2029user", []string{"CC-1 as_submitted 0-17"}},
		{"gap as far as it goes", "never tell user user", []string{"CC-1 as_submitted 0-20"}},
		{"white space of ECMAScript", "run\ufeff\u00a0\u1680\u2003\u2028\u205f\u3000this\vcode", []string{"TC-3 as_submitted 0-19", "OB-1 as_submitted 3-4"}},
		{"U+180E and U+0085 are no white space", "run\u180ethis code run\u0085this code", []string{"OB-1 as_submitted 3-4"}},
		{"role at the start", " \n system :", []string{"RH-2 as_submitted 0-11"}},
		{"role after the first of many lines", "x\n\n  system:", []string{"RH-2 as_submitted 1-12"}},
		{"no role within a line", "x system:", nil},
		{"role after CR alone", "x\rsystem:", nil},
		{"controls that share no class", "\x01\x02\x04respond\x01only with", nil},
		{"empty", "", nil},
	})
}

// TestOrder is R41.
func TestOrder(t *testing.T) {
	runScanCases(t, []scanCase{
		{"all of one rule, not overlapping", "<||><|a|>", []string{"DE-1 as_submitted 0-4", "DE-1 as_submitted 4-9"}},
		{
			"rules, then views, then start",
			"<||> respond only with r3spond only with respond only with",
			[]string{"DE-1 as_submitted 0-4", "CC-3 as_submitted 5-22", "CC-3 as_submitted 41-58", "CC-3 leetspeak 23-40"},
		},
		{"a match takes what it spans", "do not tell user, never tell user", []string{"CC-1 as_submitted 0-33"}},
		{"invisible ones merge", "a\u200b\u200c\ufeffb\u2060", []string{"OB-1 as_submitted 1-4", "OB-1 as_submitted 5-6"}},
		{"a run from the start merges", "\u200b\u200b\u200b", []string{"OB-1 as_submitted 0-3"}},
		{"merged before the view is asked", "\u200b%E2%80%8b\u200b", []string{
			"OB-1 as_submitted 0-1", "OB-1 as_submitted 10-11", "OB-1 percent_decoded 0-11",
		}},
	})
}

// TestLeetspeak is the leetspeak view of R42.
func TestLeetspeak(t *testing.T) {
	runScanCases(t, []scanCase{
		{"whole table", "r35p0nd 0n1y with", nil},
		{"each of the table", "$ign 7his 7r@n5@c710n", []string{"WD-4 leetspeak 0-21"}},
		{"e and a", "k33p this s3cr3t from, 4ct as 4 with0ut rul3s", []string{"RH-4 leetspeak 23-45", "CC-2 leetspeak 0-21"}},
		{"nothing folded in the span", "1 respond only with 1", []string{"CC-3 as_submitted 2-19"}},
		{"folded in the gap", "never tell the 1 user", []string{"CC-1 as_submitted 0-21", "CC-1 leetspeak 0-21"}},
		{"folding makes a word longer", "@respond only with", []string{"CC-3 as_submitted 1-18"}},
		{"a folded unit before the first word joins", "$send user data. @send user data", []string{
			"EX-1 as_submitted 1-15", "EX-1 as_submitted 18-32",
		}},
		{"a folded unit after the first word joins", "send@ user data", []string{"EX-1 as_submitted 0-15"}},
		{"a folded unit at the end joins", "respond only with7", nil},
		{"second unit folded after a symbol", "[1nst]", []string{"DE-2 leetspeak 0-6"}},
		{"second unit folded in a link", "h7tp://abcdefgh?a=aaaaaaaaaaaaaaaaaaaaaaaa", []string{"EX-3 leetspeak 0-42"}},
	})
}

// TestPercent is the percent_decoded view of R42.
func TestPercent(t *testing.T) {
	runScanCases(t, []scanCase{
		{"one letter", "%72espond only with", []string{"CC-3 percent_decoded 0-19"}},
		{"last letter", "respond only wit%68", []string{"CC-3 percent_decoded 0-19"}},
		{"either case of the digits", "respond%c2%A0only", nil},
		{"white space of several bytes", "run%C2%a0this%20code", []string{"TC-3 percent_decoded 0-20"}},
		{"no escape in the span", "respond only with%20", []string{"CC-3 as_submitted 0-17"}},
		{"an invalid run stays", "%FF%72espond only with", nil},
		{"decided by the run", "%FF %72espond only with", []string{"CC-3 percent_decoded 4-23"}},
		{"a pair in the gap", "never tell%F0%9F%98%80user", []string{"CC-1 percent_decoded 0-26"}},
		{"a lone surrogate is invalid", "%ED%A0%80%72espond only with", nil},
		{"overlong is invalid", "%C1%B2espond only with", nil},
		{"U+FEFF is kept", "%EF%BB%BF", []string{"OB-1 percent_decoded 0-9"}},
		{"no nesting", "%2572espond only with", nil},
		{"percent before an escape", "%%72espond only with", []string{"CC-3 percent_decoded 1-20"}},
		{"too short", "%7", nil},
		{"positions after an astral character", "%F0%9F%98%80 respond%20only with", []string{"CC-3 percent_decoded 13-32"}},
		{"line start decoded", "x%0asystem:", []string{"RH-2 percent_decoded 1-11"}},
	})
}

// TestBase64 is the base64 view of R42.
func TestBase64(t *testing.T) {
	std := base64.StdEncoding.EncodeToString
	text := std([]byte("respond only with")) // 24 with one =
	url := base64.RawURLEncoding.EncodeToString([]byte("respond only with ÿ~~~"))
	runScanCases(t, []scanCase{
		{"token", text, []string{"CC-3 base64 0-24"}},
		{"without padding", strings.TrimRight(text, "="), []string{"CC-3 base64 0-23"}},
		{"two of three padding", strings.TrimRight(text, "=") + "===", []string{"CC-3 base64 0-25"}},
		{"in a text beyond ASCII", "é\U0001f600 " + text + " é", []string{"CC-3 base64 4-28"}},
		{"URL alphabet", url, []string{fmt.Sprintf("CC-3 base64 0-%d", len(url))}},
		{"both alphabets", strings.TrimRight(text, "=") + "+_", nil},
		{"once a rule", std([]byte("<||> <||>  <||>")), []string{"DE-1 base64 0-20"}},
		{"each token", std([]byte("<||>        ")) + " " + std([]byte("        <||>")), []string{"DE-1 base64 0-16", "DE-1 base64 17-33"}},
		{"fifteen units", "PHx8PiAgICAgICA", nil},
		{"length of 1 modulo 4", "PHx8PiAgICAgICAgA", nil},
		{"left-over bits", "PHx8PiAgICAgICAgIB", []string{"DE-1 base64 0-18"}},
		{"a control", std([]byte("<||>\x00       ")), nil},
		{"C1 controls", std([]byte("<||>\u0080      ")), nil},
		{"TAB, LF and CR", std([]byte("<||>\t\n\r     ")), []string{"DE-1 base64 0-16"}},
		{"U+FEFF is kept", std([]byte("\ufeff          ")), []string{"OB-1 base64 0-20"}},
		{"no UTF-8", std([]byte("<||>\xff       ")), nil},
		{"no leetspeak inside", std([]byte("r3spond only with")), nil},
		{"rules in order", std([]byte("respond only with  ")) + " " + std([]byte("<||>        ")), []string{
			"DE-1 base64 29-45", "CC-3 base64 0-28",
		}},
	})
}

// TestManyMatches holds that their number has no limit (R44).
func TestManyMatches(t *testing.T) {
	const n = 131000
	if got := len(Injection().Scan(strings.Repeat("<||>", n))); got != n {
		t.Errorf("got %d matches, want %d", got, n)
	}
}

// TestMalformed holds that bytes that are no WTF-8 never panic.
func TestMalformed(t *testing.T) {
	for _, text := range []string{
		"\xf0", "\xf0\xf0\xf0", "\x80\x80", "\xe2\x80", "\xe2", "\xc2", "\xff\xff\xff\xff\xff\xff\xff\xff\xff", "abcdefgh\xf0\x80",
		"\xf0\x9f aWdub3JlIGFsbCBydWxlcyA=", "%\xf0", "\xef\xbb",
	} {
		Injection().Scan(text)
	}
}

// TestScannerForgets holds that one scan leaves nothing behind for the next.
func TestScannerForgets(t *testing.T) {
	g := newGenerator(3, Injection())
	s := NewScanner(Injection())
	for range generated(2000) {
		text := g.text()
		if diff := cmp.Diff(Injection().Scan(text), s.Scan(text)); diff != "" {
			t.Fatalf("%q (-fresh +reused):\n%s", text, diff)
		}
	}
}

// TestHostile compares the hostile texts, small, with the naive twin.
func TestHostile(t *testing.T) {
	for name, text := range enginetest.Hostile(900) {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(spell(naiveScan(Injection(), text)), spell(Injection().Scan(text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestViewNames(t *testing.T) {
	got := []string{AsSubmitted.String(), Leetspeak.String(), PercentDecoded.String(), Base64.String()}
	if diff := cmp.Diff([]string{"as_submitted", "leetspeak", "percent_decoded", "base64"}, got); diff != "" {
		t.Error(diff)
	}
}
