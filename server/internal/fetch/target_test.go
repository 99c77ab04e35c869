package fetch

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, shown string }{
		{"https://example.org/tools.json", "https://example.org/tools.json"},
		{"http://example.org", "http://example.org"},
		{"https://example.org:8443/a?token=hush#part", "https://example.org:8443/a"},
		{"http://example.org:8080/a%2Fb", "http://example.org:8080/a%2Fb"},
		{"HTTPS://EXAMPLE.org./x", "https://example.org/x"},
		{"https://bücher.example/x", "https://xn--bcher-kva.example/x"},
		{"https://93.184.215.14/x", "https://93.184.215.14/x"},
		{"https://[2606:2800:21f:cb07::1]:443/x", "https://[2606:2800:21f:cb07::1]:443/x"},
	} {
		target, err := New().Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := target.Shown(); got != c.shown {
			t.Errorf("%s is shown as %s", c.text, got)
		}
	}
}

// Everything that leads inside, or is no such URL, gets one and the same answer.
func TestParseRefuses(t *testing.T) {
	for _, text := range append(loopbackSpellings(),
		"", "example.org", "//example.org/x", "ftp://example.org/x", "file:///etc/passwd", "javascript:alert(1)", "gopher://example.org/x",
		"http:example.org", "http:///x", "https://user@example.org/x", "https://user:pass@example.org/x", "https://@example.org/x",
		"http://example.org:22/x", "http://example.org:0/x", "http://example.org:65536/x", "http://example.org:80a/x", "http://example.org:8081/x",
		"http://localhost/x", "http://LOCALHOST:8080/x", "http://localhost./x", "http://a.localhost/x", "http://printer.local/x", "http://db.internal/x", "http://db.internal./x",
		"http://intranet/x", "http://10.0.0.1/x", "http://172.16.0.1/x", "http://192.168.1.1/x", "http://169.254.169.254/latest/meta-data", "http://168.63.129.16/x",
		"http://100.64.0.1/x", "http://198.18.0.1/x", "http://192.0.2.1/x", "http://224.0.0.1/x", "http://255.255.255.255/x", "http://0.0.0.0/x",
		"http://[fe80::1]/x", "http://[fe80::1%25eth0]/x", "http://[fc00::1]/x", "http://[fd00:ec2::254]/x", "http://[ff02::1]/x", "http://[2001:db8::1]/x", "http://[64:ff9b::7f00:1]/x", "http://[2002:7f00:1::]/x", "http://[::]/x",
		"https://exa mple.org/x", "https://example..org/x", "https://example.org\x00/x", "https://"+strings.Repeat("a", 250)+".org/x", "https://example.org/"+strings.Repeat("a", 2048),
	) {
		if target, err := New().Parse(text); !errors.Is(err, ErrURL) {
			t.Errorf("%q is taken as %v, %v", text, target, err)
		}
	}
}

// loopbackSpellings are the ways to write 127.0.0.1 that a reader of URLs, of
// addresses or of names knows.
func loopbackSpellings() []string {
	var out []string
	for _, host := range []string{
		"127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F.0.0.1", "0x7f.1", "017700000001", "0177.0.0.1", "127.0.0.01", "127.0.0.0x1",
		"0", "00000000000000000000000000000000000000000177.1", "4294967296", "127.127.127.127", "①②⑦.⓪.⓪.①", "１２７.0.0.1", "127。0。0。1", "127%2e0%2e0%2e1", "%31%32%37.0.0.1",
		"[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0000::1%25lo]", "[::1%25]",
	} {
		out = append(out, "http://"+host+"/x", "http://"+host+":8080/x")
	}
	return out
}
