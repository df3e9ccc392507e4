// Report runs go test and prints what it prints without -v: a line for each package, and the whole output of tests that
// failed. The file given as first argument gets "PASSED FAILED" (tests, without subtests) on its first line; then the
// slowest packages, the tests that were skipped with their reasons, and what failed.
//
// The end-to-end tests run eight at once beside other packages, with real time in the programs that they start: on a
// machine that is busy or slow, some program is starved now and then. So a few tests that failed are run again, each
// alone: what fails again has failed, and what passes is listed as such. What no load explains is not run again: a data
// race, a panic, a test that was cut off, or more failures than alone.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// event is one line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

const (
	slowest = 15
	alone   = 5 // the most failed tests that are run again
)

// said is a line that a test wrote, not a program that it started.
var said = regexp.MustCompile(`^\s+\w+_test\.go:\d+: `)

// inherent begins what no load explains.
var inherent = []string{"panic: ", "fatal error: ", "WARNING: DATA RACE", "race detected during execution of test"}

type test struct{ pkg, name string }

type duration struct {
	pkg     string
	seconds float64
	cached  bool
}

type report struct {
	passed   int
	failed   []test
	inherent bool // a failure that no load explains
	packages []duration
	skipped  []string
	again    []string // the tests that passed when they were run again
	lines    []string // what the failed tests themselves said
	cached   map[string]bool
	output   map[test]string // of a test and its subtests, until it has ended
	reason   map[test]string // the last line that a test or a subtest has printed
}

func newReport() *report {
	return &report{cached: map[string]bool{}, output: map[test]string{}, reason: map[test]string{}}
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: report FILE ARGUMENTS OF GO TEST, its packages last")
	}
	flags, packages := split(os.Args[2:])
	r := newReport()
	ok := r.run(append(flags, packages...))
	if !ok && len(r.failed) > 0 && len(r.failed) <= alone && !r.inherent {
		ok = r.runAgain(flags)
	}
	if err := os.WriteFile(os.Args[1], []byte(r.summary()), 0o644); err != nil {
		log.Fatal(err)
	}
	if !ok {
		os.Exit(1)
	}
}

// split parts the flags, each one argument ("-timeout=30m"), from the packages.
func split(args []string) (flags, packages []string) {
	n := slices.IndexFunc(args, func(s string) bool { return !strings.HasPrefix(s, "-") })
	if n < 0 {
		n = len(args)
	}
	return slices.Clone(args[:n]), args[n:]
}

// run is go test; it tells whether it passed.
func (r *report) run(args []string) bool {
	c := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := c.Start(); err != nil {
		log.Fatal(err)
	}
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) != nil {
			os.Stdout.Write(line) // the go command's own words
		} else {
			r.see(e)
		}
		if err != nil {
			break
		}
	}
	return c.Wait() == nil
}

// runAgain runs each test that failed alone, and tells whether all have passed now.
func (r *report) runAgain(flags []string) bool {
	failed := r.failed
	r.failed = nil
	for _, t := range failed {
		fmt.Printf("again, alone: %s %s\n", t.pkg, t.name)
		once := newReport()
		if once.run(append(slices.Clone(flags), "-count=1", "-run=^"+t.name+"$", t.pkg)) && once.passed == 1 {
			r.passed++
			r.again = append(r.again, t.pkg+" "+t.name)
			continue
		}
		r.failed = append(r.failed, t)
		r.lines = append(r.lines, once.lines...)
	}
	return len(r.failed) == 0
}

func (r *report) see(e event) {
	name, _, sub := strings.Cut(e.Test, "/")
	root, exact := test{e.Package, name}, test{e.Package, e.Test}
	switch {
	case e.Action == "build-output":
		r.inherent = true
		fmt.Print(e.Output)
	case e.Action == "output" && e.Test == "":
		r.inherent = r.inherent || isInherent(e.Output)
		if strings.HasSuffix(e.Output, "\t(cached)\n") {
			r.cached[e.Package] = true
		}
		if e.Output != "PASS\n" && !strings.Contains(e.Output, "[no test files]") {
			fmt.Print(e.Output)
		}
	case e.Action == "output":
		r.inherent = r.inherent || isInherent(e.Output)
		r.output[root] += e.Output
		if text := strings.TrimSpace(e.Output); text != "" && !strings.HasPrefix(text, "===") && !strings.HasPrefix(text, "---") {
			r.reason[exact] = text
		}
	case e.Test == "" && (e.Action == "pass" || e.Action == "fail"):
		r.packages = append(r.packages, duration{e.Package, e.Elapsed, r.cached[e.Package]})
		for left, text := range r.output { // tests that a crash or the end of their time has cut off
			if left.pkg == e.Package {
				fmt.Print(text)
				delete(r.output, left)
			}
		}
	case e.Action == "skip" && e.Test != "":
		r.skipped = append(r.skipped, e.Package+" "+e.Test+": "+r.reason[exact])
		if !sub {
			delete(r.output, root)
		}
	case sub:
	case e.Action == "pass":
		r.passed++
		delete(r.output, root)
	case e.Action == "fail":
		r.failed = append(r.failed, root)
		fmt.Print(r.output[root])
		r.lines = append(r.lines, fmt.Sprintf("%s %s", e.Package, name))
		for line := range strings.Lines(r.output[root]) {
			if said.MatchString(line) {
				r.lines = append(r.lines, cut(strings.TrimRight(line, "\n")))
			}
		}
		delete(r.output, root)
	}
}

func isInherent(line string) bool {
	return slices.ContainsFunc(inherent, func(s string) bool { return strings.HasPrefix(strings.TrimSpace(line), s) })
}

// cut leaves what fits on a screen.
func cut(line string) string {
	const most = 600
	if len(line) > most {
		return line[:most] + "…"
	}
	return line
}

func (r *report) summary() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.passed, len(r.failed))
	slices.SortFunc(r.packages, func(a, b duration) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintf(&b, "\nThe slowest %d of %d packages, in seconds:\n", min(slowest, len(r.packages)), len(r.packages))
	for _, p := range r.packages[:min(slowest, len(r.packages))] {
		note := ""
		if p.cached {
			note = " (cached)"
		}
		fmt.Fprintf(&b, "%8.1f  %s%s\n", p.seconds, p.pkg, note)
	}
	list(&b, "Tests that were skipped:", r.skipped)
	list(&b, "Tests that failed beside others and passed alone:", r.again)
	list(&b, "What failed, beside others or alone:", r.lines)
	return b.String()
}

func list(b *strings.Builder, head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(b, "\n"+head)
	for _, s := range lines {
		fmt.Fprintln(b, "  "+s)
	}
}
