package jsonschema

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Target is where a reference leads.
type Target uint8

const (
	Here    Target = iota // to a schema inside the same schema
	Nowhere               // to a place that is not there, or is no schema
	Network               // to a document that would have to be fetched
)

// Names are the identifiers that references of one schema can use.
type Names struct {
	nodes    []Node
	ids      map[string]int // $id and id, without their fragment, to the schema; also by the last segment alone
	anchors  map[string]bool
	elements map[jsonvalue.Value][]jsonvalue.Value // of arrays that a pointer went through
}

// NamesOf collects the identifiers of a walked schema.
func NamesOf(nodes []Node) *Names {
	n := &Names{nodes: nodes, ids: map[string]int{}, anchors: map[string]bool{}, elements: map[jsonvalue.Value][]jsonvalue.Value{}}
	for i := range nodes {
		v := nodes[i].Value
		for _, keyword := range [...]string{"$id", "id"} {
			id, fragment, _ := strings.Cut(TextOf(v, keyword), "#")
			if id != "" {
				n.ids[id] = i
				n.ids[id[strings.LastIndexByte(id, '/')+1:]] = i
			} else if fragment != "" {
				n.anchors[fragment] = true
			}
		}
		for _, keyword := range [...]string{"$anchor", "$dynamicAnchor"} {
			if name := TextOf(v, keyword); name != "" {
				n.anchors[name] = true
			}
		}
	}
	return n
}

// Resolve says where the $ref of a node leads. Its time is that of the
// reference's own length: a pointer is followed, chains of references are not.
func (n *Names) Resolve(node int, ref string) Target {
	id, fragment, _ := strings.Cut(ref, "#")
	root := n.nodes[n.nodes[node].base].Value
	if id != "" {
		i, known := n.ids[id]
		switch {
		case known:
			root = n.nodes[i].Value
		case strings.HasPrefix(id, "http:") || strings.HasPrefix(id, "https:"), strings.HasPrefix(id, "//"):
			return Network
		default:
			return Nowhere
		}
	}
	if fragment != "" && fragment[0] != '/' {
		if n.anchors[decodePercent(fragment)] {
			return Here
		}
		return Nowhere
	}
	if isSchema(n.follow(root, decodePercent(fragment))) {
		return Here
	}
	// Writers that copy definitions around mean the whole schema's root.
	if isSchema(n.follow(n.nodes[0].Value, decodePercent(fragment))) && id == "" {
		return Here
	}
	return Nowhere
}

func isSchema(v jsonvalue.Value) bool {
	k := v.Kind()
	return k == jsonvalue.Object || k == jsonvalue.True || k == jsonvalue.False
}

// Local returns what a reference of the form "#/…" leads to from the root, Absent
// where there is nothing or the reference has another form.
func (n *Names) Local(ref string) jsonvalue.Value {
	if len(n.nodes) == 0 || !strings.HasPrefix(ref, "#") {
		return jsonvalue.Value{}
	}
	return n.follow(n.nodes[0].Value, decodePercent(ref[1:]))
}

// follow walks a JSON Pointer (RFC 6901).
func (n *Names) follow(v jsonvalue.Value, pointer string) jsonvalue.Value {
	for pointer != "" {
		if pointer[0] != '/' {
			return jsonvalue.Value{}
		}
		token := pointer[1:]
		if end := strings.IndexByte(token, '/'); end >= 0 {
			token = token[:end]
		}
		pointer = pointer[1+len(token):]
		if strings.IndexByte(token, '~') >= 0 {
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		}
		if Is(v, jsonvalue.Array) {
			v = n.element(v, token)
		} else {
			v = v.Get(token)
		}
	}
	return v
}

// element finds an element by its index. An array is listed once, however many
// references go through it.
func (n *Names) element(v jsonvalue.Value, token string) jsonvalue.Value {
	if token == "" || len(token) > 10 || token[0] == '0' && token != "0" {
		return jsonvalue.Value{}
	}
	index := 0
	for i := range len(token) {
		if token[i] < '0' || token[i] > '9' {
			return jsonvalue.Value{}
		}
		index = index*10 + int(token[i]-'0')
	}
	list, listed := n.elements[v]
	if !listed {
		list = Elems(v)
		n.elements[v] = list
	}
	if index >= len(list) {
		return jsonvalue.Value{}
	}
	return list[index]
}

func decodePercent(text string) string {
	if strings.IndexByte(text, '%') < 0 {
		return text
	}
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			high, low := hexValue(text[i+1]), hexValue(text[i+2])
			if high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	return string(out)
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
