package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/scenario"
	"boardwatchd/internal/station"
)

// caseList is the value of --case that prints all cases.
const caseList = "list"

// ownByID returns the program's own cases with the given ids, in their order; one argument may have several ids. If it
// returns no cases and no error, the list was requested and has been printed.
func ownByID(w io.Writer, args list) (cases []*scenario.Case, err error) {
	own := scenario.Own()
	var ids []string
	for i := range own {
		ids = append(ids, own[i].ID)
	}
	for _, arg := range args {
		for id := range strings.SplitSeq(arg, ",") {
			if id = strings.TrimSpace(id); id == caseList {
				return nil, printCases(w, own)
			}
			found := false
			for i := range own {
				if own[i].ID == id {
					cases, found = append(cases, &own[i]), true
				}
			}
			if !found {
				return nil, usage("--case %s: there is no such case%s; --case list prints them", id, scenario.Near(id, ids))
			}
		}
	}
	return cases, nil
}

func printCases(w io.Writer, own []scenario.Case) error {
	for i := range own {
		c := &own[i]
		if _, err := fmt.Fprintf(w, "%-28s %s (%s)\n", c.ID, c.Title, c.Profile); err != nil {
			return err
		}
	}
	return nil
}

// emulateCases plays cases one after the other at one emulated board. The inputs that people would make are printed on
// standard error, because no program receives them.
func emulateCases(ctx context.Context, e *env, p *playFlags, symlink string) error {
	cases, err := ownByID(e.out, p.cases)
	if err != nil || len(cases) == 0 {
		return err
	}
	plan, err := scenario.Programme(cases)
	if err != nil {
		return err
	}
	if !e.quiet {
		for _, c := range cases {
			fmt.Fprintf(e.err, "%s: %s\n", c.ID, c.Title)
		}
		for _, c := range plan.Cues {
			fmt.Fprintf(e.err, "%8.1f s after a program has asked for updates, somebody would tell it: %s\n", float64(c.At)/1e6, c.Text)
		}
	}
	o := plan.Equipment()
	o.WaitForHost = true
	return emulator.ServePTY(ctx, emulator.New(o), emulator.PTYOptions{
		Speed: *p.speed, Link: symlink, Ready: func(slave string) { fmt.Fprintln(e.out, slave) },
	})
}

// playCases watches one case after the other, each with its own rules and journal.
func (s *simulation) playCases(ctx context.Context, cases []*scenario.Case) (journals []string, err error) {
	for i, c := range cases {
		if ctx.Err() != nil || s.daemon.Failure() != nil {
			break
		}
		if i > 0 {
			s.lines.Show("")
		}
		s.lines.Show(fmt.Sprintf("%s: %s (%s)", c.ID, c.Title, c.Profile))
		if err := c.Configure(&s.conf, ""); err != nil {
			return journals, fmt.Errorf("case %s: %w", c.ID, err)
		}
		t, err := s.caseTable(c)
		if err != nil {
			return journals, fmt.Errorf("case %s: %w", c.ID, err)
		}
		journals = append(journals, t.journal)
		s.watch(ctx, []*table{t}, s.stay && i == len(cases)-1)
	}
	return journals, nil
}

// leadIn is the time for the daemon to find the board before a case begins. It is not shortened by --speed.
const leadIn = 3 * time.Second

// caseTable is the table of a case, with the people who make the inputs and decisions.
func (s *simulation) caseTable(c *scenario.Case) (*table, error) {
	plan, err := c.Plan(leadIn.Microseconds() * int64(*s.speed))
	if err != nil {
		return nil, err
	}
	people := &speakers{plan: plan, speed: int64(*s.speed)}
	t := &table{board: config.NewBoard(s.tableNames()[0], ""), journal: s.stamp + "-" + c.JournalName(), device: emulator.New(plan.Equipment()), hear: people.hear, tell: people.speak}
	t.board.WhiteClock = config.ClockLeft
	return t, nil
}

// speakers make the inputs of people at their times in the case's plan.
type speakers struct {
	plan  *scenario.Plan
	speed int64
	mu    sync.Mutex // guards said
	said  scenario.Said
}

// hear receives the daemon's output, to which the arbiter responds.
func (p *speakers) hear(body []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said.Take(body)
}

func (p *speakers) speak(ctx context.Context, s *station.Station, begin time.Time) {
	if s == nil {
		return
	}
	for i := range p.plan.Cues {
		c := &p.plan.Cues[i]
		t := time.NewTimer(time.Until(begin.Add(time.Duration(c.At/p.speed) * time.Microsecond)))
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
		}
		if body := p.answer(c); body != nil && !s.Put(station.Input{At: s.Now(), Kind: c.Kind, Body: body}) {
			return
		}
	}
}

// answer is the body of the record for a cue; nil if there is nothing to decide.
func (p *speakers) answer(c *scenario.Cue) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	confirm := ""
	if c.Decides() {
		confirm = p.said.Confirm()
	}
	return c.Body(confirm)
}
