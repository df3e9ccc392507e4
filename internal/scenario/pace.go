package scenario

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"boardwatchd/internal/players"
	"boardwatchd/rules/legal"
)

// This file is about cases in which the speed of the hands and the scan of the board matter: timing is evidence about
// two hands only for a board whose scan has become known from ordinary moves.

// A Pace is the speed of the ordinary moves of a case: `move` and the moves of the start.
type Pace uint8

// The paces.
const (
	AsWritten Pace = iota // 0.3 s for each step, one second between lines
	BlitzPace
	RapidPace
	ClassicalPace
)

var paceWords = [...]string{"", "blitz", "rapid", "classical"}

func (p Pace) String() string {
	if int(p) < len(paceWords) {
		return paceWords[p]
	}
	return "pace(" + strconv.Itoa(int(p)) + ")"
}

// tempo returns the tempo of such players.
func (p Pace) tempo() players.Tempo {
	return [...]players.Tempo{{}, players.Blitz, players.Rapid, players.Classical}[p]
}

// briskUS is the time from a press to the next move of the start: opening moves need no thought, and an operator waits
// for the moves after them.
const briskUS = 500_000

// gaps returns the times before a move of the start, and from there to its press.
func (p Pace) gaps() (think, press int64) {
	if p == AsWritten {
		return defaultGapUS, defaultGapUS
	}
	return briskUS, p.tempo().Press
}

func (r *reader) pace(n *yaml.Node) Pace {
	w := r.scalar(n, "hands")
	for i, name := range paceWords {
		if i > 0 && w == name {
			return Pace(i)
		}
	}
	r.refuse(n, "hands", "%q is none of its words: %s", w, strings.Join(paceWords[1:], ", "))
	return AsWritten
}

// The bounds of a scan in ms: that of the cases, and more than that of the slowest known board (timing notes 1.1).
const (
	fastestScan = scanUS / 1000
	slowestScan = 600
)

func (r *reader) scan(n *yaml.Node) int64 {
	ms, err := strconv.Atoi(r.scalar(n, "scan"))
	if err != nil || ms < fastestScan || ms > slowestScan {
		r.refuse(n, "scan", "%q is no scan; it is a number of milliseconds from %d to %d, 225 for an ordinary board", n.Value, fastestScan, slowestScan)
		return 0
	}
	return int64(ms) * 1000
}

// carry makes an ordinary move with one hand at the pace of the case.
func (p *planner) carry(from, to legal.Square, put legal.Piece) {
	piece := p.table.place[from]
	t := players.Transfer{From: from, To: to, Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare}
	if kingTo, rook, rookTo, ok := p.castling(piece, from, to); ok {
		t.To, t.RookFrom, t.RookTo = kingTo, rook, rookTo
	} else {
		t.Victim = p.victim(piece, from, to)
	}
	if put != piece {
		t.Put = put
	}
	h := players.NewHands(p.now, p.table.place, p.c.Hands.tempo(), uint64(p.moves))
	h.Move(t, players.Habits{})
	for _, a := range h.Take() {
		a.Square = p.turn.square(a.Square)
		p.acts = append(p.acts, a)
	}
	for sq, was := range p.table.place {
		if is := h.Table()[sq]; is != was {
			p.table.place[sq], p.table.blind[sq] = is, false
		}
	}
	p.now = h.Now
}
