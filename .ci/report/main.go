// Report reads the events of go test -json and prints what go test prints without -v: a line for each package, and the
// whole output of tests that failed. The file given as argument gets "PASSED FAILED" (tests, without subtests) on its
// first line; then the slowest packages, and the tests that were skipped with their reasons.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
)

// event is one line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

const slowest = 15

type test struct{ pkg, name string }

type duration struct {
	pkg     string
	seconds float64
	cached  bool
}

type report struct {
	passed, failed int
	packages       []duration
	skipped        []string
	cached         map[string]bool
	output         map[test]string // of a test and its subtests, until it has ended
	reason         map[test]string // the last line that a test or a subtest has printed
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go test -json ./... | go run ./.ci/report FILE")
	}
	r := report{cached: map[string]bool{}, output: map[test]string{}, reason: map[test]string{}}
	in := bufio.NewReader(os.Stdin)
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
	if err := os.WriteFile(os.Args[1], []byte(r.summary()), 0o644); err != nil {
		log.Fatal(err)
	}
}

func (r *report) see(e event) {
	name, _, sub := strings.Cut(e.Test, "/")
	root, exact := test{e.Package, name}, test{e.Package, e.Test}
	switch {
	case e.Action == "build-output":
		fmt.Print(e.Output)
	case e.Action == "output" && e.Test == "":
		if strings.HasSuffix(e.Output, "\t(cached)\n") {
			r.cached[e.Package] = true
		}
		if e.Output != "PASS\n" && !strings.Contains(e.Output, "[no test files]") {
			fmt.Print(e.Output)
		}
	case e.Action == "output":
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
		r.failed++
		fmt.Print(r.output[root])
		delete(r.output, root)
	}
}

func (r *report) summary() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.passed, r.failed)
	slices.SortFunc(r.packages, func(a, b duration) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintf(&b, "\nThe slowest %d of %d packages, in seconds:\n", min(slowest, len(r.packages)), len(r.packages))
	for _, p := range r.packages[:min(slowest, len(r.packages))] {
		note := ""
		if p.cached {
			note = " (cached)"
		}
		fmt.Fprintf(&b, "%8.1f  %s%s\n", p.seconds, p.pkg, note)
	}
	if len(r.skipped) > 0 {
		fmt.Fprintln(&b, "\nTests that were skipped:")
	}
	for _, s := range r.skipped {
		fmt.Fprintln(&b, "  "+s)
	}
	return b.String()
}
