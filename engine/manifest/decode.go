package manifest

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Decode returns a document's text, and a note (with a code) where it was not
// UTF-8. Encodings are told apart by their first bytes, UTF-32 before UTF-16,
// whose little-endian marks begin alike.
func Decode(data []byte, mode Mode) (string, jsonvalue.Note, error) {
	return decode(string(data), mode)
}

func decode(data string, mode Mode) (string, jsonvalue.Note, error) {
	head := data[:min(len(data), 4)]
	switch {
	case head == "\xFF\xFE\x00\x00" || head == "\x00\x00\xFE\xFF":
		return "", jsonvalue.Note{}, encodingError("utf32", "the document is UTF-32, which is not read", "Save it as UTF-8.")
	case strings.HasPrefix(head, "\xFF\xFE"), strings.HasPrefix(head, "\xFE\xFF"):
		if mode == Wire {
			return "", jsonvalue.Note{}, encodingError("utf16", "the document is UTF-16; only UTF-8 is accepted here", "Save it as UTF-8.")
		}
		text, err := decodeUTF16(data[2:], data[0] == 0xFE)
		note := jsonvalue.Note{Code: UTF16, Position: jsonvalue.Position{Line: 1, Column: 1}, Message: "The document is UTF-16 (what > writes in Windows PowerShell); it was read as such."}
		return text, note, err
	case strings.HasPrefix(head, "\x1F\x8B"):
		return "", jsonvalue.Note{}, encodingError("gzip", "the document is compressed with gzip", "Decompress it first: gunzip.")
	case strings.HasPrefix(head, "PK\x03\x04"):
		return "", jsonvalue.Note{}, encodingError("zip", "the document is a ZIP archive", "Take the manifest out of it first.")
	}
	return data, jsonvalue.Note{}, nil
}

func encodingError(code, message, advice string) error {
	return &jsonvalue.Error{Class: jsonvalue.Encoding, Code: code, Message: message, Advice: advice}
}

func decodeUTF16(data string, bigEndian bool) (string, error) {
	if len(data)%2 != 0 {
		return "", encodingError("invalid_utf16", "the document is UTF-16 with half a character at its end", "Copy it again to its end, or save it as UTF-8.")
	}
	unit := func(i int) rune {
		if bigEndian {
			return rune(data[i])<<8 | rune(data[i+1])
		}
		return rune(data[i+1])<<8 | rune(data[i])
	}
	text := make([]byte, 0, len(data)/2+len(data)/8)
	for i := 0; i < len(data); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			if i+2 < len(data) {
				r = utf16.DecodeRune(r, unit(i+2))
				i += 2
			} else {
				r = utf8.RuneError
			}
			if r == utf8.RuneError {
				e := &jsonvalue.Error{Class: jsonvalue.Encoding, Code: "invalid_utf16", Message: "the document is not valid UTF-16: half of a surrogate pair stands alone", Advice: "Save it as UTF-8."}
				return "", e.At(string(text), len(text))
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return string(text), nil
}
