package jsonvalue

import (
	"strconv"
	"strings"
	"testing"
)

// benchDocument is a manifest-like document of about 512 KiB.
func benchDocument() string {
	var b strings.Builder
	b.WriteString(`{"tools":[`)
	for i := range 265 {
		if i > 0 {
			b.WriteByte(',')
		}
		n := strconv.Itoa(i)
		b.WriteString("\n  {\"name\": \"tool_" + n + "\", \"description\": \"" + strings.Repeat("Reads a record and tells what it holds.\\nNothing is written. ", 20) +
			"\", \"inputSchema\": {\"type\": \"object\", \"properties\": {")
		for k := range 8 {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n    \"p" + strconv.Itoa(k) + "\": {\"type\": \"string\", \"description\": \"The parameter of that number, as the server names it.\", \"maxLength\": " + n + "}")
		}
		b.WriteString(`}, "required": ["p0"]}, "annotations": {"readOnlyHint": true}}`)
	}
	b.WriteString("]}")
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	src := benchDocument()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	d, err := Parse(benchDocument())
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 0, 1<<20)
	b.SetBytes(int64(len(d.src)))
	for b.Loop() {
		buf = d.Root().AppendCanonical(buf[:0])
	}
}
