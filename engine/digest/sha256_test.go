package digest

import (
	"crypto/sha256"
	"testing"
)

func TestSHA256AtEveryLength(t *testing.T) {
	data := make([]byte, 2*piece+200)
	for i := range data {
		data[i] = byte(i * 7)
		if i > 300 && i%piece > 70 && i%piece < piece-70 {
			continue // far from where blocks and pieces end
		}
		if got, want := sha256Of(data[:i]), Sum(sha256.Sum256(data[:i])); got != want {
			t.Fatalf("%d bytes: got %s, want %s", i, got.Hex(), want.Hex())
		}
	}
}

func FuzzSHA256(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, want := sha256Of(data), Sum(sha256.Sum256(data)); got != want {
			t.Fatalf("got %s, want %s", got.Hex(), want.Hex())
		}
	})
}

func BenchmarkSHA256(b *testing.B) {
	data := make([]byte, 512<<10)
	for name, sum := range map[string]func([]byte) Sum{
		"ours":     sha256Of,
		"standard": func(data []byte) Sum { return sha256.Sum256(data) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				sum(data)
			}
		})
	}
}
