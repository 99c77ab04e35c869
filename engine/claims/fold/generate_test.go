package fold

import (
	"bufio"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// TestWriteTables writes tables.go when it is given a list of the confusables'
// prototypes: lines of a character and its prototype's characters, in
// hexadecimal digits. README.md says how the list is made.
var prototypes = flag.String("prototypes", "", "file of prototypes from which tables.go is written")

func TestWriteTables(t *testing.T) {
	if *prototypes == "" {
		t.Skip("writes tables.go; runs only when it is given -prototypes")
	}
	lookalikes := readPrototypes(t, *prototypes)
	var decomposed, confused []entry
	var runs []classRun
	for r := range characters {
		if Hidden(r) || r >= 0xD800 && r <= 0xDFFF || r >= hangulBase && r < hangulBase+hangulCount {
			continue
		}
		own := string(r)
		if d := norm.NFKD.String(own); d != own {
			decomposed = append(decomposed, entry{r, []rune(d)})
		} else if f := fixpoint(own, lookalikes); f != own {
			confused = append(confused, entry{r, []rune(f)})
		}
		if c := norm.NFKD.PropertiesString(own).CCC(); c != 0 {
			if n := len(runs); n > 0 && runs[n-1].class == c && runs[n-1].last == uint32(r)-1 {
				runs[n-1].last++
				runs[n-1].length++
			} else {
				runs = append(runs, classRun{uint32(r), 1, c})
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package fold\n\n// Written by TestWriteTables from Unicode %s (normalisation) and 15.0.0 (confusables). Do not edit.\n\n", norm.Version)
	writeASCII(&b, confused)
	fmt.Fprintf(&b, "// decompositions are the full compatibility decompositions, without Hangul's: %d entries.\n", len(decomposed))
	writeMapping(&b, "decompositions", decomposed)
	fmt.Fprintf(&b, "// confusables are the prototypes, decomposed, of characters that do not decompose: %d entries.\n", len(confused))
	writeMapping(&b, "confusables", confused)
	fmt.Fprintf(&b, "// classes are the canonical combining classes other than 0.\nvar classes = [...]classRun{\n")
	for i, c := range runs {
		sep := " "
		if i%8 == 0 {
			sep = "\t"
		}
		fmt.Fprintf(&b, "%s{%#x, %d, %d},", sep, c.last, c.length, c.class)
		if i%8 == 7 || i == len(runs)-1 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("}\n")
	if err := os.WriteFile("tables.go", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

type entry struct {
	from rune
	to   []rune
}

func readPrototypes(t *testing.T, name string) map[rune]string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[rune]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var runes []rune
		for _, f := range strings.Fields(lines.Text()) {
			v, err := strconv.ParseUint(f, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			runes = append(runes, rune(v))
		}
		all[runes[0]] = string(runes[1:])
	}
	return all
}

// fixpoint replaces and decomposes until nothing changes, so that a skeleton is
// its own skeleton.
func fixpoint(text string, lookalikes map[rune]string) string {
	for range 8 {
		var b strings.Builder
		for _, r := range text {
			if Hidden(r) && r >= 0x80 {
				continue
			}
			if p, ok := lookalikes[r]; ok {
				b.WriteString(p)
			} else {
				b.WriteRune(r)
			}
		}
		next := norm.NFKD.String(b.String())
		if next == text {
			return text
		}
		text = next
	}
	panic("the prototypes of " + strconv.QuoteToASCII(text) + " go in a circle")
}

func writeASCII(b *bytes.Buffer, confused []entry) {
	var bits [4]uint32
	for _, e := range confused {
		if e.from < 0x80 {
			bits[e.from>>5] |= 1 << (e.from & 31)
		}
	}
	fmt.Fprintf(b, "// confusedASCII has a bit for each ASCII character that has a prototype.\nvar confusedASCII = [...]uint32{%#x, %#x, %#x, %#x}\n\n", bits[0], bits[1], bits[2], bits[3])
}

func writeMapping(b *bytes.Buffer, name string, entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.from, b.from) })
	var blocks []block
	var data []byte
	for run := range slices.Chunk(entries, blockEntries) {
		blocks = append(blocks, block{uint32(run[0].from), uint32(run[len(run)-1].from), uint32(len(data))})
		data = appendNumber(data, uint32(len(run)))
		before := run[0].from
		for _, e := range run {
			data = appendNumber(data, uint32(e.from-before))
			before = e.from
		}
		for _, e := range run {
			data = appendNumber(data, uint32(len(e.to)))
		}
		var target [longest]rune
		for _, e := range run {
			for k, r := range e.to {
				step := r - target[k]
				data = appendNumber(data, uint32(step<<1^step>>31))
				target[k] = r
			}
		}
	}
	fmt.Fprintf(b, "var %s = mapping{\n\tblocks: []block{\n", name)
	for i, k := range blocks {
		sep := " "
		if i%8 == 0 {
			sep = "\t\t"
		}
		fmt.Fprintf(b, "%s{%#x, %#x, %d},", sep, k.first, k.last, k.offset)
		if i%8 == 7 || i == len(blocks)-1 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("\t},\n\tdata: \"\" +\n")
	const line = 48
	for i := 0; i < len(data); i += line {
		end := min(i+line, len(data))
		b.WriteString("\t\t\"")
		for _, c := range data[i:end] {
			fmt.Fprintf(b, "\\x%02x", c)
		}
		b.WriteString("\"")
		if end < len(data) {
			b.WriteString(" +")
		}
		b.WriteByte('\n')
	}
	b.WriteString("}\n\n")
	b.Truncate(b.Len() - 4)
	b.WriteString(",\n}\n\n")
}

func appendNumber(data []byte, v uint32) []byte {
	for v >= 0x80 {
		data = append(data, byte(v)|0x80)
		v >>= 7
	}
	return append(data, byte(v))
}
