package pin

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

const (
	first  = "2026-01-01T00:00:00.000Z"
	second = "2026-02-01T00:00:00.000Z"
)

func read(t *testing.T, document string) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Read([]byte(document), manifest.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func pinned(t *testing.T, document string) *Lock {
	t.Helper()
	l, err := New(read(t, document), first)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const (
	old = `{"tools":[{"name":"a","title":"A"},{"name":"b","description":"x"},{"name":"a"},"entry",{"name":"gone"}]}`
	new = `[{"name":"b","description":"y"},{"name":"a","title":"B"},{"name":"fresh","n":9007199254740993},{"name":"a"}]`
)

func TestRoundTrip(t *testing.T) {
	l := pinned(t, old)
	text := l.JSON()
	again, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), string(again.JSON())); diff != "" {
		t.Errorf("(-written +read and written)\n%s", diff)
	}
	// A tool is a line, so that a review sees which one moved.
	if n := strings.Count(string(text), "\n    {"); n != 2*len(l.Tools)-1+len(l.History) {
		t.Errorf("%d lines of objects in\n%s", n, text)
	}
	if !strings.HasSuffix(string(text), "\n}\n") {
		t.Error("the file must end with one LF")
	}
}

// names lists the tools with when they were last changed.
func names(l *Lock) []string {
	var out []string
	for _, t := range l.Tools {
		out = append(out, t.Name+" "+t.FirstSeen[:7]+" "+t.LastChanged[:7])
	}
	return out
}

func TestAccept(t *testing.T) {
	for _, c := range []struct {
		name, tool string
		want       []string
		actions    []string
	}{
		{"a changed title is accepted alone", "a", []string{"a 2026-01 2026-02", "b 2026-01 2026-01", "a 2026-01 2026-01", " 2026-01 2026-01", "gone 2026-01 2026-01"}, []string{"accepted"}},
		{"a changed description", "b", []string{"a 2026-01 2026-01", "b 2026-01 2026-02", "a 2026-01 2026-01", " 2026-01 2026-01", "gone 2026-01 2026-01"}, []string{"accepted"}},
		{"a tool that is gone", "gone", []string{"a 2026-01 2026-01", "b 2026-01 2026-01", "a 2026-01 2026-01", " 2026-01 2026-01"}, []string{"removed"}},
		{"a new tool", "fresh", []string{"a 2026-01 2026-01", "b 2026-01 2026-01", "a 2026-01 2026-01", " 2026-01 2026-01", "gone 2026-01 2026-01", "fresh 2026-02 2026-02"}, []string{"added"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := pinned(t, old)
			l, err := before.Accept(read(t, new), c.tool, second)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, names(l)); diff != "" {
				t.Errorf("tools (-want +got)\n%s", diff)
			}
			var actions []string
			for _, e := range l.History[1:] {
				actions = append(actions, e.Action)
				if e.Tool != c.tool || e.AsOf != second {
					t.Errorf("event %+v", e)
				}
			}
			if diff := cmp.Diff(c.actions, actions); diff != "" {
				t.Errorf("history (-want +got)\n%s", diff)
			}
			if _, err := Read(l.JSON()); err != nil {
				t.Errorf("the new lockfile can't be read: %v", err)
			}
			if len(before.History) != 1 || before.UpdatedAt != first {
				t.Error("the old lockfile was changed")
			}
		})
	}
}

// What nobody accepted never becomes the baseline.
func TestAcceptTouchesNothingElse(t *testing.T) {
	before := pinned(t, old)
	l, err := before.Accept(read(t, new), "b", second)
	if err != nil {
		t.Fatal(err)
	}
	for i, tool := range before.Tools {
		if tool.Name != "b" && l.Tools[i].Whole != tool.Whole {
			t.Errorf("%s moved", tool.Name)
		}
	}
}

// Tools without a name can't be told by one, and the refusal says what to do.
func TestUnnamedToolsAreNotAccepted(t *testing.T) {
	_, err := pinned(t, `{"tools":[{"name":"a"},{"description":"b"}]}`).Accept(read(t, `{"tools":[{"name":"a"},{"description":"c"}]}`), "null", second)
	var e *AcceptError
	if !errors.As(err, &e) || !strings.Contains(e.Why, "pin the manifest anew") {
		t.Errorf("got %v", err)
	}
}

func TestNothingToAccept(t *testing.T) {
	for _, tool := range []string{"nobody", ""} {
		_, err := pinned(t, old).Accept(read(t, new), tool, second)
		var e *AcceptError
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want an *AcceptError", tool, err)
		}
	}
	if _, err := pinned(t, old).Accept(read(t, old), "a", second); err == nil {
		t.Error("an unchanged tool was accepted")
	}
}

func TestEditedLockfile(t *testing.T) {
	text := string(pinned(t, old).JSON())
	for _, c := range []struct{ name, old, new, pointer string }{
		{"another scheme", "manifestseal-lock/v1", "manifestseal-lock/v9", "/scheme"},
		{"a snapshot's text", `"description":"x"`, `"description":"evil"`, "/digest_block/aggregate_digest"},
		{"a snapshot's title, outside the digest", `"title":"A"`, `"title":"evil"`, "/tools/0/whole_digest"},
		{"a tool's digest", `"occurrence":1,"whole_digest":"`, `"occurrence":1,"whole_digest":"0`, "/tools/0/whole_digest"},
		{"what is covered", `"every member of the tool"`, `"nothing"`, "/covered"},
		{"a tool's name", `{"name":"a","occurrence":1`, `{"name":"z","occurrence":1`, "/tools/0/name"},
		{"a member twice", `"scheme":`, `"scheme": "x", "scheme":`, "/scheme"},
		{"a member too many", `"scheme":`, `"more": 1, "scheme":`, ""},
		{"a member missing", `"created_at": "2026-01-01T00:00:00.000Z",`, ``, "/created_at"},
		{"a block's own number", `"tool_count":5`, `"tool_count":4`, "/digest_block"},
		{"times that are no text", `"first_seen":"2026-01-01T00:00:00.000Z"`, `"first_seen":5`, "/tools/0/first_seen"},
		{"snapshot no list", `"snapshot": [`, `"snapshot": 5, "x": [`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			edited := strings.Replace(text, c.old, c.new, 1)
			if edited == text {
				t.Fatal("nothing was edited")
			}
			_, err := Read([]byte(edited))
			var e *Error
			if !errors.As(err, &e) || c.pointer != "" && e.Pointer != c.pointer {
				t.Errorf("got %v, want an *Error at %q", err, c.pointer)
			}
		})
	}
	var e *jsonvalue.Error
	if _, err := Read([]byte(text[:len(text)/2])); !errors.As(err, &e) {
		t.Errorf("half a file: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	m, err := manifest.Read([]byte(old), manifest.Wire)
	if err != nil {
		f.Fatal(err)
	}
	l, err := New(m, first)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(l.JSON())
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Read(data)
		if err != nil {
			return
		}
		if _, err := Read(l.JSON()); err != nil {
			t.Fatalf("what was read can't be read when written: %v", err)
		}
	})
}
