package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"boardwatchd/internal/clubplay"
	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/daemon"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/pgn"
	"boardwatchd/internal/players"
)

// playFlags are the flags that simulate and emulate share.
type playFlags struct {
	pgn      *string
	speed    *int
	seed     *uint64
	games    *int
	offences *int
	chess960 *bool
	reversed *bool
	cases    list
}

// list is the value of a flag that may be given several times.
type list []string

func (l *list) String() string     { return fmt.Sprint([]string(*l)) }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func newPlayFlags(fs *flag.FlagSet) *playFlags {
	p := &playFlags{
		pgn:   fs.String("pgn", "", "play the games of this file, and then end, instead of generated ones; names and event are those of the simulation"),
		speed: fs.Int("speed", 1, "times as fast as life"),
		seed:  fs.Uint64("seed", 0, "the same seed plays the same games; 0 draws one"),
		games: fs.Int("games", 0, "number of generated games, after which it ends; 0 goes on until interrupted"),
		offences: fs.Int("offences", 0, fmt.Sprintf("offences in a hundred moves, about, 0 to %d,\n"+
			"and as many things that only look like one", maxOffences)),
		chess960: fs.Bool("chess960", false, "generated games begin from a start position of their own"),
		reversed: fs.Bool("reversed", false, "White sits at the far side of the board"),
	}
	fs.Var(&p.cases, "case", "play one of the program's own cases, instead of games; may be given several times; list prints them")
	return p
}

// pace is slow enough for an arbiter to follow one board: a move about every five seconds, and unhurried hands.
var pace = players.Tempo{Hand: 900, Press: 400_000, Think: 4_500_000, React: 1_200_000}

// simulated are the games: those of club players, and not too long.
var simulated = players.GeneratorOptions{Chooser: clubplay.Player{}, MinPlies: 50, MaxPlies: 110}

// options makes an emulated table from the flags.
func (p *playFlags) options() (players.Options, error) {
	o := players.Options{Seed: *p.seed, Count: *p.games}
	o.Board.Reversed = *p.reversed
	o.Generator = simulated
	o.Generator.Chess960 = *p.chess960
	o.Tempo = pace
	switch {
	case *p.speed < 1 || *p.speed > 100:
		return o, usage("--speed %d: 1 to 100 are possible", *p.speed)
	case *p.games < 0:
		return o, usage("--games %d: 0 goes on until interrupted, more is a number of games", *p.games)
	case *p.games > 0 && *p.pgn != "":
		return o, usage("--games %d: generated games are counted; with --pgn those of the file are played", *p.games)
	case *p.offences < 0 || *p.offences > maxOffences:
		return o, usage("--offences %d: 0 to %d in a hundred moves are possible", *p.offences, maxOffences)
	case *p.offences > 0 && len(p.cases) > 0:
		return o, usage("--offences %d: in a case happens what the case says, and nothing else", *p.offences)
	}
	o.Offences.PerMille, o.Innocents.PerMille = offenceRates(*p.offences)
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

// loadPGN reads the games for the players.
func loadPGN(file string) ([]players.Game, error) {
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
	var out []players.Game
	for _, g := range games {
		eg := players.Game{Start: g.Start, Result: g.Result.String(), End: players.EndKings}
		pos, err := g.Start.Position()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, m := range g.Moves {
			eg.Moves = append(eg.Moves, pos.UCI(m.Move))
			pos = pos.After(m.Move)
		}
		if g.Result == pgn.Unknown {
			eg.End = players.EndStop
		}
		out = append(out, eg)
	}
	return out, nil
}

var emulateCommand = command{
	name: "emulate", args: "[--pgn FILE] [--case ID]… [--link PATH]", brief: "only the emulated board: prints the path of its port, for other programs",
	example: "boardwatchd emulate --link /tmp/dgtboard --seed 7",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		p := newPlayFlags(fs)
		symlink := fs.String("link", "", "a symbolic link to the port, kept while the board runs")
		serial := fs.Uint("serial", firstSerial, "the board's serial number, 1 to 16383; with --case always 2718")
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
		if *serial < 1 || *serial > maxSerial {
			return usage("--serial is a number from 1 to %d", maxSerial)
		}
		o.WaitForHost, o.Board.Serial = true, uint16(*serial)
		em, err := players.New(o)
		if err != nil {
			return err
		}
		return emulator.ServePTY(ctx, em.Emulator, emulator.PTYOptions{
			Speed: *p.speed, Link: *symlink,
			Ready: func(slave string) { fmt.Fprintln(e.out, slave) },
		})
	},
}

