package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/enginetest"
	"github.com/manifestseal/manifestseal/engine/screen"
	"github.com/manifestseal/manifestseal/static"
)

// Bars of the design: what our time may be of JavaScript's.
const (
	digestBar       = 0.25
	screenBar       = 0.2
	hostileBar      = 5
	digestWASMBar   = 1.25
	screenWASMBar   = 0.5
	compareWASMBar  = 150  // ms of engine time
	coldBar         = 1000 // ms from navigation to the first result
	hostileUnits    = 512 << 10
	bundleBarBrotli = 800 << 10
)

func node(v any, args ...string) error {
	cmd := exec.Command("node", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("node %s: %w", args[0], err)
	}
	return json.Unmarshal(out, v)
}

func fromMS(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

func digests(in *inputs, print func(row)) error {
	for _, file := range in.manifests {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		ours, theirs, tools, err := besideThree(func() {
			if _, err := engine.Digest(data, engine.Options{}); err != nil {
				panic(err)
			}
		}, "e2e/conformance/bench_digest.mjs", file)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(file, corpus+"/manifests/")
		if strings.HasPrefix(file, in.dir) {
			name = filepath.Base(file)
		}
		print(row{
			what: fmt.Sprintf("read, canonicalise, digest: %s, %d KB, %d tools", name, len(data)>>10, tools),
			ours: ours, theirs: theirs, beside: "JSON.parse, sorted stringify, node:crypto", bar: digestBar,
		})
	}
	return nil
}

// besideThree takes the middle one of three programs of Node: what V8 makes of one
// and the same code differs from start to start by half.
func besideThree(f func(), args ...string) (ours, theirs time.Duration, tools int, err error) {
	type times struct{ ours, theirs time.Duration }
	var all []times
	for range 3 {
		if ours, theirs, tools, err = besideNode(f, args...); err != nil {
			return 0, 0, 0, err
		}
		all = append(all, times{ours, theirs})
	}
	slices.SortFunc(all, func(a, b times) int {
		return cmp.Compare(float64(a.ours)/float64(a.theirs), float64(b.ours)/float64(b.theirs))
	})
	return all[1].ours, all[1].theirs, tools, nil
}

// besideNode measures a function beside a program of Node that works once for each
// line that it is sent: one run of ours, one of theirs, so that whatever else
// the machine does meets both. It gives the end of the fastest tenth of each.
func besideNode(f func(), args ...string) (ours, theirs time.Duration, tools int, err error) {
	cmd := exec.Command("node", args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, 0, err
	}
	const warm, runs = 20, 101
	var a, b []time.Duration
	answers := bufio.NewReader(out)
	if _, err = fmt.Fscanln(answers, &tools); err != nil {
		return 0, 0, 0, fmt.Errorf("node %s: %w", args[0], errors.Join(err, cmd.Wait()))
	}
	for i := range warm + runs {
		start := time.Now()
		f()
		took := time.Since(start)
		var ms float64
		_, err = fmt.Fprintln(in)
		if err == nil {
			_, err = fmt.Fscanln(answers, &ms)
		}
		if err != nil {
			return 0, 0, 0, fmt.Errorf("node %s: %w", args[0], errors.Join(err, cmd.Wait()))
		}
		if i >= warm {
			a, b = append(a, took), append(b, fromMS(ms))
		}
	}
	slices.Sort(a)
	slices.Sort(b)
	return a[runs/10], b[runs/10], tools, errors.Join(in.Close(), cmd.Wait())
}

func ordinaryScreen(in *inputs, print func(row)) error {
	var v8 struct {
		Texts int     `json:"texts"`
		Units int     `json:"units"`
		MS    float64 `json:"ms"`
		Prose float64 `json:"prose_ms"`
	}
	if err := node(&v8, "e2e/conformance/bench_screen.mjs", in.rulebook, in.textsFile); err != nil {
		return err
	}
	in.prose = v8.Prose
	scanner := screen.NewScanner(screen.Injection())
	ours := median(15, func() {
		for _, t := range in.texts {
			scanner.Scan(t)
		}
	})
	print(row{
		what: fmt.Sprintf("screen, four views: %d descriptions, %d KB", v8.Texts, v8.Units>>10),
		ours: ours, theirs: fromMS(v8.MS), beside: "V8's RegExp", bar: screenBar,
	})
	return nil
}

func hostileScreen(in *inputs, print func(row)) error {
	texts := enginetest.Hostile(hostileUnits)
	worst, worstTime := "", time.Duration(0)
	scanner := screen.NewScanner(screen.Injection())
	for _, name := range sorted(texts) {
		if t := median(3, func() { scanner.Scan(texts[name]) }); t > worstTime {
			worst, worstTime = name, t
		}
	}
	print(row{
		what: fmt.Sprintf("screen, four views: the worst of %d hostile texts of 512 Ki units (%s)", len(texts), worst),
		ours: worstTime, theirs: fromMS(in.prose), beside: "V8's RegExp on as much prose", bar: hostileBar,
	})
	return nil
}

func sorted(texts map[string]string) []string {
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(name, " \t:"))
		}
	}
	return "unknown processor"
}

// sizes prints what the browser loads.
func sizes() error {
	assets, err := static.New(static.Dist())
	if err != nil {
		return err
	}
	fmt.Println("| asset | raw | brotli |")
	fmt.Println("| --- | --- | --- |")
	for _, name := range []string{"engine.wasm", "compare.js", "worker.js", "site.css"} {
		url, _, ok := assets.Lookup(name)
		if !ok {
			return fmt.Errorf("no asset %s", name)
		}
		file := filepath.Join("static/dist", filepath.Base(url))
		raw, err := os.Stat(file)
		if err != nil {
			return err
		}
		packed, err := os.Stat(file + ".br")
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %d | %d |\n", name, raw.Size(), packed.Size())
		if name == "engine.wasm" && packed.Size() > bundleBarBrotli {
			fmt.Printf("\nThe engine is over its bar of %d bytes.\n", bundleBarBrotli)
		}
	}
	return nil
}
