// Command stress does what makes the runtime read its tables of functions, and
// prints what came of it. With an argument it panics.
package main

import (
	"errors"
	"os"
	"runtime"
	"strings"
)

type node struct {
	left, right *node
	label       string
}

func tree(depth int) *node {
	if depth == 0 {
		return &node{label: strings.Repeat("x", 3)}
	}
	return &node{tree(depth - 1), tree(depth - 1), "n"}
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return n.left.count() + n.right.count() + len(n.label)
}

// deep grows the stack, with pointers into it, and collects at the bottom.
func deep(n int, above *[4]int) int {
	here := [4]int{n, above[0], above[1] + 1, above[2]}
	if n == 0 {
		runtime.GC()
		return here[2]
	}
	garbage := make([]*node, 3)
	garbage[n%3] = &node{label: "deep"}
	got := deep(n-1, &here)
	return got + len(garbage[n%3].label) - here[0] + n
}

type valued struct{ n int }

func (v valued) method() int { return v.n }

type methods interface{ method() int }

// caught runs f and says what it panicked with.
func caught(f func()) (what string) {
	defer func() {
		if err, ok := recover().(error); ok {
			what = err.Error()
		}
	}()
	f()
	return "nothing"
}

func helper() any { return recover() }

// tooDeep recovers one call too far away, which must not recover.
func tooDeep() (what string) {
	defer func() {
		if recover() != nil {
			what = "outer"
		}
	}()
	func() {
		defer func() { func() { recover() }() }()
		defer func() { helper() }()
		defer recover()
		panic("through")
	}()
	return "inner"
}

// direct recovers by a deferred function that has a name, and by a method.
func direct() (what string) {
	what = "recovered"
	defer helper()
	var r interface{ recover() } = recoverer{}
	defer r.recover()
	panic("x")
}

type recoverer struct{}

func (recoverer) recover() { recover() }

func again() (what string) {
	defer func() { what += recover().(error).Error() }()
	defer func() {
		defer func() { what += recover().(error).Error() + ";" }()
		panic(errors.New("second"))
	}()
	panic(errors.New("first"))
}

// squares is a pipeline of goroutines, each of which grows and collects.
func squares(n int) int {
	out := make(chan int)
	for i := range n {
		go func() {
			kept := tree(6)
			sum := deep(200+i, &[4]int{1, 2, 3, 4})
			out <- sum + kept.count()
		}()
	}
	total := 0
	for range n {
		total += <-out
	}
	return total
}

func maps(n int) int {
	m := map[string]*node{}
	for i := range n {
		m[strings.Repeat("k", i%97)+string(rune('a'+i%26))] = tree(i % 4)
	}
	total := 0
	for k, v := range m {
		total += len(k) * v.count()
	}
	return total
}

//go:noinline
func index(s []int, i int) int { return s[i] }

//go:noinline
func call(m methods) int { return m.method() }

func main() {
	if len(os.Args) > 1 {
		println(index(nil, 1))
	}
	var none *valued
	var empty map[string]int
	var anything any = "text"
	println("deep", deep(5000, &[4]int{}))
	println("goroutines", squares(20))
	println("maps", maps(3000))
	println("index", caught(func() { println(index([]int{1}, len(os.Args)+4)) }))
	println("method", caught(func() { println(call(none)) }))
	println("map", caught(func() { empty["a"] = 1 }))
	println("nil", caught(func() { println(none.n) }))
	println("type", caught(func() { println(anything.(int)) }))
	println("interface", caught(func() { println(anything.(methods)) }))
	println("too deep", tooDeep())
	println("direct", direct())
	println("again", again())
}
