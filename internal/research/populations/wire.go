package populations

import (
	"cmp"
	"io"
	"slices"

	"boardwatchd/clockproto"
	"boardwatchd/detector/hands"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/rules/legal"
)

// This file turns a game into a timed capture (contract, section 2): the bytes that the board would have sent, with the
// times of their arrival.

// Header is the first line of the capture.
type Header struct {
	Source   string  `json:"source"`
	Family   string  `json:"family"`
	Pace     string  `json:"pace"`
	PeriodUS int64   `json:"scan_us"`
	Order    string  `json:"scan_order"`
	Reversed bool    `json:"reversed"`
	Labels   []Label `json:"labels"`
}

// Label says what really happened in one half-move, on the time line of the capture.
type Label struct {
	Ply   int     `json:"ply"` // 1 is White's first
	UCI   string  `json:"uci"`
	Kind  string  `json:"kind"`
	Two   bool    `json:"two_hands"`
	Style string  `json:"style"`
	Lift  float64 `json:"lift"` // s
	Done  float64 `json:"done"`
	Press float64 `json:"press"`
}

// Header describes the game.
func (g *Game) Header() Header {
	b := newScanner(g.Options.Board, chanceOf(0, 0)).board
	h := Header{Source: "generated hands", Family: g.Options.Family.String(), Pace: g.Options.Pace.String(),
		PeriodUS: b.PeriodUS, Order: b.Order.String(), Reversed: b.Reversed}
	for i, p := range g.Plies {
		h.Labels = append(h.Labels, Label{Ply: i + 1, UCI: p.UCI, Kind: p.Deed.Kind.String(), Two: p.Two, Style: p.Style.String(),
			Lift: float64(p.LiftUS) / 1e6, Done: float64(p.DoneUS) / 1e6, Press: float64(p.PressUS) / 1e6})
	}
	return h
}

// WriteCapture writes the game, with its labels in the header.
func (g *Game) WriteCapture(w io.Writer) error {
	out := recording.NewCaptureWriter(w, g.Header())
	for i, r := range g.Records() {
		r.Seq = record.Seq(i + 1)
		if err := out.Write(r); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Records are what the host received, in order of time: a dump and the clock, then the changes of the squares and of the
// clock.
func (g *Game) Records() []record.Record {
	var list []record.Record
	add := func(at int64, m dgt.Message) {
		list = append(list, record.Record{At: at, Kind: record.Rx, Body: m.AppendTo(nil)})
	}
	var table dgt.Placement
	reversed := g.Options.Board.Reversed
	for sq, p := range g.Start.Placement() {
		table[hands.Field(legal.Square(sq), reversed)] = codeOf(p)
	}
	add(300_000, dgt.BoardDump{Placement: table})
	for _, r := range g.Changes {
		add(r.At, dgt.FieldUpdate{Square: byte(hands.Field(r.Square, reversed)), Piece: codeOf(r.Is)})
	}
	g.clock(add)
	slices.SortStableFunc(list, func(a, b record.Record) int { return cmp.Compare(a.At, b.At) })
	return list
}

// codeOf is the board's code. DGT protocol notes, section 5.1.
func codeOf(p legal.Piece) dgt.Piece {
	kinds := [...]dgt.Piece{dgt.Empty, dgt.WhitePawn, dgt.WhiteKnight, dgt.WhiteBishop, dgt.WhiteRook, dgt.WhiteQueen, dgt.WhiteKing}
	code := kinds[p.Kind()]
	if code != dgt.Empty && p.Side() == legal.Black {
		code += dgt.BlackPawn - dgt.WhitePawn
	}
	return code
}

const (
	// clockLagUS: what the clock shows is known to the board about two thirds of a second later (timing notes, 1.3).
	clockLagUS   = 670_000
	clockStartUS = 1_500_000
)

// clock tells what the clock shows: once a second, and when it is pressed.
func (g *Game) clock(add func(at int64, m dgt.Message)) {
	o := g.Options
	base := int64(o.BaseSec)
	if base == 0 {
		base = g.OverUS/1_000_000 + 60
	}
	left := [2]int64{base * 1_000_000, base * 1_000_000}
	tell := func(at int64, turn int, running bool) {
		add(at+clockLagUS, dgt.ClockData(g.face(left, turn, running)))
	}
	tell(400_000-clockLagUS, 0, false)
	now, turn := int64(clockStartUS), 0
	tell(now, turn, true)
	for _, p := range g.Plies {
		for {
			tick := now + (left[turn]-1)%1_000_000 + 1 // the display goes down
			if tick >= p.PressUS || left[turn] <= 0 {
				break
			}
			left[turn] -= tick - now
			now = tick
			tell(now, turn, true)
		}
		left[turn] -= min(p.PressUS-now, left[turn])
		left[turn] += int64(o.BonusSec) * 1_000_000
		now, turn = p.PressUS, 1-turn
		tell(now, turn, true)
	}
	tell(g.OverUS-clockLagUS, turn, false)
}

// face is a reading; White sits at the left of the clock, or at the right of it where the board is reversed.
func (g *Game) face(left [2]int64, turn int, running bool) [7]byte {
	show := func(side int) clockproto.Face {
		return clockproto.Face{Seconds: int((left[side] + 999_999) / 1_000_000), PerMove: g.Options.BonusSec > 0}
	}
	r := clockproto.Reading{Left: show(0), Right: show(1), Running: running, Up: clockproto.Left, TurnBits: clockproto.TurnLeft}
	if g.Options.Board.Reversed {
		r.Left, r.Right = r.Right, r.Left
		turn = 1 - turn
	}
	if turn == 1 {
		r.Up, r.TurnBits = clockproto.Right, clockproto.TurnRight
	}
	return r.Encode()
}
