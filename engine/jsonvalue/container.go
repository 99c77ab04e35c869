package jsonvalue

import (
	"math/bits"
	"slices"
)

// frame is a container still open.
type frame struct {
	index int    // in Doc.containers
	names uint32 // where this object's names begin in parser.names
	count uint32 // elements or members so far
	array bool
}

// name is a member's name while its object is open: its node, and its first
// eight bytes in their order, which tell most names apart.
type name struct {
	node uint32
	head uint64
}

func (p *parser) open(i int, array bool) error {
	if len(p.stack) == p.maxDepth {
		return p.tooDeep(i)
	}
	d := p.doc
	p.stack = append(p.stack, frame{index: len(d.containers), names: uint32(len(p.names)), array: array})
	kind := Object
	if array {
		kind = Array
	}
	d.nodes = append(d.nodes, indexNode(kind, 0, i, len(d.containers)))
	d.containers = append(d.containers, container{})
	return nil
}

// close ends the innermost container at a place in the text.
func (p *parser) close(end int) {
	top := p.stack[len(p.stack)-1]
	d := p.doc
	c := &d.containers[top.index]
	c.end, c.next, c.n = uint32(end), uint32(len(d.nodes)), top.count
	if !top.array {
		c.sorted = uint32(len(d.members))
		c.n = p.closeObject(p.names[top.names:])
		p.names = p.names[:top.names]
	}
	p.stack = p.stack[:len(p.stack)-1]
}

// name reads a member's name and its colon.
func (p *parser) name(src string, i int, expected string) (int, error) {
	i = space(src, i)
	if at(src, i) != '"' {
		return i, p.fail(i, expected)
	}
	n := uint32(len(p.doc.nodes))
	i, err := p.string(src, i)
	if err != nil {
		return i, err
	}
	i = space(src, i)
	if at(src, i) != ':' {
		return i, p.fail(i, "expected ':' after the member name")
	}
	p.names = append(p.names, name{n, head(p.doc.text(n))})
	return i + 1, nil
}

// head is a text's first eight bytes as a number of the same order; bytes that a
// shorter text lacks are zero.
func head(text string) uint64 {
	if len(text) >= 8 {
		return bits.ReverseBytes64(load(text, 0))
	}
	h := uint64(0)
	for i := range len(text) {
		h |= uint64(text[i]) << (56 - 8*i)
	}
	return h
}

func (p *parser) compareNames(a, b name) int {
	// Heads of ASCII are in the order of code units.
	if a.head != b.head && (a.head|b.head)&tops == 0 {
		if a.head < b.head {
			return -1
		}
		return 1
	}
	return CompareUTF16(p.doc.text(a.node), p.doc.text(b.node))
}

// closeObject orders the names and drops all but the last of each repeated one
// (R3), with a note for each that is not the first.
func (p *parser) closeObject(names []name) uint32 {
	repeated := p.order(names)
	d := p.doc
	from := len(d.members)
	for i, name := range names {
		if repeated && i > 0 && p.compareNames(names[i-1], name) == 0 {
			d.members[len(d.members)-1] = name.node
			p.note(DuplicateMember, d.text(name.node), d.nodes[name.node].start()-1, "This name stands twice in one object; the last one counts.")
			continue
		}
		d.members = append(d.members, name.node)
	}
	return uint32(len(d.members) - from)
}

// fewNames is how many are put in order by insertion.
const fewNames = 12

// order puts names in order, equal ones as they stand in the text, and tells
// whether there are equal ones.
func (p *parser) order(names []name) (repeated bool) {
	if len(names) > fewNames {
		slices.SortStableFunc(names, p.compareNames)
		for i := 1; i < len(names); i++ {
			repeated = repeated || p.compareNames(names[i-1], names[i]) == 0
		}
		return repeated
	}
	for i := 1; i < len(names); i++ {
		for k := i; k > 0; k-- {
			c := p.compareNames(names[k-1], names[k])
			repeated = repeated || c == 0
			if c <= 0 {
				break
			}
			names[k-1], names[k] = names[k], names[k-1]
		}
	}
	return repeated
}
