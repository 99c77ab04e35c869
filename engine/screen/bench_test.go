package screen

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/manifestseal/manifestseal/engine/enginetest"
)

const corpus = "../../../shared/corpus/benign/real_descriptions.jsonl"

// ordinary are real descriptions where the corpus is at hand.
func ordinary(tb testing.TB) []string {
	f, err := os.Open(corpus)
	if err != nil {
		tb.Skip("no corpus: ", err)
	}
	defer f.Close()
	var out []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var row struct{ Description string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			tb.Fatal(err)
		}
		out = append(out, row.Description)
	}
	return out
}

// BenchmarkOrdinary is the time of all real descriptions, with one scanner for all as a report has, and with one each.
func BenchmarkOrdinary(b *testing.B) {
	texts := ordinary(b)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.Run("scanner", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		s := NewScanner(Injection())
		for b.Loop() {
			for _, text := range texts {
				s.Scan(text)
			}
		}
	})
	b.Run("apart", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range texts {
				Injection().Scan(text)
			}
		}
	})
}

// hostileSize is the length in units for which R44 sets the time.
const hostileSize = 512 << 10

func BenchmarkHostile(b *testing.B) {
	for name, text := range enginetest.Hostile(hostileSize) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Injection().Scan(text)
			}
		})
	}
}
