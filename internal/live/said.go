package live

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// heard is an object of the machine with its bytes.
type heard struct {
	said.Brief
	raw     []byte
	decided string
}

// known are the types that are stored and published.
var known = map[string]bool{
	"game": true, "move": true, "press": true, "finding": true, "ruling": true, "result": true, "takeback": true, "health": true,
}

// hands are frequent, and not stored.
const hands = `{"type":"hands",`

// read reads an object, and reports whether it is a known one. The scan is not known here: it is part of the summary,
// and no health line of the page.
func (o *heard) read(body []byte) bool {
	if bytes.HasPrefix(body, []byte(hands)) || said.ReadBrief(body, &o.Brief) != nil || !known[o.Type] || o.What == "scan" {
		return false
	}
	o.decided, o.raw = o.Decision(), body
	return true
}

// keep copies the bytes of the object if its type is one that is stored, so that the record is not kept.
func (o *heard) keep() {
	switch o.Type {
	case "move", "finding", "ruling", "health":
		o.raw = bytes.Clone(o.raw)
	}
}

// micros returns the time of an object on the board's time line in µs.
func micros(t said.Seconds) int64 {
	if t <= -maxSeconds || t >= maxSeconds {
		return 0
	}
	return int64(t)
}

const maxSeconds = 1e9 * 1_000_000

// entered is a state that a finding has entered.
type entered struct{ Kind, State string }

// apply applies an object. It returns the state that a finding has entered.
func (b *Board) apply(o *heard) (entered, bool) {
	switch o.Type {
	case "game":
		b.newGame(o)
	case "move":
		b.game.move(o)
		if !o.Corrects {
			b.spans.drop(b.game.number, o.Ply)
		}
	case "takeback":
		b.game.cut(o.Ply)
		b.spans.drop(b.game.number, o.Ply+1)
	case "result":
		b.game.result = o.Result
		if o.State == "withdrawn" || o.State == "questioned" {
			b.game.result = ""
		}
	case "press":
		b.trace.press(o)
	case "finding":
		return b.found(o)
	case "ruling":
		b.ruled(o)
	case "health":
		if o.What == "result_taken_back" { // by a person; the signing is taken back as well
			b.game.signed = false
		}
		b.health.hear(o)
		b.trace.hear(o)
		b.spans.hear(o)
	}
	return entered{}, false
}

// input handles a record of the journal that is not an effect. It returns a decision.
func (b *Board) input(r record.Record) (Decision, bool) {
	switch r.Kind {
	case record.Open:
		b.wall.opened(r)
		b.clockset.opened(r)
		b.arrayset.opened(r)
	case record.Gap:
		b.wall.gap(r)
	case record.Instruct:
		b.instructed(r.Body)
	case record.Decide:
		return b.decided(r)
	}
	return Decision{}, false
}

func (b *Board) instructed(body []byte) {
	var i watch.Instruction
	if json.Unmarshal(body, &i) != nil {
		return
	}
	switch i.Do {
	case watch.DoNames:
		b.names = Names{b.boards.said(string(i.White)), b.boards.said(string(i.Black))}
	case watch.DoSign:
		b.game.signed = b.game.number > 0
	}
}

// A game is the current one.
type game struct {
	number   int
	plies    int
	moves    []json.RawMessage // from ply first on
	last     []last
	result   string
	signed   bool // by both players
	reversed bool
	chess960 bool
	names    Names // the players
}

type last struct {
	ply      int
	san, uci string
}

// Bounds of one game.
const (
	maxPlies    = 1200
	playedPlies = 20 // a game without a result counts as played after ten moves each (FIDE Laws A.5.1.2)
)

func (b *Board) newGame(o *heard) {
	g := &b.game
	played := g.result != "" || g.plies >= playedPlies
	// The players of the next game are not known, and a wrong name is worse than none.
	if played && b.names == g.names && arrayed(o.FEN) {
		b.names = Names{}
	}
	b.game = game{number: o.Game, reversed: o.Reversed, chess960: o.Chess960, names: b.names}
	b.health.newGame()
	b.trace.newGame(micros(o.T))
}

// arrayed reports whether the two ranks of each side are full: a game begins, from any array.
func arrayed(fen string) bool {
	placement, _, _ := strings.Cut(fen, " ")
	ranks := strings.Split(placement, "/")
	if len(ranks) != 8 {
		return false
	}
	for _, i := range [...]int{0, 1, 6, 7} {
		if strings.ContainsAny(ranks[i], "12345678") {
			return false
		}
	}
	return true
}

// noMove is the text for a ply in which no single piece moved, as PGN readers write a null move.
const noMove = "--"

// move adds a move, or replaces the one with the same ply and all after it. A correction keeps those after it.
func (g *game) move(o *heard) {
	if o.SAN == "" {
		o.SAN = noMove
	}
	if o.Corrects {
		g.correct(o)
		return
	}
	g.cut(o.Ply - 1)
	if len(g.moves) == maxPlies {
		return
	}
	g.moves = append(g.moves, o.raw)
	g.last = append(g.last, last{o.Ply, o.SAN, o.UCI})
	g.plies = o.Ply
}

// correct replaces the move with the same ply. Readers may hold the list: it is copied.
func (g *game) correct(o *heard) {
	for i := range g.last {
		if g.last[i].ply == o.Ply {
			g.moves = slices.Clone(g.moves)
			g.moves[i], g.last[i] = o.raw, last{o.Ply, o.SAN, o.UCI}
			return
		}
	}
}

// cut goes back to the given ply.
func (g *game) cut(ply int) {
	n := len(g.last)
	for n > 0 && g.last[n-1].ply > ply {
		n--
	}
	if n < len(g.last) {
		g.moves, g.last, g.plies = g.moves[:n:n], g.last[:n:n], max(ply, 0)
	}
}
