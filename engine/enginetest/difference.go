package enginetest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// members compares each member that want names with the same one of the
// answer. A name that begins with "/" is a JSON Pointer into the answer; a last
// token "#" is the length of the array before it.
func members(want jsonvalue.Value, in func(name string) jsonvalue.Value) error {
	var errs []error
	for name, w := range want.Members() {
		pointer, counted := name, false
		if !strings.HasPrefix(name, "/") {
			pointer = jsonvalue.PointerToken("", name)
		} else {
			pointer, counted = strings.CutSuffix(name, "/#")
		}
		got, ok := resolve(in(name), pointer)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("%s: want %s, got nothing there", name, short(w)))
		case counted && (got.Kind() != jsonvalue.Array || strconv.Itoa(got.Len()) != canonical(w)):
			errs = append(errs, fmt.Errorf("%s: want %s elements, got %d: %s", pointer, canonical(w), got.Len(), short(got)))
		case !counted:
			errs = append(errs, difference(pointer, w, got))
		}
	}
	return errors.Join(errs...)
}

// difference names the first place where two values differ.
func difference(pointer string, want, got jsonvalue.Value) error {
	if canonical(want) == canonical(got) {
		return nil
	}
	if want.Kind() == got.Kind() && want.Kind() == jsonvalue.Object {
		for name, w := range want.Members() {
			if err := difference(jsonvalue.PointerToken(pointer, name), w, got.Get(name)); err != nil {
				return err
			}
		}
		for name, g := range got.Members() {
			if !want.Get(name).Exists() {
				return fmt.Errorf("%s: want it absent, got %s", jsonvalue.PointerToken(pointer, name), short(g))
			}
		}
	}
	if want.Kind() == got.Kind() && want.Kind() == jsonvalue.Array && want.Len() == got.Len() {
		for i, w := range want.Elems() {
			g, _ := element(got, i)
			if err := difference(pointer+"/"+strconv.Itoa(i), w, g); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("%s: want %s, got %s", pointer, short(want), short(got))
}

// resolve follows a JSON Pointer; false where nothing stands there.
func resolve(v jsonvalue.Value, pointer string) (jsonvalue.Value, bool) {
	if pointer == "" {
		return v, v.Exists()
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if v.Kind() != jsonvalue.Array {
			v = v.Get(token)
			continue
		}
		i, err := strconv.Atoi(token)
		if err != nil {
			return jsonvalue.Value{}, false
		}
		v, _ = element(v, i)
	}
	return v, v.Exists()
}

func element(v jsonvalue.Value, at int) (jsonvalue.Value, bool) {
	for i, e := range v.Elems() {
		if i == at {
			return e, true
		}
	}
	return jsonvalue.Value{}, false
}

func canonical(v jsonvalue.Value) string {
	if !v.Exists() {
		return ""
	}
	return string(v.AppendCanonical(nil))
}

// short is a value as a message shows it.
func short(v jsonvalue.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	return clip(canonical(v))
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
