package templates

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// twin is the naive twin of web/shared/painter.ts: the same bindings, the plain
// way, over parsed HTML. It holds the fragments to the claim that cloning and
// filling them gives what the components paint.
type twin struct {
	t         *testing.T
	fragments map[string]*html.Node
}

func newTwin(t *testing.T, source string) *twin {
	t.Helper()
	b := &twin{t: t, fragments: make(map[string]*html.Node)}
	for n := range parse(t, source).Descendants() {
		if n.DataAtom == atom.Template {
			b.fragments[attr(n, "id")] = n
		}
	}
	return b
}

func (b *twin) paint(name string, item any) []*html.Node {
	b.t.Helper()
	source, ok := b.fragments[name]
	if !ok {
		b.t.Fatalf("no fragment %q", name)
	}
	holder := &html.Node{Type: html.ElementNode, Data: "div"}
	for child := range source.ChildNodes() {
		holder.AppendChild(clone(child))
	}
	b.bindChildren(holder, item)
	return detach(holder)
}

func (b *twin) bindChildren(parent *html.Node, item any) {
	for _, child := range slices.Collect(parent.ChildNodes()) {
		if child.Type == html.ElementNode {
			b.bind(child, item)
		}
	}
}

func (b *twin) bind(n *html.Node, item any) {
	if path := attr(n, "data-if"); path != "" && len(b.items(n, item, path)) == 0 {
		n.Parent.RemoveChild(n)
		return
	}
	for _, binding := range strings.Fields(attr(n, "data-attr")) {
		b.setAttribute(n, binding, item)
	}
	if path := attr(n, "data-text"); path != "" {
		detach(n)
		if text := textOf(at(item, path)); text != "" {
			n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
		}
		return
	}
	if template := attr(n, "data-later"); template != "" {
		detach(n)
		for _, painted := range b.paint(template, item) {
			n.AppendChild(painted)
		}
		return
	}
	each := attr(n, "data-each")
	if each == "" {
		b.bindChildren(n, item)
		return
	}
	detach(n)
	path, template, _ := strings.Cut(each, ":")
	for _, child := range b.items(n, item, path) {
		for _, painted := range b.paint(template+suffix(attr(n, "data-by"), child), child) {
			n.AppendChild(painted)
		}
	}
}

func (b *twin) setAttribute(n *html.Node, binding string, item any) {
	name, template, _ := strings.Cut(binding, "=")
	before, rest, _ := strings.Cut(template, "{")
	path, after, _ := strings.Cut(rest, "}")
	value := at(item, path)
	if optional, ok := strings.CutSuffix(name, "?"); ok {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == optional && empty(value) })
		return
	}
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			n.Attr[i].Val = before + textOf(value) + after
			return
		}
	}
	b.t.Errorf("<%s> has no attribute %q to bind", n.Data, name)
}

func (b *twin) items(n *html.Node, item any, path string) []any {
	value := at(item, path)
	list, ok := value.([]any)
	if !ok && !empty(value) {
		list = []any{value}
	}
	var kept []any
	for _, one := range list {
		where, unless := attr(n, "data-where"), attr(n, "data-unless")
		if (where == "" || matches(one, where)) && (unless == "" || !matches(one, unless)) {
			kept = append(kept, one)
		}
	}
	return kept
}

func matches(item any, filter string) bool {
	for _, condition := range strings.Fields(filter) {
		path, want, _ := strings.Cut(condition, ":")
		value := at(item, path)
		if want == "" && !empty(value) || want != "" && textOf(value) != want {
			return false
		}
	}
	return true
}

func suffix(fields string, item any) string {
	var text strings.Builder
	for _, field := range strings.Fields(fields) {
		switch value := at(item, field).(type) {
		case string:
			text.WriteString("-" + value)
		case bool:
			if value {
				text.WriteString("-" + field)
			}
		}
	}
	return text.String()
}

func at(item any, path string) any {
	for _, member := range strings.Split(path, ".") {
		object, ok := item.(map[string]any)
		if !ok {
			return nil
		}
		item = object[member]
	}
	return item
}

func empty(value any) bool {
	list, isList := value.([]any)
	return value == nil || value == "" || value == "0" || value == false || isList && len(list) == 0
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// plainValue is a view as its JSON form has it: members in lower snake case.
// Numbers become their text, which is all a painter makes of them.
func plainValue(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plainValue(v.Elem())
	case reflect.Slice:
		list := make([]any, 0, v.Len())
		for i := range v.Len() {
			list = append(list, plainValue(v.Index(i)))
		}
		return list
	case reflect.Struct:
		object := make(map[string]any)
		for i := range v.NumField() {
			object[snake(v.Type().Field(i).Name)] = plainValue(v.Field(i))
		}
		return object
	case reflect.Int:
		return textOfInt(v.Int())
	case reflect.Bool:
		return v.Bool()
	default:
		return v.String()
	}
}

func snake(name string) string {
	var out strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			out.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
