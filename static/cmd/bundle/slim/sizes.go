package slim

import (
	"fmt"
	"strings"
)

const codeSection = 10

// Sizes returns the bytes of code of each package in a module that the linker
// left whole.
func Sizes(file []byte) (map[string]int, error) {
	m, err := parse(file)
	if err != nil {
		return nil, err
	}
	if err := m.version(); err != nil {
		return nil, err
	}
	l, err := m.memory.layout()
	if err != nil {
		return nil, err
	}
	list, err := m.memory.records(l)
	if err != nil {
		return nil, err
	}
	bodies, err := m.bodies()
	if err == nil && len(bodies) != len(list) {
		err = fmt.Errorf("%d functions have records, %d have code", len(list), len(bodies))
	}
	if err != nil {
		return nil, err
	}
	names := string(m.memory[l.names.from:l.names.to])
	sizes := make(map[string]int)
	for i := range list {
		name, _, _ := strings.Cut(names[min(int(list[i].name), len(names)):], "\x00")
		name, _, _ = strings.Cut(shortName(name, 0), ":") // what the compiler makes for types has no package
		sizes[strings.TrimSuffix(name, ".")] += bodies[i]
	}
	return sizes, nil
}

// bodies are the sizes of the functions' code.
func (m *module) bodies() ([]int, error) {
	var sizes []int
	for _, s := range m.sections {
		if s.id != codeSection {
			continue
		}
		r := &reader{data: s.body}
		for n := r.uint(); n > 0 && r.err == nil; n-- {
			sizes = append(sizes, len(r.take(r.uint())))
		}
		if r.err != nil {
			return nil, fmt.Errorf("the code section: %w", r.err)
		}
	}
	return sizes, nil
}
