package jsonvalue

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The naive twin: a recursive reader over UTF-16 code units, written from
// ECMA-262's JSON.parse and JSON.stringify and nothing else.

type naive struct {
	u   []uint16
	pos int
}

type naiveMember struct {
	name  []uint16
	value any
}

type naiveObject []naiveMember

type naiveReject struct{}

func naiveCanonical(src string) (canonical string, ok bool) {
	if !utf8.ValidString(src) {
		return "", false
	}
	n := &naive{u: utf16.Encode([]rune(strings.TrimPrefix(src, "\uFEFF")))}
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(naiveReject); !is {
				panic(r)
			}
			ok = false
		}
	}()
	v := n.value(0)
	n.space()
	n.must(n.pos == len(n.u))
	var b strings.Builder
	naivePrint(&b, v)
	return b.String(), true
}

func (n *naive) must(ok bool) {
	if !ok {
		panic(naiveReject{})
	}
}

func (n *naive) peek() int {
	if n.pos < len(n.u) {
		return int(n.u[n.pos])
	}
	return -1
}

func (n *naive) space() {
	for n.peek() == ' ' || n.peek() == '\t' || n.peek() == '\n' || n.peek() == '\r' {
		n.pos++
	}
}

func (n *naive) take(c int) {
	n.must(n.peek() == c)
	n.pos++
}

func (n *naive) value(depth int) any {
	n.space()
	switch c := n.peek(); {
	case c == '{':
		n.must(depth < MaxDepth)
		return n.object(depth)
	case c == '[':
		n.must(depth < MaxDepth)
		n.pos++
		list := []any{}
		if n.space(); n.peek() == ']' {
			n.pos++
			return list
		}
		for {
			list = append(list, n.value(depth+1))
			n.space()
			if n.peek() != ',' {
				n.take(']')
				return list
			}
			n.pos++
		}
	case c == '"':
		return n.string()
	case c == '-' || c >= '0' && c <= '9':
		return n.number()
	}
	for _, w := range []struct {
		word  string
		value any
	}{{"true", true}, {"false", false}, {"null", nil}} {
		if strings.HasPrefix(string(utf16.Decode(n.u[n.pos:min(len(n.u), n.pos+5)])), w.word) {
			n.pos += len(w.word)
			return w.value
		}
	}
	panic(naiveReject{})
}

func (n *naive) object(depth int) any {
	n.take('{')
	o := naiveObject{}
	if n.space(); n.peek() == '}' {
		n.pos++
		return o
	}
	for {
		n.space()
		name := n.string()
		n.space()
		n.take(':')
		value := n.value(depth + 1)
		at := slices.IndexFunc(o, func(m naiveMember) bool { return slices.Equal(m.name, name) })
		if at < 0 {
			o = append(o, naiveMember{name, value})
		} else {
			o[at].value = value
		}
		n.space()
		if n.peek() != ',' {
			n.take('}')
			return o
		}
		n.pos++
	}
}

func (n *naive) string() []uint16 {
	n.take('"')
	out := []uint16{}
	for {
		c := n.peek()
		n.must(c >= 0x20)
		n.pos++
		switch c {
		case '"':
			return out
		case '\\':
			e := n.peek()
			n.pos++
			at := strings.IndexRune(`"\/bfnrt`, rune(e))
			switch {
			case e == 'u':
				n.must(n.pos+4 <= len(n.u))
				h := string(utf16.Decode(n.u[n.pos : n.pos+4]))
				v, err := strconv.ParseUint(h, 16, 16)
				n.must(err == nil && len(h) == 4 && !strings.ContainsAny(h, "+-_"))
				n.pos += 4
				out = append(out, uint16(v))
			default:
				n.must(e >= 0 && at >= 0)
				out = append(out, uint16("\"\\/\b\f\n\r\t"[at]))
			}
		default:
			out = append(out, uint16(c))
		}
	}
}

func (n *naive) number() any {
	start := n.pos
	digits := func() {
		n.must(n.peek() >= '0' && n.peek() <= '9')
		for n.peek() >= '0' && n.peek() <= '9' {
			n.pos++
		}
	}
	if n.peek() == '-' {
		n.pos++
	}
	if n.peek() == '0' {
		n.pos++
	} else {
		digits()
	}
	if n.peek() == '.' {
		n.pos++
		digits()
	}
	if n.peek() == 'e' || n.peek() == 'E' {
		n.pos++
		if n.peek() == '+' || n.peek() == '-' {
			n.pos++
		}
		digits()
	}
	f, _ := strconv.ParseFloat(string(utf16.Decode(n.u[start:n.pos])), 64)
	return f
}

func naivePrint(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case float64:
		b.WriteString(naiveNumber(v))
	case []uint16:
		naiveQuote(b, v)
	case []any:
		for i, e := range v {
			b.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
			naivePrint(b, e)
		}
		b.WriteString(map[bool]string{true: "[]", false: "]"}[len(v) == 0])
	case naiveObject:
		slices.SortFunc(v, func(a, b naiveMember) int { return slices.Compare(a.name, b.name) })
		for i, m := range v {
			b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
			naiveQuote(b, m.name)
			b.WriteByte(':')
			naivePrint(b, m.value)
		}
		b.WriteString(map[bool]string{true: "{}", false: "}"}[len(v) == 0])
	}
}

func naiveQuote(b *strings.Builder, u []uint16) {
	b.WriteByte('"')
	for i := 0; i < len(u); i++ {
		c := u[i]
		switch at := strings.IndexRune("\b\f\n\r\t\"\\", rune(c)); {
		case c < 0x80 && at >= 0:
			b.WriteString(`\` + `bfnrt"\`[at:at+1])
		case c < 0x20:
			fmt.Fprintf(b, `\u%04x`, c)
		case c < 0xD800 || c > 0xDFFF:
			b.WriteRune(rune(c))
		case c < 0xDC00 && i+1 < len(u) && u[i+1] >= 0xDC00 && u[i+1] <= 0xDFFF:
			b.WriteRune(utf16.DecodeRune(rune(c), rune(u[i+1])))
			i++
		default:
			fmt.Fprintf(b, `\u%04x`, c)
		}
	}
	b.WriteByte('"')
}

// naiveNumber is Number::toString by the steps of ECMA-262 (6.1.6.1.20): n, k
// and s from the shortest digits, then the cases in their order.
func naiveNumber(f float64) string {
	switch {
	case math.IsInf(f, 0):
		return "null"
	case f == 0:
		return "0"
	case f < 0:
		return "-" + naiveNumber(-f)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	s := strings.ReplaceAll(mantissa, ".", "")
	e, _ := strconv.Atoi(exponent)
	k, n := len(s), e+1
	switch {
	case k <= n && n <= 21:
		return s + strings.Repeat("0", n-k)
	case 0 < n && n <= 21:
		return s[:n] + "." + s[n:]
	case -6 < n && n <= 0:
		return "0." + strings.Repeat("0", -n) + s
	}
	sign := "+"
	if n-1 < 0 {
		sign = "-"
	}
	tail := fmt.Sprintf("e%s%d", sign, max(n-1, 1-n))
	if k == 1 {
		return s + tail
	}
	return s[:1] + "." + s[1:] + tail
}

// naiveSameDecimal compares by exact rational arithmetic.
func naiveSameDecimal(a, b string) bool {
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)
	return x.Cmp(y) == 0
}
