package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/seal"
)

func private(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
}

func public(seed byte) ed25519.PublicKey { return private(seed).Public().(ed25519.PublicKey) }

func id(seed byte) string { return seal.KeyID(public(seed)) }

const (
	then  = "2026-01-01T00:00:00.000Z"
	later = "2026-02-01T00:00:00.000Z"
)

// must is for changes of which the test is not about.
func must(t *testing.T) func(History, error) History {
	return func(h History, err error) History {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
}

// lived is a history with a key in each state.
func lived(t *testing.T) History {
	ok := must(t)
	h := ok(History(nil).Add(public(1), then))
	h = ok(h.Add(public(2), then))
	h = ok(h.Add(public(3), ""))
	h = ok(h.Retire(id(1), later))
	return ok(h.Revoke(id(2), later))
}

func TestHistoryRoundTrip(t *testing.T) {
	h := lived(t)
	got, err := ReadHistory(h.JSON())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	want := []seal.Key{
		{ID: id(1), Public: public(1), State: seal.StateRetired, RetiredAt: later},
		{ID: id(2), Public: public(2), State: seal.StateCompromised},
		{ID: id(3), Public: public(3), State: seal.StateActive},
	}
	if diff := cmp.Diff(seal.Keys(want), got.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// A library that knows nothing of our statuses must not find a compromised key.
func TestCompromisedKeysLeaveTheSet(t *testing.T) {
	published, err := seal.ReadKeys(lived(t).Published())
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]seal.State{}
	for _, key := range published {
		states[key.ID] = key.State
	}
	if states[id(1)] != seal.StateRetired || states[id(3)] != seal.StateActive || states[id(2)] != seal.StateCompromised {
		t.Errorf("published: %v", states)
	}
	text := string(lived(t).Published())
	if at := strings.Index(text, id(2)); at < strings.Index(text, `"revoked"`) {
		t.Errorf("the compromised key is not named beside the set:\n%s", text)
	}
}

func TestChangesThatAreRefused(t *testing.T) {
	h := lived(t)
	tests := []struct {
		name   string
		change func() (History, error)
		want   error
	}{
		{"retire an unknown key", func() (History, error) { return h.Retire(id(9), later) }, ErrUnknown},
		{"retire a retired key", func() (History, error) { return h.Retire(id(1), later) }, ErrNotActive},
		{"retire a compromised key", func() (History, error) { return h.Retire(id(2), later) }, ErrNotActive},
		{"revoke an unknown key", func() (History, error) { return h.Revoke("", later) }, ErrUnknown},
		{"revoke twice", func() (History, error) { return h.Revoke(id(2), later) }, ErrCompromised},
		{"add a key again", func() (History, error) { return h.Add(public(2), later) }, ErrKnown},
	}
	before := string(h.JSON())
	for _, tt := range tests {
		if got, err := tt.change(); !errors.Is(err, tt.want) || got != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := h.Revoke(id(1), later); err != nil {
		t.Errorf("a retired key can't be revoked: %v", err)
	}
	if string(h.JSON()) != before {
		t.Error("a change changed the history that it was made from")
	}
}

func TestMaySign(t *testing.T) {
	h := lived(t)
	for seed, want := range map[byte]bool{1: false, 2: false, 3: true, 9: false} {
		if err := h.MaySign(private(seed)); (err == nil) != want {
			t.Errorf("key %d: %v", seed, err)
		}
	}
}

func TestHistoriesThatAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":          `{`,
		"no set":           `[]`,
		"a published set":  string(lived(t).Published()),
		"a time as number": strings.Replace(string(lived(t).JSON()), `"created_at": "`+then+`"`, `"created_at": 5`, 1),
		"unknown status":   strings.Replace(string(lived(t).JSON()), "compromised", "suspected", 1),
		"retired, no time": strings.Replace(string(lived(t).JSON()), `"retired_at": "`+later+`"`, `"retired_at": "then"`, 1),
	} {
		if h, err := ReadHistory([]byte(text)); err == nil {
			t.Errorf("%s: read as %v", name, h)
		}
	}
}

func TestLoad(t *testing.T) {
	text, err := PEM(private(1))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]Source{
		"file":              {File: file},
		"variable":          {Value: string(text)},
		"variable, escaped": {Value: strings.ReplaceAll(string(text), "\n", `\n`)},
		"variable, bare":    {Value: base64.StdEncoding.EncodeToString(block.Bytes)},
		"descriptor":        {FD: pipe(t, text)},
	} {
		got, err := s.Load()
		if err != nil || !got.Equal(private(1)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := (Source{}).Load(); got != nil || err != nil {
		t.Errorf("no source: %v", err)
	}
}

func pipe(t *testing.T, text []byte) int {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// Load closes what it reads, and r closes its own.
	fd, err := syscall.Dup(int(r.Fd()))
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return fd
}

// No error repeats what it was given: it goes into a log.
func TestLoadRefuses(t *testing.T) {
	text, err := PEM(private(1))
	if err != nil {
		t.Fatal(err)
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(other)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, mode os.FileMode, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, mode); err != nil {
			t.Fatal(err)
		}
		// The process's mask may have taken bits away.
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret := strings.Split(string(text), "\n")[1]
	for name, s := range map[string]Source{
		"no file":               {File: filepath.Join(dir, "nowhere")},
		"a folder":              {File: dir},
		"readable by a group":   {File: write("group", 0o640, text)},
		"readable by all":       {File: write("all", 0o604, text)},
		"writable by all":       {File: write("write", 0o602, text)},
		"empty":                 {File: write("empty", 0o600, nil)},
		"no key":                {File: write("text", 0o600, []byte("hello"))},
		"another kind of key":   {File: write("rsa", 0o600, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))},
		"a public key's frame":  {File: write("frame", 0o600, bytes.ReplaceAll(text, []byte("PRIVATE"), []byte("PUBLIC")))},
		"two keys":              {File: write("two", 0o600, append(append([]byte{}, text...), text...))},
		"large":                 {File: write("large", 0o600, append(text, make([]byte, maxPrivate)...))},
		"cut off":               {Value: string(text[:60])},
		"a standard descriptor": {FD: 2},
		"a closed descriptor":   {FD: 1 << 20},
		"file and variable":     {File: write("key", 0o600, text), Value: string(text)},
		"variable and fd":       {Value: string(text), FD: 3},
	} {
		got, err := s.Load()
		if err == nil || got != nil {
			t.Errorf("%s: taken", name)
		} else if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "hello") {
			t.Errorf("%s: the error repeats the key: %v", name, err)
		}
	}
}

func TestGenerate(t *testing.T) {
	a, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	b, err := Generate()
	if err != nil || a.Equal(b) {
		t.Errorf("two keys are one, %v", err)
	}
	if _, err := (History{}).Add(a.Public().(ed25519.PublicKey), then); err != nil {
		t.Error(err)
	}
}
