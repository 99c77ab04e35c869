package cli

import (
	"bytes"
	"io"
	"os"
	"syscall"
	"testing"
	"time"
)

var errClosed error = &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, true)
	p.start(4)
	p.step()
	if out.Len() > 0 {
		t.Errorf("painted before its time: %q", out.String())
	}
	p.tick()
	want := "\r\x1b[K[#######.......................] 1 of 4"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	out.Reset()
	p.around(func() { out.WriteString("text\n") })
	p.around(func() { out.WriteString("text\n") })
	if got, want := out.String(), "\r\x1b[Ktext\ntext\n"; got != want {
		t.Errorf("printing around it wrote %q, want %q", got, want)
	}
	out.Reset()
	p.tick()
	p.stop()
	p.tick() // a timer that was about to fire
	if got := out.String(); got != want+"\r\x1b[K" {
		t.Errorf("stopping left %q", got)
	}
}

func TestProgressIsForTerminals(t *testing.T) {
	p := newProgress(io.Discard, false)
	p.start(1000)
	if p.timer != nil {
		t.Error("a bar is to come though nobody sees it")
	}
	p.stop()
	if progressAfter < 300*time.Millisecond {
		t.Errorf("the bar appears after %v: it would flicker", progressAfter)
	}
}
