package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/research/lab"
	"boardwatchd/internal/research/populations"
)

var labCommand = command{
	name: "lab", args: "[--board PORT] [--protocol full|short|FILE] [--out FILE.bwj] | --simulate | --evaluate FILE… | --generated N",
	brief: "two hands: play a protocol of cards at a board and record a labelled capture; say what labelled captures prove\n" +
		"(--simulate lets generated people play; --evaluate prints detection, calibration and the ratio that the data earn)",
	example: "boardwatchd lab --simulate --out evening.bwj && boardwatchd lab --evaluate evening.bwj",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		l := laboratory{env: e}
		l.flags(fs)
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		return l.run(ctx, rest)
	},
}

// laboratory is one call of the command.
type laboratory struct {
	*env
	file, board, out, protocol, operator, players string
	family, format, show, void                    string
	seed                                          uint64
	generated                                     int
	scan                                          time.Duration
	simulate, evaluate                            bool

	broken error // a recording that could be read in part
}

func (l *laboratory) flags(fs *flag.FlagSet) {
	fs.StringVar(&l.file, "c", "", "a configuration, for its state directory, its timing and the figures of two_hands; its boards are ignored")
	fs.StringVar(&l.board, "board", "", "the board's port, as run names it; without it the one board that answers")
	fs.StringVar(&l.out, "out", "", "the journal; one that was stopped is gone on with (default: a new one in the state directory)")
	fs.StringVar(&l.protocol, "protocol", "", "full (30 minutes), short (7 minutes), or a YAML file (default full)")
	fs.StringVar(&l.show, "print-protocol", "", "only print a protocol as a file, to change it")
	fs.StringVar(&l.operator, "operator", "", "who reads the cards out and presses the keys")
	fs.StringVar(&l.players, "players", "", "the two who play, with a comma between them; a name or number that is the same on every evening (default A,B)")
	fs.Uint64Var(&l.seed, "seed", 0, "the same seed shuffles the same cards; 0 draws one")
	fs.BoolVar(&l.simulate, "simulate", false, "generated people play, in no time; needs no board")
	fs.StringVar(&l.family, "family", "jerk", "of --simulate: how generated hands move: "+populations.FamilyNames())
	fs.DurationVar(&l.scan, "scan", 225*time.Millisecond, "of --simulate and --generated: the period of the board's scan, 10ms to 600ms")
	fs.BoolVar(&l.evaluate, "evaluate", false, "judge the labelled captures that follow, journals or timed captures")
	fs.StringVar(&l.void, "void", "", "of --evaluate: leave these cards out, because the film shows something else: 5.12,7.3, or FILE:5.12 where there are several")
	fs.IntVar(&l.generated, "generated", 0, "judge N deeds with one hand, and N/3 with two, of each kind by generated people")
	fs.StringVar(&l.format, "format", "text", "of an evaluation: text or json (one object)")
}

func (l *laboratory) run(ctx context.Context, rest []string) error {
	if err := l.check(rest); err != nil {
		return err
	}
	switch {
	case l.show != "":
		p, err := l.protocolNamed(l.show)
		if err != nil {
			return err
		}
		_, err = l.env.out.Write(p.YAML())
		return err
	case l.evaluate || l.generated > 0:
		return l.evaluation(ctx, rest)
	case l.simulate:
		return l.rehearse(ctx)
	}
	return l.live(ctx)
}

const (
	mostGenerated       = 200_000
	fastScan, slowScan  = 10 * time.Millisecond, 600 * time.Millisecond
	defaultLabProtocols = "full"
)

func (l *laboratory) check(rest []string) error {
	modes := 0
	for _, on := range []bool{l.simulate, l.evaluate, l.generated != 0, l.show != ""} {
		if on {
			modes++
		}
	}
	switch {
	case modes > 1:
		return usage("--simulate, --evaluate, --generated and --print-protocol are four things; choose one")
	case l.evaluate && len(rest) == 0:
		return usage("--evaluate: name at least one labelled capture or journal; boardwatchd lab --simulate makes one")
	case !l.evaluate && len(rest) > 0:
		return usage("%q: lab takes flags only, except behind --evaluate", rest[0])
	case l.generated < 0 || l.generated > mostGenerated:
		return usage("--generated %d: 1 to %d are possible", l.generated, mostGenerated)
	case l.format != "text" && l.format != "json":
		return usage("--format %q: it is text or json", l.format)
	case l.void != "" && !l.evaluate:
		return usage("--void %s: cards are left out of an evaluation only; at the board, r declares one void", l.void)
	case l.scan < fastScan || l.scan > slowScan:
		return usage("--scan %v: %v to %v are possible", l.scan, fastScan, slowScan)
	case l.familyOf() == populations.NoFamily:
		return usage("--family %q: there are %s", l.family, populations.FamilyNames())
	case l.simulate && l.players+l.operator != "":
		return usage("--players and --operator are people at a board; leave them away with --simulate")
	case l.simulate && l.board != "":
		return usage("--simulate needs no board; leave --board %s away", l.board)
	}
	return nil
}

// protocolNamed is one of the program's own, or a file.
func (l *laboratory) protocolNamed(name string) (lab.Protocol, error) {
	switch name {
	case "", defaultLabProtocols:
		return lab.Full(), nil
	case "short":
		return lab.Short(), nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return lab.Protocol{}, usage("--protocol: %v; it is full, short, or a YAML file like that of --print-protocol short", err)
	}
	p, err := lab.ParseProtocol(name, text)
	if err != nil {
		return p, exit{statusUsage, err}
	}
	return p, nil
}

// place is where the journal is, or will be.
func (l *laboratory) place(conf config.Config) (folder, name string, err error) {
	if l.out == "" {
		folder, err = stateDir(l.env, conf)
		return folder, "lab-" + time.Now().Format("20060102-150405"), err
	}
	folder, file := filepath.Split(l.out)
	name, number, ok := journal.ParseSegmentName(file)
	if !ok || number != 1 {
		return "", "", usage("--out %s: a journal's name is letters, digits, - and _, and ends in %s", l.out, journal.Extension)
	}
	return filepath.Clean(folder), name, nil
}

// remembered is the session that a journal holds already; it has none where there is no file.
func (l *laboratory) remembered(path string) (m lab.Memory, err error) {
	src, err := recording.Open(path, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	defer func() { err = firstError(err, src.Close()) }()
	if err := m.Read(src); err != nil {
		return m, err
	}
	if !m.Begun() {
		return m, usage("--out %s: there is a recording of something else; choose another name", path)
	}
	return m, nil
}

func (l *laboratory) note(format string, args ...any) {
	if !l.quiet {
		fmt.Fprintf(l.err, format+"\n", args...)
	}
}

// goodbye tells what to do with the journal.
func (l *laboratory) goodbye(path string) {
	l.note("the journal: %s", path)
	l.note("try: boardwatchd lab --evaluate %s\n     boardwatchd verify %s", path, path)
}

func (l *laboratory) familyOf() populations.Family {
	f, _ := populations.FamilyOf(l.family)
	return f
}

func (l *laboratory) drawn() uint64 {
	if l.seed != 0 {
		return l.seed
	}
	return uint64(time.Now().UnixNano())%1_000_000 + 1
}
