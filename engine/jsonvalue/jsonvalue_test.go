package jsonvalue

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

func canonical(t *testing.T, src string) string {
	t.Helper()
	d, err := Parse(src)
	if err != nil {
		t.Fatalf("Parse(%q): %v", src, err)
	}
	return string(d.Root().AppendCanonical(nil))
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"white space", " \t\r\n[ 1 , 2 ] ", "[1,2]"},
		{"order by code units", `{"\uFB33":1,"😀":2,"\ud83d":3,"a":4}`, "{\"a\":4,\"\\ud83d\":3,\"😀\":2,\"\uFB33\":1}"},
		{"integer-like names", `{"9":1,"10":2}`, `{"10":2,"9":1}`},
		{"the last member counts", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{"repeated under two spellings", `{"a":1,"\u0061":2}`, `{"a":2}`},
		{"proto is a member", `{"__proto__":1,"constructor":2}`, `{"__proto__":1,"constructor":2}`},
		{"escapes", `"\u0041\/\u000A\u001F\u007f\u2028\"\\\b\f\n\r\t\u000b"`, "\"A/\\n\\u001f\u007f\u2028\\\"\\\\\\b\\f\\n\\r\\t\\u000b\""},
		{"surrogate pair joined", `"\uD83D\uDE00"`, `"😀"`},
		{"lone surrogates", `"\uD83D \uDE00\uD83Dx"`, `"\ud83d \ude00\ud83dx"`},
		{"high high low", `"\ud83d\ud83d\ude00"`, `"\ud83d😀"`},
		{"numbers", `[-0,1e400,-1e400,1.0,1e21,1e-7,0.000001,9007199254740993,1E2]`, `[0,null,null,1,1e+21,1e-7,0.000001,9007199254740992,100]`},
		{"byte order mark", "\uFEFF{}", "{}"},
		{"literals", `[true,false,null,"",{},[]]`, `[true,false,null,"",{},[]]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := canonical(t, c.src); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if twin, ok := naiveCanonical(c.src); !ok || twin != c.want {
				t.Errorf("the naive twin says %q, %v", twin, ok)
			}
		})
	}
}

// Names are told apart by their first eight bytes where those are ASCII, and few
// are ordered by another sort than many.
func TestOrderOfNames(t *testing.T) {
	pool := []string{"", "a", "b", `a\u0000`, "same-head-1", "same-head-2", "same-hea", "same-hea\\u0000", "é", "é1", "z", "\uFB33", "😀", `\ud83d`, `\ud83d\ude00`, `\u0061`, "sameé", "same\uE000", "same😀"}
	r := rand.New(rand.NewPCG(5, 6))
	for range 5_000 {
		var b strings.Builder
		for i := range r.IntN(2 * fewNames) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + pool[r.IntN(len(pool))] + `":` + strconv.Itoa(i))
		}
		src := "{" + b.String() + "}"
		want, ok := naiveCanonical(src)
		if got := canonical(t, src); !ok || got != want {
			t.Fatalf("%s\ngot  %s\nwant %s", src, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, src    string
		class        Class
		line, column int
	}{
		{"empty", "", Empty, 0, 0},
		{"white space only", " \r\n\t", Empty, 0, 0},
		{"trailing comma in array", "[1,\r\n]", Syntax, 2, 1},
		{"trailing comma in object", `{"a":1,}`, Syntax, 1, 8},
		{"comment", "// x\n{}", Syntax, 1, 1},
		{"single quotes", "{'a':1}", Syntax, 1, 2},
		{"leading zero", "[01]", Syntax, 1, 3},
		{"no fraction", "[1.]", Syntax, 1, 4},
		{"no exponent", "[1e+]", Syntax, 1, 5},
		{"lone minus", "[-]", Syntax, 1, 3},
		{"plus", "[+1]", Syntax, 1, 2},
		{"NaN", "[NaN]", Syntax, 1, 2},
		{"no-break space", "[\u00A01]", Syntax, 1, 2},
		{"mark in the middle", "[\uFEFF1]", Syntax, 1, 2},
		{"raw control", "\"a\x01\"", Syntax, 1, 3},
		{"raw tab", "\"é\t\"", Syntax, 1, 3},
		{"bad escape", `"\x41"`, Syntax, 1, 3},
		{"short unicode escape", `"\u12G4"`, Syntax, 1, 6},
		{"unterminated string", "\n\"abc", Syntax, 2, 5},
		{"unterminated escape", `"\`, Syntax, 1, 3},
		{"unterminated array", "[1", Syntax, 1, 3},
		{"unterminated object", `{"a"`, Syntax, 1, 5},
		{"second document", "{}\n{}", Syntax, 2, 1},
		{"shortened literal", "nul", Syntax, 1, 4},
		{"wrong bracket", `[1}`, Syntax, 1, 3},
		{"missing colon", `{"a" 1}`, Syntax, 1, 6},
		{"1,001 levels", strings.Repeat("[", 1001), Depth, 1, 1001},
		{"invalid UTF-8", "[\"a\xff\"]", Encoding, 1, 4},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", Encoding, 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.src)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *Error", err)
			}
			got := []any{e.Class, e.Line, e.Column}
			if diff := cmp.Diff([]any{c.class, c.line, c.column}, got); diff != "" {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
			if _, ok := naiveCanonical(c.src); ok {
				t.Error("the naive twin accepts it")
			}
		})
	}
}

func TestDepthLimit(t *testing.T) {
	if got := canonical(t, strings.Repeat("[", 1000)+strings.Repeat("]", 1000)); len(got) != 2000 {
		t.Errorf("1,000 levels: %d bytes", len(got))
	}
}

func TestNotes(t *testing.T) {
	type note struct {
		Code, Pointer string
		Line, Column  int
	}
	for _, c := range []struct {
		name, src string
		want      []note
	}{
		{"none", `[0.1,1.0,-0,-0.0,1e2,0e999999999999999999999,100000000000000000000,5e-324,1e21]`, nil},
		{"not exact", `{"a":[1,9007199254740993]}`, []note{{NumberNotExact, "/a/1", 1, 9}}},
		{"underflow", `[1e-400]`, []note{{NumberNotExact, "/0", 1, 2}}},
		{"overflow alone", `[1e400,-1e99999999999999999999]`, []note{{NumberOverflow, "/0", 1, 2}, {NumberOverflow, "/1", 1, 8}}},
		{"duplicates in place order", "{\"b\":1,\"a/~\":{\"x\":1,\n\"x\":2},\"b\":3}", []note{{DuplicateMember, "/a~1~0/x", 2, 1}, {DuplicateMember, "/b", 2, 8}}},
		{"inside the value of a repeated member", `[{},{"k":1,"k":{"n":1e999}}]`, []note{{DuplicateMember, "/1/k", 1, 12}, {NumberOverflow, "/1/k/n", 1, 21}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Parse(c.src)
			if err != nil {
				t.Fatal(err)
			}
			var got []note
			for _, n := range d.Notes() {
				got = append(got, note{n.Code, n.Pointer, n.Line, n.Column})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestNotesAreBounded(t *testing.T) {
	deep := strings.Repeat(`{"`+strings.Repeat("k", 3000)+`":`, 900) + "[" + strings.Repeat("1e400,", 5000) + "1]" + strings.Repeat("}", 900)
	d, err := Parse(deep)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range d.Notes() {
		total += len(n.Pointer)
	}
	if total > 2*maxNoteBytes+3000*1000 || len(d.Notes()) > maxNotes {
		t.Errorf("%d notes of %d bytes", len(d.Notes()), total)
	}
	if last := d.Notes()[len(d.Notes())-1].Message; !strings.Contains(last, "more notes like these") {
		t.Errorf("the last note does not count the others: %s", last)
	}
}

func TestGet(t *testing.T) {
	d, err := Parse(`{"z":{"a":[10,"x"],"a":null},"":0}`)
	if err != nil {
		t.Fatal(err)
	}
	root := d.Root()
	if k := root.Get("z").Get("a").Kind(); k != Null {
		t.Errorf("z.a is of kind %d, want null", k)
	}
	if !root.Get("").Exists() || root.Get("y").Exists() || root.Get("z").Get("a").Get("b").Exists() {
		t.Error("presence is wrong")
	}
	if root.Len() != 2 || root.Get("z").Len() != 1 {
		t.Error("a repeated name counts once")
	}
}

func TestGetAmongFewAndMany(t *testing.T) {
	for n := range 3 * fewMembers {
		var b Builder
		b.Begin('{')
		for i := range n {
			b.Name("k" + strconv.Itoa(i))
			b.Int(i)
		}
		b.End('}')
		d, err := Parse(string(b.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		for i := range n + 1 {
			v := d.Root().Get("k" + strconv.Itoa(i))
			if v.Exists() != (i < n) || v.Exists() && v.Source() != strconv.Itoa(i) {
				t.Errorf("k%d of %d: %q", i, n, v.Source())
			}
		}
	}
}

// A document may be borrowed for a call: what an error keeps must be a copy.
func TestAnErrorKeepsNothingOfTheDocument(t *testing.T) {
	src := strings.Repeat(" ", 100) + "[1,,2]"
	_, err := Parse(src)
	var e *Error
	if !errors.As(err, &e) || e.Excerpt == "" {
		t.Fatalf("got %v, want an *Error with an excerpt", err)
	}
	from := uintptr(unsafe.Pointer(unsafe.StringData(src)))
	if at := uintptr(unsafe.Pointer(unsafe.StringData(e.Excerpt))); at >= from && at < from+uintptr(len(src)) {
		t.Error("the excerpt is a slice of the document")
	}
}

func TestNumbersAgainstTheSpecification(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) {
			continue
		}
		if got, want := string(AppendNumber(nil, f)), naiveNumber(f); got != want {
			t.Fatalf("%b: got %s, want %s", f, got, want)
		}
	}
}

func TestSmallIntegersAreRead(t *testing.T) {
	for _, text := range []string{"0", "7", "10", "999999999999999", "9999999999999999", "-0", "-1", "1.0", "1e3", "9007199254740993"} {
		want, err := strconv.ParseFloat(text, 64)
		if got := parseFloat(text); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: got %v, want %v, %v", text, got, want, err)
		}
	}
}

func TestCompareUTF16(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pool := []uint16{'a', 'b', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD83D, 0xD800, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF, 0xE000, 0xFB33, 0xFFFF}
	draw := func() ([]uint16, string) {
		var u []uint16
		var text []byte
		for range r.IntN(4) {
			u = append(u, pool[r.IntN(len(pool))])
		}
		for i := 0; i < len(u); i++ {
			if i+1 < len(u) && utf16.DecodeRune(rune(u[i]), rune(u[i+1])) != '\uFFFD' {
				text = append(text, string(utf16.DecodeRune(rune(u[i]), rune(u[i+1])))...)
				i++
				continue
			}
			text = appendUnit(text, int(u[i]))
		}
		return u, string(text)
	}
	for range 200_000 {
		ua, a := draw()
		ub, b := draw()
		if got, want := sign(CompareUTF16(a, b)), slices.Compare(ua, ub); got != want {
			t.Fatalf("%x, %x: got %d, want %d", ua, ub, got, want)
		}
		if UTF16Len(a) != len(ua) {
			t.Fatalf("%x: length %d", ua, UTF16Len(a))
		}
	}
}

func sign(n int) int { return min(1, max(-1, n)) }

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e3,"\ud83d\ude00\u00e9"],"a":null}`, "[01]", "\"\\ud800\"", "{\"\uFB33\":1,\"😀\":2}", "\uFEFF[]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		want, ok := naiveCanonical(src)
		d, err := Parse(src)
		if (err == nil) != ok {
			t.Fatalf("%q: error %v, the naive twin accepts: %v", src, err, ok)
		}
		if !ok {
			return
		}
		got := string(d.Root().AppendCanonical(nil))
		if got != want {
			t.Fatalf("%q:\ngot  %s\nwant %s", src, got, want)
		}
		again, err := Parse(got)
		if err != nil || string(again.Root().AppendCanonical(nil)) != got {
			t.Fatalf("%q: not idempotent: %v", got, err)
		}
	})
}

func FuzzSameDecimal(f *testing.F) {
	f.Add("1", "1.0")
	f.Add("9007199254740993", "9007199254740992")
	f.Add("-0.00120e5", "-120")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range []string{a, b} {
			d, err := Parse(s)
			if err != nil || d.Root().Kind() != Number || d.Root().Source() != s || len(s) > 40 {
				return
			}
			if e := strings.IndexAny(s, "eE"); e >= 0 && len(s)-e > 5 {
				return
			}
		}
		if got, want := SameDecimal(a, b), naiveSameDecimal(a, b); got != want {
			t.Fatalf("%s, %s: got %v, want %v", a, b, got, want)
		}
	})
}