var simulateCommand = command{
	name: "simulate", args: "[--pgn FILE] [--case ID]… [--boards N] [--hall N] [--offences N] [--stay] [--speed N] [--seed N]",
	brief: "boards, clocks and players on pseudo terminals, watched by the daemon through them\n" +
		"(with --boards and --offences a whole hall, in which an arbiter can rehearse)",
	example: "boardwatchd simulate --boards 4 --offences 5 --speed 3",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		s := simulation{env: e, playFlags: newPlayFlags(fs)}
		fs.StringVar(&s.file, "c", "", "a configuration; its boards are ignored")
		fs.StringVar(&s.profile, "profile", "", "judge under this rule profile: "+profileWords()+" (default: the configuration's, else auto)")
		fs.IntVar(&s.boards, "boards", 1, fmt.Sprintf("number of tables, 1 to %d, named by their numbers", maxBoards))
		fs.IntVar(&s.hall, "hall", 0, fmt.Sprintf("the number of computers of a hall, up to %d: each a process with --boards boards, and the hall's page (docs/hall.md)", maxComputers))
		fs.IntVar(&s.first, "first", 0, "the number of the first table; its boards are then named by numbers in any case")
		fs.BoolVar(&s.stay, "stay", false, "when all has been played, the boards stay as they are and are watched until interrupted")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usage("%q: simulate takes flags only", rest[0])
		}
		return s.run(ctx)
	},
}

// A simulation is the daemon of run, with emulated tables at the other ends of pseudo terminals.
type simulation struct {
	*env
	*playFlags
	boards        int
	hall          int // computers; 0: only this one
	first         int // number of the first table; 0: not given
	stay          bool
	file, profile string

	conf            config.Config
	dir             string // of the journals
	daemon          *daemon.Daemon
	lines, messages *console.Screen // of standard output and standard error
	stamp           string          // the beginning of the journals' names
}

const maxBoards = 64

func (s *simulation) check() error {
	switch {
	case s.hall < 0 || s.hall > maxComputers:
		return usage("--hall %d: 1 to %d computers are possible", s.hall, maxComputers)
	case s.hall > 0 && (len(s.cases) > 0 || s.first > 0):
		return usage("--hall %d: with generated games or --pgn only, and without --first", s.hall)
	case s.first < 0 || s.first > 10_000:
		return usage("--first %d: 1 to 10000 are possible", s.first)
	case s.boards < 1 || s.boards > maxBoards:
		return usage("--boards %d: 1 to %d are possible", s.boards, maxBoards)
	case s.boards > 1 && len(s.cases) > 0:
		return usage("--boards %d: cases are played one after the other, at one board", s.boards)
	case s.profile != "" && len(s.cases) > 0:
		return usage("--profile %s: each case has its own rules; boardwatchd scenarios --profile judges cases under others", s.profile)
	}
	return nil
}

func (s *simulation) run(ctx context.Context) error {
	if err := s.check(); err != nil {
		return err
	}
	if s.hall > 0 {
		return s.runHall(ctx)
	}
	o, err := s.options()
	if err != nil {
		return err
	}
	cases, err := ownByID(s.out, s.cases)
	if err != nil || len(cases) == 0 && len(s.cases) > 0 {
		return err
	}
	if err := s.setUp(o.Seed); err != nil {
		return err
	}
	defer s.messages.Close()
	d := s.daemon
	ctx, cancel := context.WithCancel(ctx)
	d.Serve(ctx)
	var journals []string
	if len(cases) > 0 {
		journals, err = s.playCases(ctx, cases)
	} else {
		journals, err = s.playGames(ctx, o)
	}
	cancel()
	failure := d.Close()
	s.lines.Close()
	for _, name := range journals {
		s.message("the journal: %s", filepath.Join(s.dir, name+journal.Extension))
	}
	if len(cases) == 0 && len(journals) > 0 {
		all := filepath.Join(s.dir, s.journal(o.Seed, "*")+journal.Extension)
		s.message("try: boardwatchd verify %s\n     boardwatchd pgn %s", all, all)
	}
	return firstError(err, failure)
}

