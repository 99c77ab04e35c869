package seal

import (
	"testing"
	"time"
)

// The naive twin is package time.
func TestInstantAgainstTime(t *testing.T) {
	texts := []string{
		"2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00Z", "2025-12-31T23:59:59.999999999Z", "2024-02-29T12:00:00Z",
		"2026-01-01T02:00:00+02:00", "2025-12-31T19:00:00.5-05:00", "2000-02-29T00:00:00Z", "1900-03-01T00:00:00Z",
		"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-06-15T10:20:30.25Z", "2026-06-15T10:20:30.250000Z",
	}
	for _, a := range texts {
		for _, b := range texts {
			i, ok := parseInstant(a)
			j, ok2 := parseInstant(b)
			x, err := time.Parse(time.RFC3339Nano, a)
			y, err2 := time.Parse(time.RFC3339Nano, b)
			if !ok || !ok2 || err != nil || err2 != nil {
				t.Fatalf("%s, %s: %v %v %v %v", a, b, ok, ok2, err, err2)
			}
			if got, want := i.before(j), x.Before(y); got != want {
				t.Errorf("%s before %s: got %v", a, b, got)
			}
		}
	}
}

func TestInstantsRefused(t *testing.T) {
	for _, text := range []string{
		"", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
		"2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00+2:00", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60", "2026-01-01T00:00:00ZZ", "2026-01-01t00:00:00z", "２026-01-01T00:00:00Z",
	} {
		if i, ok := parseInstant(text); ok {
			t.Errorf("%q is %v", text, i)
		}
		if wellFormedTime(text) {
			t.Errorf("%q is the form of a report", text)
		}
	}
	for text, want := range map[string]bool{
		"2026-01-01T00:00:00.000Z": true, "2026-01-01T00:00:00Z": false, "2026-01-01T00:00:00.0000Z": false, "2026-01-01T00:00:00.000+00:00": false,
	} {
		if got := wellFormedTime(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
