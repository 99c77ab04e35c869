package cli

import (
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// When the bar appears, and how often it is painted then. Work that is done
// sooner needs none.
const (
	progressAfter = 400 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// progress is a bar on standard error, when that is a terminal. It is painted
// by a timer, so that one long document shows too, and leaves no trace.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	on    bool
	timer *time.Timer
	done  int
	total int
	shown bool
}

func newProgress(w io.Writer, on bool) *progress { return &progress{w: w, on: on} }

// start begins with a number of files to come.
func (p *progress) start(total int) {
	if !p.on {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = total
	p.timer = time.AfterFunc(progressAfter, p.tick)
}

// step says that one more file is done.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
}

func (p *progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return
	}
	io.WriteString(p.w, "\r\x1b[K"+p.bar())
	p.shown = true
	p.timer.Reset(progressEvery)
}

const barWidth = 30

func (p *progress) bar() string {
	full := barWidth * p.done / max(p.total, 1)
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "] " +
		strconv.Itoa(p.done) + " of " + strconv.Itoa(p.total)
}

// around takes the bar off the line while something else is printed there.
func (p *progress) around(print func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
	print()
}

// stop ends it.
func (p *progress) stop() {
	p.mu.Lock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	p.mu.Unlock()
	p.around(func() {})
}
