package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/pgn"
)

// players are the flags that simulate and emulate share.
type players struct {
	pgn      *string
	speed    *int
	seed     *uint64
	games    *int
	chess960 *bool
	reversed *bool
	cases    list
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return fmt.Sprint([]string(*l)) }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func playerFlags(fs *flag.FlagSet) *players {
	p := &players{
		pgn:      fs.String("pgn", "", "play the games of this file instead of generated ones"),
		speed:    fs.Int("speed", 1, "times as fast as life"),
		seed:     fs.Uint64("seed", 0, "the same seed plays the same games; 0 draws one"),
		games:    fs.Int("games", 0, "end after so many generated games; 0 goes on until interrupted"),
		chess960: fs.Bool("chess960", false, "generated games begin from a start position of their own"),
		reversed: fs.Bool("reversed", false, "White sits at the far side of the board"),
	}
	fs.Var(&p.cases, "case", "play one of the program's own cases, instead of games; may be given several times; list prints them")
	return p
}

// options turns the flags into an emulated table.
func (p *players) options() (emulator.Options, error) {
	o := emulator.Options{Seed: *p.seed, Count: *p.games}
	o.Board.Reversed = *p.reversed
	o.Generator.Chess960 = *p.chess960
	switch {
	case *p.speed < 1 || *p.speed > 100:
		return o, usage("--speed %d: 1 to 100 are possible", *p.speed)
	case *p.games < 0:
		return o, usage("--games %d: 0 goes on until interrupted, more is a number of games", *p.games)
	}
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())%1_000_000 + 1
	}
	if *p.pgn == "" {
		if o.Count == 0 {
			o.Count = -1
		}
		return o, nil
	}
	games, err := loadPGN(*p.pgn)
	o.Games = games
	return o, err
}

// loadPGN reads the games that the players are to play.
func loadPGN(file string) ([]emulator.Game, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	games, err := pgn.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(games) == 0 {
		return nil, fmt.Errorf("%s: no game in it", file)
	}
	var out []emulator.Game
	for _, g := range games {
		eg := emulator.Game{Start: g.Start, Result: g.Result.String(), End: emulator.EndKings}
		pos, err := g.Start.Position()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, m := range g.Moves {
			eg.Moves = append(eg.Moves, pos.UCI(m.Move))
			pos = pos.After(m.Move)
		}
		if g.Result == pgn.Unknown {
			eg.End = emulator.EndStop
		}
		out = append(out, eg)
	}
	return out, nil
}

var emulateCommand = command{
	name: "emulate", args: "[--pgn FILE] [--case ID]… [--link PATH]", brief: "only the emulated board: prints the path of its port, for other programs",
	example: "boardwatchd emulate --link /tmp/dgtboard --seed 7",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		p := playerFlags(fs)
		symlink := fs.String("link", "", "a symbolic link to the port, kept while the board runs")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usage("%q: emulate takes flags only", rest[0])
		}
		o, err := p.options()
		if err != nil {
			return err
		}
		if len(p.cases) > 0 {
			return emulateCases(ctx, e, p, *symlink)
		}
		o.WaitForHost = true
		em, err := emulator.New(o)
		if err != nil {
			return err
		}
		return emulator.ServePTY(ctx, em, emulator.PTYOptions{
			Speed: *p.speed, Link: *symlink,
			Ready: func(slave string) { fmt.Fprintln(e.out, slave) },
		})
	},
}

var simulateCommand = command{
	name: "simulate", args: "[--pgn FILE] [--case ID]… [--speed X] [--seed N]",
	brief:   "a board, a clock and two players on a pseudo terminal, watched by the daemon through it",
	example: "boardwatchd simulate --speed 10 --games 1",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		p := playerFlags(fs)
		file := fs.String("c", "", "a configuration; its boards are ignored")
		profile := fs.String("profile", "", "judge under this rule profile: "+profileWords()+" (default: the configuration's, else auto)")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usage("%q: simulate takes flags only", rest[0])
		}
		if *profile != "" && len(p.cases) > 0 {
			return usage("--profile %s: each case has its own rules; boardwatchd scenarios --profile judges cases under others", *profile)
		}
		return simulate(ctx, e, p, *file, *profile)
	},
}

// simulate is the daemon of run with an emulated table at the other end of a pseudo terminal.
func simulate(ctx context.Context, e *env, p *players, file, profile string) error {
	o, err := p.options()
	if err != nil {
		return err
	}
	if len(p.cases) > 0 {
		return simulateCases(ctx, e, p, file)
	}
	conf, dir, err := prepare(e, file)
	if err != nil {
		return err
	}
	if profile != "" {
		if err := conf.Choose(profile); err != nil {
			return usage("--profile: %w", err)
		}
	}
	if file == "" {
		conf.Log.Level = config.Warn // the games are what is looked at
	}
	conf.Timing.Latency *= time.Duration(*p.speed) // this computer's own delays count as much more
	o.WaitForHost = true
	em, err := emulator.New(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages := newScreen(e.err)
	defer messages.close()
	d := newDaemon(e, conf, dir, logger(e, conf.Log, messages))
	d.hurry(*p.speed)
	name := fmt.Sprintf("simulation-%s-seed%d", time.Now().Format("20060102-150405"), o.Seed)
	if !e.quiet {
		fmt.Fprintf(e.err, "simulating (seed %d, %d times as fast as life); end with Ctrl-C\n", o.Seed, *p.speed)
	}
	err = d.watchTable(ctx, serveTable(ctx, em, *p.speed), name)
	cancel()
	d.running.Wait()
	d.out.close()
	if !e.quiet {
		path := filepath.Join(dir, name+journal.Extension)
		fmt.Fprintf(e.err, "the journal: %s\ntry: boardwatchd verify %s\n     boardwatchd pgn %s\n", path, path, path)
	}
	return err
}

// hurry makes the daemon's time run faster, so that every patience of the core means the same in a fast game.
func (d *daemon) hurry(speed int) {
	real := d.mono
	d.rate = int64(speed)
	d.mono = func() int64 { return real() * d.rate }
}

// A table is an emulated board that serves in a goroutine of its own.
type table struct {
	port   chan string   // the path, once it is there
	played chan struct{} // closed when the people have gone home
	ended  chan error    // what ended the serving
}

func serveTable(ctx context.Context, em *emulator.Emulator, speed int) table {
	t := table{port: make(chan string, 1), played: make(chan struct{}), ended: make(chan error, 1)}
	go func() {
		t.ended <- emulator.ServePTY(ctx, em, emulator.PTYOptions{
			Speed: speed, Ready: func(slave string) { t.port <- slave }, Done: func() { close(t.played) },
		})
	}()
	return t
}

// watchTable watches an emulated table to its end.
func (d *daemon) watchTable(ctx context.Context, t table, name string) error {
	select {
	case port := <-t.port:
		watched, err := d.watch(ctx, config.NewBoard("simulated", port), link.Spec{Port: port}, name)
		if err != nil {
			return err
		}
		return d.untilPlayed(ctx, t, watched)
	case err := <-t.ended:
		return err
	}
}

// afterwards is how long the daemon looks on when the people have gone home, so that what waits for quiet is said.
const afterwards = 6 * time.Second

// untilPlayed waits for the end of the games, of the patience, or of the emulator.
func (d *daemon) untilPlayed(ctx context.Context, t table, watched <-chan error) error {
	select {
	case <-ctx.Done():
	case err := <-t.ended:
		return err
	case err := <-watched:
		return err
	case <-t.played:
		select {
		case <-ctx.Done():
		case <-time.After(afterwards / time.Duration(d.rate)):
		}
	}
	return nil
}
