package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/server"
)

const (
	serviceBar = 2.5 // what a signed audit over HTTP may take of the engine's own time for the report
	asOf       = "2026-01-01T00:00:00.000Z"

	// The median real manifest.
	medianBytes, medianTools = 20_000, 21
)

// service is a development server on loopback and one body to send to it.
type service struct {
	url    string
	body   []byte
	client *http.Client
	stop   func() error
}

func serve(document []byte) (*service, error) {
	s, err := server.New(server.Config{Listen: "127.0.0.1:0", Dev: true})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return &service{
		url: s.URL() + "/audit", body: slices.Concat([]byte(`{"manifest":`), document, []byte(`}`)),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		stop:   func() error { cancel(); return <-ended },
	}, nil
}

func (s *service) ask() error {
	response, err := s.client.Post(s.url, "application/json", bytes.NewReader(s.body))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the service answers %s", response.Status)
	}
	return nil
}

// audits measures a signed audit beside the engine alone, then the service under
// load.
func audits(_ *inputs, print func(row)) error {
	name, document, err := medianManifest()
	if err != nil {
		return err
	}
	s, err := serve(document)
	if err != nil {
		return err
	}
	var failed error
	alone := func() {
		a, err := engine.Audit(document, engine.Options{AsOf: asOf, Issuer: "https://example.org", Mode: manifest.Wire})
		if err != nil {
			failed = err
			return
		}
		a.JSON()
	}
	asked := func() {
		if err := s.ask(); err != nil {
			failed = err
		}
	}
	ours, theirs := inTurns(501, asked, alone)
	if failed != nil {
		return errors.Join(failed, s.stop())
	}
	print(row{what: "signed audit over HTTP: " + name, ours: ours, theirs: theirs, beside: "engine.Audit of it, in process, unsigned", bar: serviceBar})
	return errors.Join(s.load(print), s.stop())
}

// inTurns returns what two functions take that are called one after the other, so
// that a passing load meets both: the end of the fastest tenth, since an answer
// over a socket waits for four wake-ups, which a busy machine bills to it alone.
func inTurns(runs int, a, b func()) (ofA, ofB time.Duration) {
	for range 20 {
		a()
		b()
	}
	times := [2][]time.Duration{}
	for range runs {
		for i, f := range []func(){a, b} {
			start := time.Now()
			f()
			times[i] = append(times[i], time.Since(start))
		}
	}
	slices.Sort(times[0])
	slices.Sort(times[1])
	return times[0][runs/10], times[1][runs/10]
}

// load finds the highest rate, and what half of it costs in time and memory.
func (s *service) load(print func(row)) error {
	const span = 4 * time.Second
	most, err := s.highest(span)
	if err != nil {
		return err
	}
	before := heap()
	times, err := s.steady(most/2, span)
	if err != nil {
		return err
	}
	after := heap()
	slices.Sort(times)
	rate := fmt.Sprintf("%.0f a second, half of the highest rate (client on the same machine)", most/2)
	print(row{what: "signed audit over HTTP: median at " + rate, ours: times[len(times)/2]})
	print(row{what: "signed audit over HTTP: p99 at " + rate, ours: times[len(times)*99/100]})
	fmt.Printf("\nLive heap before and after these %d reports: %.1f and %.1f MB.\n\n", len(times), before, after)
	return nil
}

func heap() float64 {
	runtime.GC()
	runtime.GC() // what finalisers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// highest is how many reports a second closed loops get.
func (s *service) highest(span time.Duration) (float64, error) {
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var loops sync.WaitGroup
	began := time.Now()
	for range 4 * runtime.GOMAXPROCS(0) {
		loops.Go(func() {
			for time.Since(began) < span && failed.Load() == nil {
				if err := s.ask(); err != nil {
					failed.Store(&err)
				}
				done.Add(1)
			}
		})
	}
	loops.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(done.Load()) / time.Since(began).Seconds(), nil
}

// steady asks at a rate, whether answers come or not, and returns how long each
// took from when it was due.
func (s *service) steady(rate float64, span time.Duration) ([]time.Duration, error) {
	times := make([]time.Duration, int(rate*span.Seconds()))
	if len(times) == 0 {
		return nil, errors.New("the service answers nothing in time")
	}
	errs := make([]error, len(times))
	var open sync.WaitGroup
	began := time.Now()
	for i := range times {
		due := began.Add(time.Duration(float64(i) / rate * float64(time.Second)))
		time.Sleep(time.Until(due))
		open.Go(func() {
			errs[i] = s.ask()
			times[i] = time.Since(due)
		})
	}
	open.Wait()
	return times, errors.Join(errs...)
}

// medianManifest is the corpus's manifest that comes nearest to the median in
// bytes and tools, or a made one.
func medianManifest() (name string, document []byte, err error) {
	files, err := filepath.Glob(filepath.Join(corpus, "manifests", "*", "*.json"))
	if err != nil {
		return "", nil, err
	}
	best := math.Inf(1)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", nil, err
		}
		m, err := manifest.Read(data, manifest.Wire)
		if err != nil {
			continue
		}
		distance := math.Abs(math.Log(float64(len(data))/medianBytes)) + math.Abs(math.Log(float64(len(m.Entries)+1)/(medianTools+1)))
		if distance < best {
			best, document = distance, data
			name = fmt.Sprintf("%s, %d KB, %d tools", strings.TrimPrefix(file, corpus+"/manifests/"), len(data)>>10, len(m.Entries))
		}
	}
	if document == nil {
		return "made, 20 KB", manifestOf("Reads", medianBytes), nil
	}
	return name, document, nil
}
