package cli

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/poison"
)

// mutes reads what somebody read and let pass. A mute that is not complete is
// refused: it would silence more than was read, or nothing.
func (a *app) mutes(file string) ([]poison.Mute, error) {
	if file == "" {
		return nil, nil
	}
	data, f := a.read(source{name: file})
	if f != nil {
		return nil, f
	}
	doc, err := jsonvalue.Parse(string(data))
	if err != nil {
		return nil, faultOf(file, err)
	}
	wrong := func(message string) error {
		return &fault{file: file, cause: &jsonvalue.Error{Class: muteClass, Code: "not_usable", Message: message,
			Advice: `A list of mutes is {"mutes": [{"rule": "secret-read", "tool": "read_keys", "reason": "why", "digest": "<whole_digest of a lockfile>"}]}. Nothing was checked.`}}
	}
	list := doc.Root().Get("mutes")
	if doc.Root().Kind() != jsonvalue.Object || doc.Root().Len() != 1 || list.Kind() != jsonvalue.Array {
		return nil, wrong("it must be an object with mutes, an array, and nothing else")
	}
	var out []poison.Mute
	for i, v := range list.Elems() {
		m, bad := muteOf(v)
		if bad != "" {
			return nil, wrong("/mutes/" + strconv.Itoa(i) + bad)
		}
		out = append(out, m)
	}
	return out, nil
}

// muteOf reads one mute, or says what is wrong with it.
func muteOf(v jsonvalue.Value) (m poison.Mute, bad string) {
	m = poison.Mute{Rule: v.Get("rule").Text(), Tool: v.Get("tool").Text(), Reason: v.Get("reason").Text(), Occurrence: 1}
	if n := v.Get("occurrence"); n.Exists() {
		m.Occurrence = int(n.Float())
	}
	var known bool
	m.Digest, known = digest.ParseSum(v.Get("digest").Text())
	switch {
	case v.Kind() != jsonvalue.Object:
		return m, " must be an object"
	case m.Rule == "":
		return m, "/rule must be the id of a rule"
	case v.Get("tool").Kind() != jsonvalue.String:
		return m, "/tool must be the name of a tool: nothing mutes a whole server"
	case strings.TrimSpace(m.Reason) == "":
		return m, "/reason must say why"
	case m.Occurrence < 1:
		return m, "/occurrence counts from 1"
	case !known:
		return m, "/digest must be the tool's whole_digest, 64 hexadecimal digits"
	}
	return m, ""
}
