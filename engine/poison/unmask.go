package poison

import (
	"strings"
	"unicode/utf8"
)

const ruleLookalikeText = "lookalike-text"

// posing are Cyrillic and Greek letters that look like the ASCII letter behind each.
const posing = "аaвbеeіiјjкkоoрpсcѕsтtуyхxһhԁdԛqԝwАAВBЕEІIЈJКKМMНHОOРPСCЅSТTУYХXΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvρpιi"

// unmask spells the letters of a text that pose as ASCII as what they pose as: the full-width and mathematical alphabets,
// and inside a word that has ASCII letters as well, Cyrillic and Greek. It says whether there were any, and which words
// mix scripts.
func unmask(text string) (plain string, mixed []string, ok bool) {
	if !mayHide(text) {
		return text, nil, false
	}
	out := make([]byte, 0, len(text))
	word, ascii, posed := 0, false, false // where the word at hand begins in out; what it has
	raw := 0
	end := func(at int) {
		if posed && ascii {
			plain := poseAll(out[word:])
			out = append(out[:word], plain...)
			mixed = append(mixed, text[raw:at])
			ok = true
		}
	}
	for i, r := range text {
		switch {
		case r < 0x80 && isLetter(byte(r)):
			ascii = true
			out = append(out, byte(r))
			continue
		case r >= 0x370 && r <= 0x52F:
			posed = posed || strings.ContainsRune(posing, r)
			out = utf8.AppendRune(out, r)
			continue
		}
		end(i)
		_, size := utf8.DecodeRuneInString(text[i:]) // 1 for a byte of a lone surrogate
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			out, ok = append(out, byte(r-0xFEE0)), true
		case r >= 0x1D400 && r <= 0x1D6A3:
			out, ok = append(out, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[(r-0x1D400)%52]), true
		default:
			out = append(out, text[i:i+size]...)
		}
		word, raw, ascii, posed = len(out), i+size, false, false
	}
	end(len(text))
	return string(out), mixed, ok
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// poseAll spells every posing letter of a word as ASCII.
func poseAll(word []byte) []byte {
	var out []byte
	for _, r := range string(word) {
		if at := strings.IndexRune(posing, r); r >= 0x80 && at >= 0 {
			out = append(out, posing[at+utf8.RuneLen(r)])
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}
