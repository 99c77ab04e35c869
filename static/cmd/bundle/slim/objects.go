package slim

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// inlinedCall is the size of one entry of an inline tree.
const inlinedCall = 16

// objects copies what records refer to, closed up and without what only a
// traceback reads, and gives the records the new places.
func (m memory) objects(l *layout, list []record) ([]byte, error) {
	ends, err := objectEnds(l, list)
	if err != nil {
		return nil, err
	}
	c := collector{places: make(map[string]uint32)}
	for i := range list {
		r := &list[i]
		for kind, from := range r.objects {
			if from == noObject {
				continue
			}
			if !kept(kind, r) {
				r.objects[kind] = noObject
				continue
			}
			object := slices.Clone(m[l.objects.from+uint64(from) : l.objects.from+uint64(ends[from])])
			if kind == inlineTree {
				plainTree(object)
			}
			r.objects[kind] = c.add(object, from%8)
		}
	}
	return c.bytes, nil
}

func kept(kind int, r *record) bool {
	switch kind {
	case argumentMaps, localMaps, stackObjects, openDefers:
		return true
	case inlineTree:
		return r.inlined != nil
	}
	return false // the layout of arguments, and what the tracer skips
}

// objectEnds says where each object ends: where the next one begins. The linker
// lays them down one after the other, and records name all of them.
func objectEnds(l *layout, list []record) (map[uint32]uint32, error) {
	var starts []uint32
	for i := range list {
		for _, from := range list[i].objects {
			if from != noObject {
				starts = append(starts, from)
			}
		}
	}
	slices.SortFunc(starts, cmp.Compare)
	starts = append(slices.Compact(starts), uint32(l.objects.size()))
	ends := make(map[uint32]uint32)
	for i, from := range starts[:len(starts)-1] {
		if from >= starts[i+1] {
			return nil, fmt.Errorf("an object is at %d of %d", from, l.objects.size())
		}
		ends[from] = starts[i+1]
	}
	return ends, nil
}

// plainTree leaves of inlined calls what gorecover reads, the kind of the
// function and where it was called, and takes out name and line.
func plainTree(tree []byte) {
	for ; len(tree) >= inlinedCall; tree = tree[inlinedCall:] {
		binary.LittleEndian.PutUint32(tree[4:], 0)
		binary.LittleEndian.PutUint32(tree[12:], 0)
	}
}

// collector collects objects, each of them once.
type collector struct {
	bytes  []byte
	places map[string]uint32
}

// add puts an object where it is aligned as it was.
func (c *collector) add(object []byte, alignment uint32) uint32 {
	key := string(rune('0'+alignment)) + string(object)
	place, known := c.places[key]
	if !known {
		for uint32(len(c.bytes))%8 != alignment {
			c.bytes = append(c.bytes, 0)
		}
		place = uint32(len(c.bytes))
		c.places[key] = place
		c.bytes = append(c.bytes, object...)
	}
	return place
}
