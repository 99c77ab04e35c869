package static

import "testing"

func TestNegotiate(t *testing.T) {
	all := map[string][]byte{"": nil, "br": nil, "gzip": nil}
	plain := map[string][]byte{"": nil}
	tests := []struct {
		name   string
		accept []string
		have   map[string][]byte
		want   string
	}{
		{"browser", []string{"gzip, deflate, br, zstd"}, all, "br"},
		{"no header", nil, all, ""},
		{"empty header", []string{""}, all, ""},
		{"gzip only", []string{"gzip"}, all, "gzip"},
		{"old name of gzip", []string{"x-gzip"}, all, "gzip"},
		{"upper case", []string{"BR"}, all, "br"},
		{"weights", []string{"br;q=0.5, gzip;q=0.8"}, all, "gzip"},
		{"spaces and case in weights", []string{"br ; Q=0.2 , gzip ; q=0.1"}, all, "br"},
		{"br excluded", []string{"br;q=0, gzip"}, all, "gzip"},
		{"br excluded, star", []string{"br;q=0, *"}, all, "gzip"},
		{"star", []string{"*"}, all, "br"},
		{"star excluded", []string{"gzip;q=0.3, *;q=0"}, all, "gzip"},
		{"identity preferred", []string{"identity, br;q=0.5"}, all, ""},
		{"identity excluded", []string{"identity;q=0, gzip;q=0.001"}, all, "gzip"},
		{"everything excluded", []string{"*;q=0"}, all, ""},
		{"unknown coding", []string{"zstd"}, all, ""},
		{"weight that is none", []string{"br;q=x, gzip;q=nan"}, all, ""},
		{"weight out of range", []string{"br;q=1.5, gzip;q=0.1"}, all, "gzip"},
		{"two headers", []string{"deflate", "gzip"}, all, "gzip"},
		{"twin not built", []string{"br, gzip"}, plain, ""},
		{"coding that only begins alike", []string{"brotli, gzipped"}, all, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := negotiate(tt.accept, tt.have); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
