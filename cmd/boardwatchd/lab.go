package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/research/lab"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/station"
	"boardwatchd/internal/uptime"
	"boardwatchd/internal/watch"
)

var labCommand = command{
	name: "lab", args: "[--board PORT] [--protocol full|short] [--out FILE.bwj] | --simulate | --evaluate FILE…",
	brief: "two hands: play a protocol of cards at a board and record a labelled capture; say what labelled captures prove\n" +
		"(--simulate lets generated people play; --evaluate prints what is found, and the ratio that the data earn)",
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

// laboratory is one run of the command.
type laboratory struct {
	*env
	options                   lab.Options
	file, board, out, players string
	void                      string
	format                    *string
	simulate, evaluate        bool
}

func (l *laboratory) flags(fs *flag.FlagSet) {
	fs.StringVar(&l.file, "c", "", "a configuration, for its state directory, its timing and the figures of two_hands; its boards are ignored")
	fs.StringVar(&l.board, "board", "", "the board's `PORT`, as run names it; without it the one board that answers")
	fs.StringVar(&l.out, "out", "", "the journal; one that was stopped is gone on with (default: a new one in the state directory)")
	fs.StringVar(&l.options.Protocol, "protocol", "", "full (30 minutes) or short (7 minutes) (default full)")
	fs.StringVar(&l.options.Operator, "operator", "", "who reads the cards out and presses the keys")
	fs.StringVar(&l.players, "players", "", "the two who play, with a comma between them: names or numbers (default A,B)")
	fs.Uint64Var(&l.options.Seed, "seed", 0, "the same seed shuffles the same cards; 0 draws one")
	fs.BoolVar(&l.simulate, "simulate", false, "generated people play, in no time; needs no board")
	fs.BoolVar(&l.evaluate, "evaluate", false, "judge the journals that follow")
	fs.StringVar(&l.void, "void", "", "of --evaluate: leave these cards out, because the film shows something else: 5.12,7.3")
	l.format = formatFlag(fs)
}

func (l *laboratory) run(ctx context.Context, rest []string) error {
	if l.players != "" {
		l.options.Players = strings.Split(l.players, ",")
	}
	_, known := lab.Named(l.options.Protocol)
	switch {
	case l.simulate && l.evaluate:
		return usage("--simulate and --evaluate are two things; choose one")
	case l.evaluate && len(rest) == 0:
		return usage("--evaluate: name at least one journal of the laboratory; boardwatchd lab --simulate makes one")
	case !l.evaluate && len(rest) > 0:
		return usage("%q: lab takes flags only, except after --evaluate", rest[0])
	case checkFormat(*l.format) != nil:
		return checkFormat(*l.format)
	case l.void != "" && len(rest) != 1:
		return usage("--void %s: cards are left out of the evaluation of one journal only", l.void)
	case !known && l.options.Protocol != "":
		return usage("--protocol %q: there are full and short", l.options.Protocol)
	case l.simulate && (l.board != "" || l.players != "" || l.options.Operator != ""):
		return usage("--simulate needs no board and no people")
	}
	conf, err := loadConfig(l.file)
	if err != nil {
		return err
	}
	if l.evaluate {
		if rest, err = recordings(l.env, conf, rest); err != nil {
			return err
		}
		return l.report(conf, rest)
	}
	folder, name, err := l.journalPlace(conf)
	if err != nil {
		return err
	}
	if l.simulate {
		l.begin()
		r := lab.Rehearsal{
			Protocol: l.options.Protocol, Seed: l.options.Seed, Family: populations.Jerk, Dir: folder, Name: name, Software: version,
			Config: conf.Core(config.NewBoard("lab", link.Auto)).Canonical(),
		}
		err = r.Play()
	} else {
		err = l.live(ctx, conf, folder, name)
	}
	if err == nil && !l.quiet {
		path := filepath.Join(folder, name+journal.Extension)
		fmt.Fprintf(l.err, "the journal: %s\ntry: boardwatchd lab --evaluate %s\n", path, path)
	}
	return err
}

// begin sets the defaults.
func (l *laboratory) begin() {
	if l.options.Protocol == "" {
		l.options.Protocol = "full"
	}
	if l.options.Seed == 0 {
		l.options.Seed = uint64(time.Now().UnixNano())%1_000_000 + 1
	}
	if l.players == "" {
		l.options.Players = []string{"A", "B"}
	}
}

// journalPlace is the folder and name of the journal.
func (l *laboratory) journalPlace(conf config.Config) (folder, name string, err error) {
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

func (l *laboratory) report(conf config.Config, files []string) error {
	var list []lab.Recording
	var broken error
	for _, f := range files {
		src, err := recording.Open(f, l.in)
		if err != nil {
			return err
		}
		r, err := lab.Read(src)
		broken = errors.Join(broken, damaged(l.env, src))
		if err = firstError(err, src.Close()); err != nil {
			return err
		}
		for _, card := range strings.FieldsFunc(l.void, func(r rune) bool { return r == ',' }) {
			if !r.LeaveOut(card) {
				return usage("--void: no card %s counts in %s", card, f)
			}
		}
		list = append(list, r)
	}
	r := lab.Evaluate(list, watch.Opening{Config: conf.Core(config.NewBoard("lab", "")).Canonical()}.Hands())
	if *l.format == "text" {
		return firstError(r.Print(l.env.out), broken) // the readable part was judged, but that is no success
	}
	return firstError(json.NewEncoder(l.env.out).Encode(r), broken)
}

// earlierLabels are the labels of a journal that is continued; none if there is no file.
func earlierLabels(path string) ([]lab.Label, error) {
	src, err := recording.Open(path, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := lab.Read(src)
	return r.Labels, firstError(err, src.Close())
}

// live runs a protocol with people at a board.
func (l *laboratory) live(ctx context.Context, conf config.Config, folder, name string) error {
	labels, err := earlierLabels(filepath.Join(folder, name+journal.Extension))
	if err != nil {
		return err
	}
	if len(labels) == 0 {
		l.begin()
	}
	session, err := lab.NewSession(l.options, labels)
	if err != nil {
		return usage("%v", err)
	}
	port := l.board
	if port == "" {
		f := link.Finder{Settle: conf.Timing.Settle}
		found, err := f.Scan(ctx)
		if len(found) != 1 {
			return fmt.Errorf("%d boards answer: name one with --board (%s); without one, boardwatchd lab --simulate plays the protocol", len(found), link.WhyNone(err))
		}
		port = found[0].Path
	}
	messages := console.NewScreen(l.err)
	defer messages.Close()
	conf.Log.Level = max(conf.Log.Level, config.Warn) // the cards must stay visible
	start := uptime.Now()
	st, err := station.Open(station.Options{
		Board: "lab", Dir: folder, Journal: name, Config: conf.Core(config.NewBoard("lab", port)).Canonical(), Software: version, Boot: station.BootID(l.getenv),
		Wall: time.Now, Mono: func() int64 { return (uptime.Now() - start).Microseconds() }, Log: logger(l.env, conf.Log, messages),
		Sync: conf.Journal.Sync / 2, Segment: conf.Journal.Segment,
	})
	if err != nil {
		return err
	}
	st.Connect(link.Spec{Port: port, Settle: conf.Timing.Settle})
	return l.evening(ctx, st, session)
}

// labTable is the part of a station that the evening uses.
type labTable interface {
	Instruct(ctx context.Context, body []byte) error
	Run(ctx context.Context) error
}

// evening is the session at the terminal, while the board is watched and recorded. The loop owns the session; keys come
// from a goroutine of their own, which ends with the input, or with the process.
func (l *laboratory) evening(ctx context.Context, t labTable, s *lab.Session) (err error) {
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- t.Run(watching) }()
	keys := make(chan lab.Key)
	go func() {
		for in := bufio.NewScanner(l.in); watching.Err() == nil; {
			k := lab.QuitKey // the input has ended: the operator is gone
			if in.Scan() {
				k = labKey(in.Text())
			}
			select {
			case keys <- k:
			case <-watching.Done():
			}
		}
	}()
	bodies := [][]byte{lab.PauseBody()}
	for err == nil {
		for _, label := range s.Take() {
			bodies = append(bodies, label.Body())
		}
		for _, body := range bodies {
			err = firstError(err, instruct(watching, t, body)) // a label in the journal is not lost by an interrupt
		}
		bodies = nil
		fmt.Fprintf(l.env.out, "\n%s\n", strings.Join(s.Screen(), "\n  "))
		if s.Over() {
			break
		}
		select {
		case <-ctx.Done():
			s.Key(lab.QuitKey)
		case k := <-keys:
			s.Key(k)
		case err = <-ended:
			return firstError(err, errors.New("the board is not watched any more"))
		}
	}
	stop()
	return firstError(<-ended, err)
}

// labKey parses a line of the operator: a letter, or Enter alone.
func labKey(line string) lab.Key {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "":
		return lab.Enter
	case "r":
		return lab.RepeatKey
	case "s":
		return lab.SkipKey
	case "q":
		return lab.QuitKey
	}
	return lab.NoKey
}

// instruct journals a label. A disk that does not take it now may take it later: the station reports it.
func instruct(ctx context.Context, t labTable, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err := t.Instruct(ctx, body)
	if errors.Is(err, station.ErrNotSaved) {
		return nil
	}
	return err
}
