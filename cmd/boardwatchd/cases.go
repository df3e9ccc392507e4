package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/scenario"
	"boardwatchd/internal/station"
)

// caseList is what --case takes instead of an id to print them all.
const caseList = "list"

// ownByID returns the program's own cases of the given ids, in their order; several ids may stand in one argument. No
// cases and no error: the list was asked for and has been printed.
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

// emulateCases plays cases one after the other at one emulated board. What people would tell the program is printed on
// standard error: nobody is there to tell it to.
func emulateCases(ctx context.Context, e *env, p *players, symlink string) error {
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
	em, err := emulator.New(o)
	if err != nil {
		return err
	}
	return emulator.ServePTY(ctx, em, emulator.PTYOptions{
		Speed: *p.speed, Link: symlink, Ready: func(slave string) { fmt.Fprintln(e.out, slave) },
	})
}

// simulateCases lets the daemon watch one case after the other, each with its own rules and journal.
func simulateCases(ctx context.Context, e *env, p *players, file string) error {
	cases, err := ownByID(e.out, p.cases)
	if err != nil || len(cases) == 0 {
		return err
	}
	conf, dir, err := prepare(e, file)
	if err != nil {
		return err
	}
	if file == "" {
		conf.Log.Level = config.Warn // the cases are what is looked at
	}
	conf.Timing.Latency *= time.Duration(*p.speed)
	messages := newScreen(e.err)
	defer messages.close()
	log := logger(e, conf.Log, messages)
	stamp := time.Now().Format("20060102-150405")
	for i, c := range cases {
		if ctx.Err() != nil {
			break
		}
		name := fmt.Sprintf("simulation-%s-%s", stamp, c.ID)
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		fmt.Fprintf(e.out, "%s: %s (%s)\n", c.ID, c.Title, c.Profile)
		if err := c.Configure(&conf, ""); err != nil {
			return err
		}
		d := newDaemon(e, conf, dir, log)
		d.hurry(*p.speed)
		if err := d.playCase(ctx, c, *p.speed, name); err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
		if !e.quiet {
			fmt.Fprintf(e.err, "the journal: %s\n", filepath.Join(dir, name+journal.Extension))
		}
	}
	return nil
}

// leadIn is how long the daemon has to find the board before a case begins. It is not shortened by --speed.
const leadIn = 3 * time.Second

// playCase watches one case to its end.
func (d *daemon) playCase(ctx context.Context, c *scenario.Case, speed int, name string) (err error) {
	plan, err := c.Plan(leadIn.Microseconds() * int64(speed))
	if err != nil {
		return err
	}
	em, err := emulator.New(plan.Equipment())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	people := &people{plan: plan, speed: int64(speed)}
	d.also = people.hear
	t := serveTable(ctx, em, speed)
	defer func() {
		cancel()
		d.running.Wait()
		people.done.Wait()
		d.out.close()
		err = firstError(err, d.firstFailure())
	}()
	var port string
	select {
	case port = <-t.port:
	case err := <-t.ended:
		return err
	}
	board := config.NewBoard("simulated", port)
	board.WhiteClock = config.ClockLeft
	people.begin = time.Now()
	watched, err := d.watch(ctx, board, link.Spec{Port: port}, name)
	if err != nil {
		return err
	}
	people.done.Go(func() { people.speak(ctx, d.station(board.Name)) })
	return d.untilPlayed(ctx, t, watched)
}

// station returns the station of a board that is watched.
func (d *daemon) station(name string) *station.Station {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stations[name]
}

// people tell the daemon what nobody can see, when their time in the plan has come.
type people struct {
	plan  *scenario.Plan
	speed int64
	begin time.Time
	done  sync.WaitGroup
	mu    sync.Mutex // guards said
	said  scenario.Said
}

// hear takes what the daemon says: the arbiter answers to it.
func (p *people) hear(body []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said.Take(body)
}

func (p *people) speak(ctx context.Context, s *station.Station) {
	if s == nil {
		return
	}
	for i := range p.plan.Cues {
		c := &p.plan.Cues[i]
		t := time.NewTimer(time.Until(p.begin.Add(time.Duration(c.At/p.speed) * time.Microsecond)))
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

// answer is the body of a cue's record; nil where there is nothing to decide.
func (p *people) answer(c *scenario.Cue) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	confirm := ""
	if c.Decides() {
		confirm = p.said.Confirm()
	}
	return c.Body(confirm)
}
