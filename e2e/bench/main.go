// Command bench measures the engine beside JavaScript in one run, natively and
// in Chromium, and prints the table that engine/README.md holds. Speed is
// judged here and never in a test: each figure is a ratio of two times taken in
// the same run on the same machine, side by side.
//
// Ordinary documents come from the corpus where it is at hand
// (../shared/corpus), else they are made.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

// row is one line of the table.
type row struct {
	what   string
	ours   time.Duration
	theirs time.Duration // zero where there is nothing beside it
	beside string
	bar    float64 // the most that ours/theirs may be, or ours in ms where nothing is beside it
}

func (r row) ratio() float64 {
	if r.theirs == 0 {
		return ms(r.ours)
	}
	return float64(r.ours) / float64(r.theirs)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (r row) String() string {
	beside, theirs, unit := r.beside, fmt.Sprintf("%.2f", ms(r.theirs)), " ×"
	if r.theirs == 0 {
		beside, theirs, unit = "–", "–", " ms"
	}
	verdict := "within"
	switch {
	case r.bar == 0 && r.theirs == 0:
		return fmt.Sprintf("| %s | %.2f | – | – | – | – | |", r.what, ms(r.ours))
	case r.bar == 0:
		return fmt.Sprintf("| %s | %.2f | %s | %s | %.3f × | – | |", r.what, ms(r.ours), theirs, beside, r.ratio())
	case r.ratio() > r.bar:
		verdict = "**over**"
	}
	return fmt.Sprintf("| %s | %.2f | %s | %s | %.3f%s | %g%s | %s |", r.what, ms(r.ours), theirs, beside, r.ratio(), unit, r.bar, unit, verdict)
}

func main() {
	skipBrowser := flag.Bool("native", false, "leave the browser out")
	serviceOnly := flag.Bool("service", false, "measure the service alone")
	purchasesOnly := flag.Bool("purchases", false, "measure purchases alone")
	inspectionOnly := flag.Bool("inspect", false, "measure the inspection of the largest manifest alone")
	coldOnly := flag.Bool("cold", false, "measure the first result of a page that was just opened alone")
	flag.Parse()
	parts := []func(*inputs, func(row)) error{digests, ordinaryScreen, hostileScreen, audits, purchases}
	switch {
	case *serviceOnly:
		parts = parts[len(parts)-2 : len(parts)-1]
	case *purchasesOnly:
		parts = parts[len(parts)-1:]
	case *inspectionOnly:
		parts = []func(*inputs, func(row)) error{inspections}
	case *coldOnly:
		parts = []func(*inputs, func(row)) error{firstResults}
	case !*skipBrowser:
		parts = append(parts, browser)
	}
	if err := run(parts); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(parts []func(*inputs, func(row)) error) error {
	in, err := collect()
	if err != nil {
		return err
	}
	defer in.close()
	fmt.Printf("%s, %s, %d cores\n\n", processor(), runtime.Version(), runtime.NumCPU())
	fmt.Println("| what | ours, ms | beside, ms | beside what | ratio | bar | |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	for _, part := range parts {
		if err := part(in, func(r row) { fmt.Println(r) }); err != nil {
			return err
		}
	}
	fmt.Println()
	return sizes()
}

// median runs a function until it is warm and returns the median time of a call.
func median(runs int, f func()) time.Duration {
	for range 3 {
		f()
	}
	times := make([]time.Duration, runs)
	for i := range times {
		start := time.Now()
		f()
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	return times[runs/2]
}
