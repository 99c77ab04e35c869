package jsonvalue

import (
	"bytes"
	"strconv"
)

// maxSafeDigits is the number of decimal digits that every double holds
// exactly: a plain integer of at most so many is printed as it is written.
const maxSafeDigits = 15

// Float returns a number as JavaScript holds it: the nearest double, an
// infinity when the text is beyond the largest. It is 0 for everything else.
func (v Value) Float() float64 {
	if v.Kind() != Number {
		return 0
	}
	return parseFloat(v.Source())
}

func parseFloat(text string) float64 {
	if n, whole := smallInt(text); whole {
		return float64(n)
	}
	// The grammar is checked already, so the only error left is a range error,
	// and then the infinity is the answer (R5).
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// smallInt reads what is nothing but digits, and few enough that every double
// holds them: most numbers of a document.
func smallInt(text string) (n int64, ok bool) {
	if len(text) > maxSafeDigits {
		return 0, false
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return 0, false
		}
		n = n*10 + int64(text[i]-'0')
	}
	return n, true
}

// AppendNumber appends a double as JSON.stringify prints it (ECMAScript
// Number::toString; an infinity prints null, -0 prints 0).
func AppendNumber(dst []byte, f float64) []byte {
	switch {
	case f != f || f > maxFloat || f < -maxFloat:
		return append(dst, "null"...)
	case f == 0:
		return append(dst, '0')
	}
	if abs := max(f, -f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go writes at least two digits of exponent, ECMAScript as few as there are.
	e := from + bytes.IndexByte(dst[from:], 'e')
	if dst[e+2] == '0' {
		dst = append(dst[:e+2], dst[e+3:]...)
	}
	return dst
}

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))

// SameDecimal reports whether two JSON numbers have one mathematical value, as
// 1 and 1.0 and 10e-1 have, whatever double they would be rounded to.
func SameDecimal(a, b string) bool {
	if a == b {
		return true
	}
	x, y := decimalOf(a), decimalOf(b)
	return x.negative == y.negative && x.exponent == y.exponent && bytes.Equal(x.digits, y.digits)
}

// decimal is 0.d1d2d3… × 10^exponent with neither leading nor trailing zeros;
// zero has no digits, no sign and the exponent 0.
type decimal struct {
	negative bool
	digits   []byte
	exponent int64
}

// exponentLimit saturates exponents: far beyond every double, and far below
// what an int64 holds even after the digits of a document are added.
const exponentLimit = 1 << 50

func decimalOf(text string) decimal {
	var d decimal
	i := 0
	if text[0] == '-' {
		d.negative = true
		i++
	}
	fraction := false
	for ; i < len(text) && text[i] != 'e' && text[i] != 'E'; i++ {
		switch c := text[i]; {
		case c == '.':
			fraction = true
		case c == '0' && len(d.digits) == 0:
			if fraction {
				d.exponent--
			}
		default:
			d.digits = append(d.digits, c)
			if !fraction {
				d.exponent++
			}
		}
	}
	d.digits = bytes.TrimRight(d.digits, "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	if i < len(text) {
		d.exponent += exponentOf(text[i+1:])
	}
	return d
}

func exponentOf(text string) int64 {
	sign := int64(1)
	switch text[0] {
	case '-':
		sign = -1
		text = text[1:]
	case '+':
		text = text[1:]
	}
	var n int64
	for i := 0; i < len(text) && n < exponentLimit; i++ {
		n = n*10 + int64(text[i]-'0')
	}
	return sign * min(n, exponentLimit)
}
