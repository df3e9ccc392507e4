package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Verdict is the result of a case.
type Verdict struct {
	Case        *Case
	Presses     []string // the judgements after the preamble
	Finding     *Finding // nil: there is nothing to show
	Differences []string // from the file; empty: the case passes
	Said        *Said    // nil if the case could not be played
}

// Pass reports whether everything is as the file expects it.
func (v *Verdict) Pass() bool { return len(v.Differences) == 0 }

// Judge plays a case and compares. The error is about a record that could not be written; everything else is a
// difference.
func (c *Case) Judge(o Options) (*Verdict, error) {
	v := &Verdict{Case: c, Presses: []string{}}
	for _, p := range c.Problems {
		v.Differences = append(v.Differences, p.Error())
	}
	if c.Broken {
		return v, nil
	}
	said, plan, err := c.Play(o)
	if err != nil {
		v.Differences = append(v.Differences, err.Error())
		return v, nil
	}
	v.Said = said
	v.Presses = said.Presses
	if n := plan.Preamble; len(v.Presses) < n || slices.ContainsFunc(v.Presses[:n], func(code string) bool { return code != "ok" }) {
		v.Differences = append(v.Differences, fmt.Sprintf("the moves before the case: expected %d presses judged ok, got %s", n, listed(v.Presses)))
	}
	v.Presses = v.Presses[min(plan.Preamble, len(v.Presses)):]
	v.Finding = Principal(said.Findings)
	v.Differences = append(v.Differences, Compare(c, v.Presses, v.Finding, said.Findings)...)
	return v, nil
}

// Compare lists the points in which the answer differs from the file's expectation, one line each. Only given keys are
// compared; the prose of articles, window, position and must_play as far as it is definite:
//
//	articles      at least one number in common
//	window        "closed…" means that the finding is expired, "open…" and "always open…" that it is not
//	position      the words restore, stands and queen
//	must_play     the moves after the colon as a set; "any legal move" is an empty list
//
// Everything about the finding itself is compared only where one is expected.
func Compare(c *Case, presses []string, f *Finding, all []*Finding) []string {
	d := &differences{}
	x := &c.Expect
	if !slices.Equal(presses, c.Presses) {
		d.add("press_results", listed(c.Presses), listed(presses))
	}
	switch {
	case x.Finding == "none" && f != nil:
		d.add("finding", "none", f.describe())
	case x.Finding == "none":
	case f == nil:
		d.add("finding", x.Finding, "none")
	case string(f.Kind) != x.Finding:
		d.add("finding", x.Finding, f.describe())
	default:
		d.finding(x, f)
		d.ruling(x, f.Ruling)
	}
	return append(d.lines, broken(c, all)...)
}

func (f *Finding) describe() string {
	return fmt.Sprintf("%s by %s (%s, %s, %s)", f.Kind, orNone(f.Side), f.State, f.Alert, f.kind())
}

type differences struct{ lines []string }

func (d *differences) add(what, want, got string) {
	d.lines = append(d.lines, fmt.Sprintf("%s: expected %s, got %s", what, want, got))
}

// word compares a value if the file gives one; none means no value.
func (d *differences) word(what, want, got string) {
	if want != "" && want != orNone(got) {
		d.add(what, want, orNone(got))
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func listed(s []string) string { return "[" + strings.Join(s, ", ") + "]" }

func (d *differences) finding(x *Expect, f *Finding) {
	d.word("by", x.By, f.Side)
	d.word("proof", x.Proof, f.Proof)
	d.word("alert", x.Alert, f.Alert)
	if want := articleNumbers(x.Articles); len(want) > 0 {
		got := articleNumbers(strings.Join(f.Articles, ", "))
		if !slices.ContainsFunc(want, func(a string) bool { return slices.Contains(got, a) }) {
			d.add("articles", "one of "+listed(want), listed(f.Articles))
		}
	}
	switch closed := f.State == expired; {
	case strings.HasPrefix(x.Window, "closed") && !closed:
		d.add("window", "closed", "a finding that is "+f.State)
	case (strings.HasPrefix(x.Window, "open") || strings.HasPrefix(x.Window, "always open")) && closed:
		d.add("window", "open", "a finding that is "+f.State)
	}
}

func (d *differences) ruling(x *Expect, r *Ruling) {
	if r == nil {
		r = &Ruling{}
	}
	d.word("kind", x.Kind, string(r.Kind))
	if p := x.Position; p == "restore" || p == "stands" || p == "queen" {
		d.word("position", p, r.Position)
	}
	d.word("position_fen", x.PositionFEN, r.PositionFEN)
	d.word("run_clock", x.RunClock, r.RunClock)
	d.word("result", x.Result, r.Result)
	d.sides("bonus", x.Bonus, Sides(r.Bonus))
	d.sides("take_back_increment", x.TakeBack, Sides(r.TakeBack))
	d.sides("strikes_after", x.Strikes, Sides(r.StrikesAfter))
	if want, definite := mustPlay(x.MustPlay); definite {
		got := slices.Clone(r.MustPlay)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			d.add("must_play", listed(want), listed(got))
		}
	}
}

func (d *differences) sides(what string, want *Sides, have Sides) {
	if want != nil && have != *want {
		d.add(what, want.String(), have.String())
	}
}

// String returns {white: 1, black: 2}, without zeros.
func (s Sides) String() string {
	var parts []string
	if s.White != 0 {
		parts = append(parts, fmt.Sprintf("white: %d", s.White))
	}
	if s.Black != 0 {
		parts = append(parts, fmt.Sprintf("black: %d", s.Black))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// mustPlay reads the moves of a must_play line, sorted.
func mustPlay(text string) (moves []string, definite bool) {
	if strings.Contains(text, "any legal move") {
		return nil, true
	}
	_, list, ok := strings.Cut(text, ":")
	if !ok {
		return nil, false
	}
	for _, m := range strings.Split(list, ",") {
		moves = append(moves, strings.TrimSpace(m))
	}
	slices.Sort(moves)
	return moves, true
}

// Prose in article lines: text in brackets, and the years of commentaries.
var (
	inBrackets    = regexp.MustCompile(`\([^)]*\)`)
	commentary    = regexp.MustCompile(`\bAM ?\d{4}\b`)
	articleNumber = regexp.MustCompile(`\b(?:[A-G]\.)?\d+[A-Z]?\d?[a-z]?(?:\.\d+)*\b`)
)

// articleNumbers returns the numbers in a line like "7.5.1, 7.5.5 last sentence", "US 11A, 8F7", "draft A.4.2.1".
func articleNumbers(text string) []string {
	text = inBrackets.ReplaceAllString(text, "")
	text = commentary.ReplaceAllString(text, "")
	return articleNumber.FindAllString(text, -1)
}
