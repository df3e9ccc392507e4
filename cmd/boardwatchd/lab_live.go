package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/research/lab"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/station"
	"boardwatchd/internal/uptime"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// rehearse lets generated people play.
func (l *laboratory) rehearse(ctx context.Context) error {
	p, err := l.protocolNamed(l.protocol)
	if err != nil {
		return err
	}
	conf, err := loadConfig(l.file)
	if err != nil {
		return err
	}
	folder, name, err := l.place(conf)
	if err != nil {
		return err
	}
	seed, last := l.drawn(), 0
	board := config.NewBoard("lab", link.Auto)
	r := lab.Rehearsal{
		Protocol: p, Seed: seed, Family: l.familyOf(), Board: populations.Board{PeriodUS: l.scan.Microseconds()},
		Dir: folder, Name: name, Software: version, Config: conf.Core(board).Canonical(),
		Show: func(s lab.Screen) {
			if s.Block != last {
				last = s.Block
				l.note("block %d of %d: %s, %d cards; the first: %s. %s", s.Block, s.Blocks, s.What, s.Of, s.Headline, strings.Join(s.Text, " "))
			}
		},
		Halt: func(int) bool { return ctx.Err() != nil },
	}
	l.note("generated people play the protocol %s (%d cards, seed %d, scan %v)", p.Name, p.Cards(), seed, l.scan)
	switch err := r.Play(); {
	case errors.Is(err, journal.ErrExists):
		return fmt.Errorf("%s is there already, and a rehearsal is never gone on with: choose another --out", filepath.Join(folder, name+journal.Extension))
	case err != nil:
		return err
	}
	l.goodbye(filepath.Join(folder, name+journal.Extension))
	return nil
}

// live plays a protocol with people at a board.
func (l *laboratory) live(ctx context.Context) error {
	conf, err := loadConfig(l.file)
	if err != nil {
		return err
	}
	folder, name, err := l.place(conf)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, name+journal.Extension)
	memory, err := l.remembered(path)
	if err != nil {
		return err
	}
	begin, err := l.session(&memory)
	if err != nil {
		return err
	}
	port, err := l.port(ctx, conf)
	if err != nil {
		return err
	}
	views := make(chan labBoard, 1)
	messages := console.NewScreen(l.err)
	defer messages.Close()
	conf.Log.Level = max(conf.Log.Level, config.Warn) // the cards are what is looked at
	start := uptime.Now()
	st, err := station.Open(station.Options{
		Board: "lab", Dir: folder, Journal: name, Config: conf.Core(config.NewBoard("lab", port)).Canonical(), Software: version, Boot: station.BootID(l.getenv),
		Wall: time.Now, Mono: func() int64 { return (uptime.Now() - start).Microseconds() }, Log: logger(l.env, conf.Log, messages),
		Sync: conf.Journal.Sync / 2, Segment: conf.Journal.Segment,
		Seen: func(v watch.View, _ []watch.Touch) { post(views, v) },
	})
	if err != nil {
		return err
	}
	st.Connect(link.Spec{Port: port, Settle: conf.Timing.Settle})
	return l.evening(ctx, st, views, begin, path)
}

// labBoard is what the station shows of the board.
type labBoard struct {
	read    bool
	squares legal.Placement // by the board's own numbers
	link    string          // watch.View.Link
}

// post leaves the newest board in the box: the loop of the station must not wait.
func post(box chan labBoard, v watch.View) {
	b := labBoard{link: v.Link}
	if setup, err := legal.ParseFEN(v.Placement + " w - - 0 1"); v.Placement != "" && err == nil {
		b.read, b.squares = true, setup.Placement
	}
	if v.Reversed {
		slices.Reverse(b.squares[:]) // the session finds out for itself how the board lies
	}
	select {
	case <-box:
	default:
	}
	select {
	case box <- b:
	default:
	}
}

// missed says why nothing is heard of the board.
func (b labBoard) missed() string {
	switch b.link {
	case "down":
		return "The board is gone: look at its cable. What was done is saved."
	case "silent":
		return "The board does not answer: look at its cable. What was done is saved."
	case "wrong_board":
		return "Another board answers there."
	}
	return ""
}

