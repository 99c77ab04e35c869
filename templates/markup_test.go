package templates

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

func textOfInt(n int64) string { return strconv.FormatInt(n, 10) }

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.Render(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func parse(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func clone(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	for child := range n.ChildNodes() {
		c.AppendChild(clone(child))
	}
	return c
}

func detach(parent *html.Node) []*html.Node {
	children := slices.Collect(parent.ChildNodes())
	for _, child := range children {
		parent.RemoveChild(child)
	}
	return children
}

func serialised(t *testing.T, nodes ...*html.Node) string {
	t.Helper()
	var out strings.Builder
	for _, n := range nodes {
		if err := html.Render(&out, n); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// find lists the elements for which the test holds, in document order.
func find(root *html.Node, test func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && test(n) {
			found = append(found, n)
		}
	}
	return found
}

func byTestID(id string) func(*html.Node) bool {
	return func(n *html.Node) bool { return attr(n, "data-testid") == id }
}

func innerText(n *html.Node) string {
	var out strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			out.WriteString(d.Data)
		}
	}
	return out.String()
}
