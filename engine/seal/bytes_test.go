package seal

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBytesToSign(t *testing.T) {
	report := parse(t, `{
		"verdict": "é\ud800", "as_of": "t", "manifest_digest": {"b": 1.0, "a": [ ]},
		"summary": {"z": 1, "y": "\/"}, "summary_signature": {"value": "s"},
		"signature": {"value": "v"}, "attestations": {"jws": {}}
	}`)
	for _, c := range []struct{ name, got, want string }{
		{"block", string(BlockBytes(report.Get("manifest_digest"))), `{"a":[],"b":1}`},
		{"summary", string(SummaryBytes(report.Get("summary"))), `{"y":"/","z":1}`},
		{"report", string(ReportBytes(report)), `{"as_of":"t","manifest_digest":{"a":[],"b":1},"summary":{"y":"/","z":1},"summary_signature":{"value":"s"},"verdict":"é\ud800"}`},
		{"summarised", string(SummarisedBytes(report)), `{"as_of":"t","manifest_digest":{"a":[],"b":1},"verdict":"é\ud800"}`},
		// The form of DSSE's own example, with our payload type.
		{"PAE", string(PAE([]byte("hello world"))), "DSSEv1 40 application/vnd.manifestseal.report+json 11 hello world"},
		{"PAE of bytes, not characters", string(PAE([]byte("é"))), "DSSEv1 40 application/vnd.manifestseal.report+json 2 é"},
		{"PAE of nothing", string(PAE(nil)), "DSSEv1 40 application/vnd.manifestseal.report+json 0 "},
		{"JWS input", string(JWSInput("cA", []byte{0xff, 0xfe, 0xfd, 0xfc})), "cA.__79_A"},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	header, err := base64.RawURLEncoding.DecodeString(JWSProtected("kid-1"))
	if want := `{"alg":"EdDSA","kid":"kid-1","typ":"manifestseal-report+jws"}`; err != nil || string(header) != want {
		t.Errorf("protected header: %s, %v", header, err)
	}
}

// A report that is not signed yet and the same one signed give the same bytes.
func TestBytesDoNotDependOnSignatures(t *testing.T) {
	bare := parse(t, `{"verdict":"v","as_of":"t"}`)
	signed := parse(t, strings.TrimSuffix(bare.Source(), "}")+`,"signature":{"value":"x"},"attestations":{}}`)
	if diff := cmp.Diff(string(ReportBytes(bare)), string(ReportBytes(signed))); diff != "" {
		t.Error(diff)
	}
}
