package e2e

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server"
)

// recipeFiles says which file a recipe needs, and by which form it is saved.
var recipeFiles = map[string]struct{ file, form string }{
	"manifestseal": {"manifestseal-report.json", "document"},
	"node":         {"manifestseal-report.json", "document"},
	"openssl":      {"manifestseal-signed.json", "signed"},
	"python":       {"manifestseal-signed.json", "signed"},
	"jose":         {"manifestseal-report.jws", "jws"},
	"dsse":         {"manifestseal-envelope.json", "dsse"},
}

// recipe is a recipe as the page prints it, with the file that it needs as the page
// saves it.
type recipe struct{ id, text, file, content string }

func (p *tab) recipes() []recipe {
	p.t.Helper()
	printed := eval[[][]string](p, `[...document.querySelectorAll('[data-testid="recipe"]')].map(r => [r.dataset.recipe, r.querySelector('pre').textContent])`)
	saved := make(map[string]string)
	var out []recipe
	for _, r := range printed {
		needs, ok := recipeFiles[r[0]]
		if !ok {
			p.t.Fatalf("no file is known for the recipe %q", r[0])
		}
		if saved[needs.form] == "" {
			saved[needs.form] = string(p.download("form-" + needs.form))
		}
		out = append(out, recipe{r[0], r[1], needs.file, saved[needs.form]})
	}
	return out
}

