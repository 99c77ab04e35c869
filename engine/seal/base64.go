package seal

import "strings"

// The standard alphabet, decoded strictly. (encoding/base64 brings reflect into
// the bundle.)

const (
	standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	urlSafe  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// decodeBase64 decodes exactly n bytes in an alphabet, with padding in the
// standard one and without it in the URL one. One text stands for one value:
// left-over bits must be zero.
func decodeBase64(text, alphabet string, n int) ([]byte, bool) {
	digits := (n*8 + 5) / 6
	want := digits
	if alphabet == standard {
		want = (n + 2) / 3 * 4
	}
	if len(text) != want {
		return nil, false
	}
	for i := digits; i < want; i++ {
		if text[i] != '=' {
			return nil, false
		}
	}
	out := make([]byte, 0, n)
	bits, count := uint32(0), 0
	for i := range digits {
		d := strings.IndexByte(alphabet, text[i])
		if d < 0 {
			return nil, false
		}
		bits = bits<<6 | uint32(d)
		if count += 6; count >= 8 {
			count -= 8
			out = append(out, byte(bits>>count))
			bits &= 1<<count - 1
		}
	}
	return out, bits == 0
}

func encodeURL(data []byte) string {
	return string(appendURL(make([]byte, 0, (len(data)*8+5)/6), data))
}

// appendURL encodes without padding.
func appendURL(out, data []byte) []byte { return appendDigits(out, data, urlSafe) }

// encodeStandard encodes with padding.
func encodeStandard(data []byte) string {
	out := appendDigits(make([]byte, 0, (len(data)+2)/3*4), data, standard)
	for len(out)%4 != 0 {
		out = append(out, '=')
	}
	return string(out)
}

func appendDigits(out, data []byte, alphabet string) []byte {
	bits, count := uint32(0), 0
	for _, c := range data {
		bits = bits<<8 | uint32(c)
		for count += 8; count >= 6; {
			count -= 6
			out = append(out, alphabet[bits>>count&63])
		}
		bits &= 1<<count - 1
	}
	if count > 0 {
		out = append(out, alphabet[bits<<(6-count)&63])
	}
	return out
}
