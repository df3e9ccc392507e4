package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"boardwatchd/rules"
)

// Core is the configuration on which decisions about one board depend. It is copied into the opening record of that
// board's journal.
type Core struct {
	Board        string // Board.Name
	Serial       string
	Event        string
	Round        string
	WhiteClock   ClockSide
	Chess960     Chess960
	Profile      string
	Rules        []rules.Profile // complete; empty: recorded before rules existed
	MatingBudget int             // 0: recorded before the budget existed
	TimeControl  TimeControl
	Timing       Timing
	TwoHands     TwoHands
}

// Core returns the part of the configuration for the core, for one board.
func (c Config) Core(b Board) Core {
	return Core{
		Board: b.Name, Serial: b.Serial, Event: c.Event, Round: c.Round,
		WhiteClock: b.WhiteClock, Chess960: b.Chess960, Profile: c.Profile, Rules: c.Rules, MatingBudget: c.MatingBudget,
		TimeControl: c.TimeControl, Timing: c.Timing, TwoHands: c.TwoHands,
	}
}

// NewBoard returns a board found automatically, with the defaults of the table.
func NewBoard(name, port string) Board {
	var b Board
	setDefaults(boardKeys, &b)
	b.Name, b.Port = name, port
	return b
}

// canonicalVersion is the number in "v"; see the compatibility promise in doc.go.
const canonicalVersion = 1

// wireCore is the canonical form. encoding/json writes a struct's fields in
// their order here, so this order is part of the format; all times are whole
// microseconds.
type wireCore struct {
	V          int    `json:"v"`
	Board      string `json:"board"`
	Serial     string `json:"serial"`
	Event      string `json:"event"`
	Round      string `json:"round"`
	WhiteClock string `json:"white_clock"`
	Chess960   string `json:"chess960"`
	Profile    string `json:"profile"`
	// Left out if empty, so that records from before rules existed keep their bytes; the same holds for the budget.
	Rules        []rules.Profile `json:"rules,omitempty"`
	MatingBudget int             `json:"mating_budget,omitempty"`
	TimeControl  []wirePeriod    `json:"time_control"`
	Timing       wireTiming      `json:"timing"`
	TwoHands     *TwoHands       `json:"two_hands,omitempty"`
}

type wirePeriod struct {
	Moves     int   `json:"moves"`
	Base      int64 `json:"base"`
	Increment int64 `json:"increment"`
	Delay     int64 `json:"delay"`
}

type wireTiming struct {
	Scan       int64 `json:"scan"`
	ClockLag   int64 `json:"clock_lag"`
	PressGrace int64 `json:"press_grace"`
	Latency    int64 `json:"latency"`
	Settle     int64 `json:"settle"`
	Probe      int64 `json:"probe"`
	Silence    int64 `json:"silence"`
}

// Canonical returns the only byte form of c: equal values give equal bytes, on every machine and in every run.
func (c Core) Canonical() []byte {
	t := c.Timing
	w := wireCore{
		V: canonicalVersion, Board: c.Board, Serial: c.Serial, Event: c.Event, Round: c.Round,
		WhiteClock: c.WhiteClock.String(), Chess960: c.Chess960.String(), Profile: c.Profile, Rules: c.Rules, MatingBudget: c.MatingBudget,
		TimeControl: []wirePeriod{}, // [] and not null if not given
		Timing: wireTiming{
			Scan: t.Scan.Microseconds(), ClockLag: t.ClockLag.Microseconds(), PressGrace: t.PressGrace.Microseconds(),
			Latency: t.Latency.Microseconds(), Settle: t.Settle.Microseconds(), Probe: t.Probe.Microseconds(), Silence: t.Silence.Microseconds(),
		},
	}
	if c.TwoHands != (TwoHands{}) {
		w.TwoHands = &c.TwoHands
	}
	for _, p := range c.TimeControl.Periods {
		w.TimeControl = append(w.TimeControl, wirePeriod{Moves: p.Moves, Base: usec(p.BaseSec), Increment: usec(p.IncrementSec), Delay: usec(p.DelaySec)})
	}
	b, err := json.Marshal(w)
	if err != nil {
		panic("config: internal error: " + err.Error()) // strings and integers cannot fail
	}
	return b
}

// ParseCanonical reads the output of Canonical, of this version or an older one.
func ParseCanonical(b []byte) (Core, error) {
	var c Core
	var w wireCore // a key added later gets the value for older records as its default here
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return c, fmt.Errorf("read canonical configuration: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return c, errors.New("read canonical configuration: something follows it")
	}
	if w.V < 1 || w.V > canonicalVersion {
		return c, fmt.Errorf("read canonical configuration: version %d; this program knows versions 1 to %d", w.V, canonicalVersion)
	}
	return w.core()
}

func (w wireCore) core() (Core, error) {
	c := Core{Board: w.Board, Serial: w.Serial, Event: w.Event, Round: w.Round, Profile: w.Profile, Rules: w.Rules, MatingBudget: w.MatingBudget}
	c.WhiteClock = ClockSide(1 + slices.Index(clockSideNames, w.WhiteClock))
	c.Chess960 = Chess960(1 + slices.Index(chess960Names, w.Chess960))
	if c.WhiteClock == NoClockSide || c.Chess960 == NoChess960 {
		return Core{}, fmt.Errorf("read canonical configuration: white_clock %q, chess960 %q: not known here", w.WhiteClock, w.Chess960)
	}
	for _, p := range w.TimeControl {
		c.TimeControl.Periods = append(c.TimeControl.Periods, Period{
			Moves: p.Moves, BaseSec: int(p.Base / usec(1)), IncrementSec: int(p.Increment / usec(1)), DelaySec: int(p.Delay / usec(1)),
		})
	}
	t := w.Timing
	for _, f := range []struct {
		to *time.Duration
		us int64
	}{
		{&c.Timing.Scan, t.Scan}, {&c.Timing.ClockLag, t.ClockLag}, {&c.Timing.PressGrace, t.PressGrace}, {&c.Timing.Latency, t.Latency},
		{&c.Timing.Settle, t.Settle}, {&c.Timing.Probe, t.Probe}, {&c.Timing.Silence, t.Silence},
	} {
		if f.us < 0 || f.us > int64(time.Hour/time.Microsecond) {
			return Core{}, fmt.Errorf("read canonical configuration: a time of %d µs", f.us)
		}
		*f.to = time.Duration(f.us) * time.Microsecond
	}
	c.TwoHands = w.TwoHands.present()
	return c, nil
}

func usec(sec int) int64 { return int64(sec) * int64(time.Second/time.Microsecond) }