// setUp makes the daemon, for the speed of the simulation and with the players' names.
func (s *simulation) setUp(seed uint64) error {
	conf, dir, err := prepare(s.env, s.file)
	if err != nil {
		return err
	}
	if s.profile != "" {
		if err := conf.Choose(s.profile); err != nil {
			return usage("--profile: %w", err)
		}
	}
	if s.file == "" {
		conf.Log.Level = config.Warn // the games must stay visible
	}
	conf.Timing.Latency *= time.Duration(*s.speed) // this computer's own delays are longer in simulated time,
	conf.Timing.Silence *= time.Duration(*s.speed) // and a short pause of this computer must not look like a dead board
	s.stamp = "simulation-" + time.Now().Format("20060102-150405")
	s.messages = console.NewScreen(s.err)
	s.lines = console.NewScreen(s.out)
	o := daemonOptions(s.env, conf, dir, s.lines, logger(s.env, conf.Log, s.messages))
	o.Pairing = inventPairing(seed+uint64(s.first), s.tableNames())
	o.Speed = *s.speed // all waiting times of the core scale with the speed
	o.AnyPort = true
	s.conf, s.dir, s.daemon = conf, dir, daemon.Open(o)
	return nil
}

// message prints a line for the operator that is no record of a board.
func (s *simulation) message(format string, args ...any) {
	if !s.quiet {
		s.messages.Show(fmt.Sprintf(format, args...))
	}
}

// tableNames are numbers, as in a hall; a single table has a name instead.
func (s *simulation) tableNames() []string {
	if s.boards == 1 && s.first == 0 {
		return []string{"simulated"}
	}
	var names []string
	for n := range s.boards {
		names = append(names, strconv.Itoa(max(s.first, 1)+n))
	}
	return names
}

// journal is the name of the journal of a table's games; with the table "*" it is a pattern for all of them.
func (s *simulation) journal(seed uint64, table string) string {
	name := fmt.Sprintf("%s-seed%d", s.stamp, seed)
	if s.boards > 1 || s.first > 0 {
		name += "-table" + table
	}
	return name
}

// perTable is the distance between the seeds of two tables, so that each can be played alone with --seed, and
// simulations with drawn seeds share none.
const perTable = 1_000_000

// firstSerial is the emulated board's usual serial number.
const firstSerial = 2718

// maxSerial is the greatest number that fits both a board's five digits and its bus address.
const maxSerial = 16383

// playGames watches the games of all tables at the same time.
func (s *simulation) playGames(ctx context.Context, o players.Options) (journals []string, err error) {
	first := o.Seed
	o.WaitForHost = true
	them := introductions{}
	var tables []*table
	for n, name := range s.tableNames() {
		n += max(s.first, 1) - 1
		o.Seed, o.Board.Serial = first+uint64(n)*perTable, firstSerial+uint16(n)
		em, err := players.New(o)
		if err != nil {
			return nil, err
		}
		t := &table{board: config.NewBoard(name, ""), journal: s.journal(first, name), device: em.Emulator, tell: them.introduce(s.daemon, name), hear: them.hear}
		tables, journals = append(tables, t), append(journals, t.journal)
	}
	what := "simulating"
	if s.boards > 1 {
		what = fmt.Sprintf("simulating %d boards", s.boards)
	}
	s.message("%s (seed %d, %d times as fast as life); end with Ctrl-C", what, first, *s.speed)
	s.watch(ctx, tables, s.stay)
	return journals, nil
}
