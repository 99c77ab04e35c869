package screen

import "unicode/utf8"

// wtf8 is the text of UTF-16 code units.
func wtf8(units []uint16) string {
	var out []byte
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		switch {
		case u >= 0xd800 && u < 0xdc00 && i+1 < len(units) && units[i+1]&0xfc00 == 0xdc00:
			i++
			out = utf8.AppendRune(out, 0x10000+(u-0xd800)<<10+rune(units[i])-0xdc00)
		case u >= 0xd800 && u < 0xe000:
			out = append(out, 0xed, byte(0x80|u>>6&0x3f), byte(0x80|u&0x3f))
		default:
			out = utf8.AppendRune(out, u)
		}
	}
	return string(out)
}

// utf16 is the code units of a text in WTF-8.
func utf16(text string) []uint16 {
	var out []uint16
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			r, size = rune(text[i]&0xf)<<12|rune(text[i+1]&0x3f)<<6|rune(text[i+2]&0x3f), 3
		}
		if r >= 0x10000 {
			out = append(out, uint16(0xd7c0+r>>10), uint16(0xdc00+r&0x3ff))
		} else {
			out = append(out, uint16(r))
		}
		i += size
	}
	return out
}