// run follows a recipe in a folder of its own, as a reader does who has what it
// needs, and says whether it succeeded.
func (r recipe) run(t *testing.T) (bool, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, r.file), []byte(r.content), 0o600); err != nil {
		t.Fatal(err)
	}
	path := os.Getenv("PATH")
	switch r.id {
	case "manifestseal":
		path = filepath.Dir(program(t)) + ":" + path
	case "jose":
		modules, err := filepath.Abs("npm/node_modules")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	case "dsse":
		for _, name := range []string{"go.mod", "go.sum"} {
			content, err := os.ReadFile(filepath.Join("..", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	shell := exec.Command("sh", "-e", "-c", r.text)
	shell.Dir = dir
	// With its folder out of what it makes, Go builds a program once for all folders.
	shell.Env = append(os.Environ(), "PATH="+path, "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	out, err := shell.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return err == nil, string(out)
}

// Reports of the independent signer verify by every recipe as it is printed.
func TestRecipes(t *testing.T) {
	t.Parallel()
	program(t)
	report := signedReport(t, "a", older, newer)
	block, summary := parts(t, report)
	for _, c := range []struct {
		name, document, recipes string
	}{
		{"report", report, "manifestseal openssl node python jose dsse"},
		{"summary", summary, "manifestseal openssl node python"},
		{"block", block, "manifestseal openssl node python"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := verifyTab(t, signersKeys(t, "a", nil), "/verify")
			p.paste("report", c.document)
			var ids []string
			for _, r := range p.recipes() {
				ids = append(ids, r.id)
				if ok, out := r.run(t); !ok {
					t.Errorf("%s: %s\n%s", r.id, out, r.text)
				}
				if ok, out := r.altered().run(t); ok {
					t.Errorf("%s takes an altered document: %s", r.id, out)
				}
			}
			if got := strings.Join(ids, " "); got != c.recipes {
				t.Errorf("the recipes are %q, want %q", got, c.recipes)
			}
		})
	}
}

// altered is the recipe on a file in which one digit of the signed content differs.
func (r recipe) altered() recipe {
	switch r.id {
	case "jose":
		parts := strings.Split(r.content, ".")
		parts[1] = recoded(base64.RawURLEncoding, parts[1])
		r.content = strings.Join(parts, ".")
	case "dsse":
		var envelope map[string]any
		if err := json.Unmarshal([]byte(r.content), &envelope); err != nil {
			panic(err) // it is what the page saved
		}
		envelope["payload"] = recoded(base64.StdEncoding, envelope["payload"].(string))
		text, err := json.Marshal(envelope)
		if err != nil {
			panic(err) // a map of texts
		}
		r.content = string(text)
	default:
		r.content = strings.Replace(r.content, signedAsOf, "2026-05-01T12:00:00.001Z", 1)
	}
	return r
}

func recoded(encoding *base64.Encoding, text string) string {
	content, err := encoding.DecodeString(text)
	if err != nil {
		panic(err) // it is what the page saved
	}
	return encoding.EncodeToString([]byte(strings.Replace(string(content), signedAsOf, "2026-05-01T12:00:00.001Z", 1)))
}

// Every top-level value of a report, changed by itself, is refused by openssl and
// Node by their recipes, and by go-securesystemslib. (The verdict's own test
// changes every value there is.)
func TestRecipesRefuseEveryChange(t *testing.T) {
	t.Parallel()
	report := signedReport(t, "a", older, newer)
	p := verifyTab(t, signersKeys(t, "a", nil), "/verify")
	p.paste("report", report)
	byID := make(map[string]recipe)
	for _, r := range p.recipes() {
		byID[r.id] = r
	}
	signed := byID["openssl"].content
	doc, err := jsonvalue.ParsePart(signed, 0, len(signed), jsonvalue.MaxDepth)
	if err != nil {
		t.Fatal(err)
	}
	var envelope dsse.Envelope
	if err := json.Unmarshal([]byte(byID["dsse"].content), &envelope); err != nil {
		t.Fatal(err)
	}
	verifier, err := dsse.NewEnvelopeVerifier(dsseKey{signersKeys(t, "a", nil)[0]})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verifier.Verify(t.Context(), &envelope); err != nil {
		t.Errorf("the envelope as it is: %v", err)
	}
	n := 0
	whole := byID["node"]
	whole.content = signed
	if ok, out := whole.run(t); !ok {
		t.Errorf("Node refuses what is not changed: %s", out)
	}
	for name, v := range doc.Root().Members() {
		n++
		other := strings.Replace(signed, jsonvalueMember(name, v), jsonvalueMember(name, jsonvalue.Value{}), 1)
		if other == signed {
			t.Fatalf("%s was not changed", name)
		}
		for _, id := range []string{"openssl", "node"} {
			r := byID[id]
			r.content = other
			if ok, out := r.run(t); ok {
				t.Errorf("%s takes another %s: %s", id, name, out)
			}
		}
		changed := envelope
		changed.Payload = base64.StdEncoding.EncodeToString([]byte(other))
		if _, err := verifier.Verify(t.Context(), &changed); err == nil {
			t.Errorf("go-securesystemslib takes another %s", name)
		}
	}
	if n < 12 {
		t.Errorf("only %d members were changed", n)
	}
}

// jsonvalueMember is a member as canonical JSON writes it; null for Absent.
func jsonvalueMember(name string, v jsonvalue.Value) string {
	w := jsonvalue.Builder{}
	w.String(name)
	text := string(w.Bytes) + ":"
	if !v.Exists() {
		return text + "null"
	}
	return text + string(v.AppendCanonical(nil))
}

type dsseKey struct{ key seal.Key }

func (k dsseKey) KeyID() (string, error)   { return k.key.ID, nil }
func (k dsseKey) Public() crypto.PublicKey { return ed25519.PublicKey(k.key.Public) }

func (k dsseKey) Verify(_ context.Context, data, signature []byte) error {
	if !ed25519.Verify(k.key.Public, data, signature) {
		return errors.New("the signature does not fit")
	}
	return nil
}

// What a server issues verifies like what the independent signer makes: in the
// page, by the recipes, and as the next baseline.
func TestServerReportsVerify(t *testing.T) {
	t.Parallel()
	program(t)
	url := serveWith(t, server.Config{Dev: true})
	audit := post(t, url+"/audit", `{"manifest":`+older+`}`)
	drift := post(t, url+"/drift", `{"baseline_report":`+audit+`,"manifest":`+newer+`}`)
	p := visit(t, url, "/verify")
	p.loaded()
	for name, c := range map[string]struct{ document, manifest, says string }{
		"audit": {audit, older, "GRADE"}, "drift": {drift, newer, "MANIFEST CHANGED (3 tools)"},
	} {
		p.paste("report", c.document)
		p.paste("manifest", c.manifest)
		if tools := len(p.texts("audit-tool")); (tools == 3) != (name == "audit") {
			t.Errorf("%s: %d tools of an audit are listed", name, tools)
		}
		if p.text("headline") != "DEVELOPMENT KEY" || !strings.Contains(p.text("says"), c.says) || p.text("match-title") != "THIS IS THE MANIFEST" {
			t.Errorf("%s: %q, %q, %q", name, p.text("headline"), p.text("says"), p.text("match-title"))
		}
		for _, r := range p.recipes() {
			ok, out := r.run(t)
			// The command knows a development key when it sees one.
			if ours := r.id == "manifestseal"; ok == ours || ours && !strings.Contains(out, "development_key") {
				t.Errorf("%s, %s: %s", name, r.id, out)
			}
		}
	}
	v, err := engine.Verify([]byte(drift), nil, engine.Options{})
	if err != nil || v.Headline() != seal.UnknownKey {
		t.Errorf("under no keys: %v", err)
	}
	// The published key set is one that the verifier reads.
	keys, err := seal.ReadKeys([]byte(get(t, url+"/.well-known/jwks.json")))
	if err != nil {
		t.Fatal(err)
	}
	if v, err = engine.Verify([]byte(drift), nil, engine.Options{Keys: keys}); err != nil || v.Headline() != seal.Development {
		t.Errorf("under the published keys %+v: %v", keys, err)
	}
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	return bodyOf(t, answer, err)
}

func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	return bodyOf(t, answer, err)
}

func bodyOf(t *testing.T, answer *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %s", answer.Request.URL, answer.StatusCode, err, text)
	}
	return string(text)
}