// session says how the session begins: anew, or where the journal stopped.
func (l *laboratory) session(m *lab.Memory) (func(now int64) (*lab.Session, error), error) {
	o := lab.Options{Seed: l.seed, Operator: l.operator}
	if l.players != "" {
		o.Players = strings.Split(l.players, ",")
	}
	var chosen *lab.Protocol
	if l.protocol != "" || !m.Begun() {
		p, err := l.protocolNamed(l.protocol)
		if err != nil {
			return nil, err
		}
		chosen = &p
	}
	if m.Begun() {
		if _, err := m.Resume(chosen, o, 0); err != nil {
			return nil, usage("--out %s: %v", l.out, err)
		}
		return func(now int64) (*lab.Session, error) { return m.Resume(chosen, o, now) }, nil
	}
	if o.Players == nil {
		o.Players = []string{"A", "B"}
	}
	o.Seed = l.drawn()
	if _, err := lab.NewSession(*chosen, o, 0); err != nil {
		return nil, usage("--players %s: %v", l.players, err)
	}
	return func(now int64) (*lab.Session, error) { return lab.NewSession(*chosen, o, now) }, nil
}

// port is the one that was named, or that of the only board.
func (l *laboratory) port(ctx context.Context, conf config.Config) (string, error) {
	if l.board != "" {
		return l.board, nil
	}
	f := link.Finder{Settle: conf.Timing.Settle}
	found, err := f.Scan(ctx)
	switch {
	case len(found) == 1:
		return found[0].Path, nil
	case len(found) > 1:
		var list []string
		for _, b := range found {
			list = append(list, b.Path+" (board "+b.Serial+")")
		}
		return "", usage("there are %d boards: choose one with --board: %s", len(found), strings.Join(list, ", "))
	}
	return "", fmt.Errorf("there is no board: %s\nwithout one, boardwatchd lab --simulate plays the protocol with generated people", link.WhyNone(err))
}

// labTable is what the evening needs of a station.
type labTable interface {
	Now() int64
	Instruct(ctx context.Context, body []byte) error
	Run(ctx context.Context) error
}

// tickEvery is how often time is looked at; the session waits for a second at most.
const tickEvery = 100 * time.Millisecond

// evening is the session at the terminal. The loop owns the session; keys and boards come from their own goroutines.
func (l *laboratory) evening(ctx context.Context, t labTable, boards <-chan labBoard, begin func(int64) (*lab.Session, error), path string) error {
	watching, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- t.Run(watching) }()
	screen := newLabScreen(l.env)
	err := l.sit(ctx, t, boards, ended, begin, screen)
	screen.close()
	stop()
	if serr := <-ended; serr != nil {
		err = firstError(serr, err)
	}
	if err == nil {
		l.goodbye(path)
	}
	return err
}

func (l *laboratory) sit(ctx context.Context, t labTable, boards <-chan labBoard, ended chan error, begin func(int64) (*lab.Session, error), screen *labScreen) error {
	// What is journalled is not lost with an interrupt: the labels have a context of their own.
	saving := context.WithoutCancel(ctx)
	if err := instruct(saving, t, lab.PauseBody()); err != nil {
		return err
	}
	s, err := begin(t.Now())
	if err != nil {
		return err
	}
	keys := screen.keys()
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	var board labBoard
	take := func(b labBoard) {
		if board = b; b.read {
			s.Board(t.Now(), b.squares)
		}
	}
	for {
		for _, label := range s.Take() {
			if err := instruct(saving, t, label.Body()); err != nil {
				return err
			}
		}
		shown := s.Screen(t.Now())
		if lost := board.missed(); lost != "" && !s.Over() {
			shown.Wrong = lost
		}
		screen.show(shown)
		if s.Over() {
			return nil
		}
		select {
		case <-ctx.Done():
			s.Key(t.Now(), lab.QuitKey)
		case k := <-keys:
			select {
			case b := <-boards: // it was there before the key
				take(b)
			default:
			}
			s.Key(t.Now(), k)
		case b := <-boards:
			take(b)
		case <-tick.C:
			s.Tick(t.Now())
		case err := <-ended:
			ended <- err // for the caller
			return firstError(err, errors.New("the board is not watched any more"))
		}
	}
}

// instruct journals a label. A disk that does not take it now may take it later: the station tells about it.
func instruct(ctx context.Context, t labTable, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err := t.Instruct(ctx, body)
	if errors.Is(err, station.ErrNotSaved) {
		return nil
	}
	return err
}
