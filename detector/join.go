package detector

import (
	"slices"

	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// joining is the state of a game that was found in progress, without a start position or a journal: a press shows whose
// turn it is.
type joining struct {
	told bool
	// In the joined game nothing has shown yet which way the pawns move: the board may be the other way round.
	eitherWay bool
}

// joinAtPress opens a game in the middle. The last placement that one legal move leads to from the beginning of the
// history was pressed, and shows the turn and the sides of the clock; later changes are the reply. Castling rights are
// unknown, so the most generous ones are assumed: a castling that was played is followed.
func (t *Tracker) joinAtPress(side evidence.ClockSide) {
	if !t.b.Known || t.liesOnItsSide() {
		return
	}
	if !t.join.told {
		t.join.told = true
		t.note("joined_midgame", words.Say("row.joined_midgame"))
	}
	first := pieces(&t.b.Origin) >= aDozen && !upright(&t.b.Origin)
	if !t.joinFrom(side, first) && !t.joinFrom(side, !first) {
		t.b.Rebase(t.lastStood())
	}
}

// lastStood returns the number of changes after which the board last rested, as it does when a move is pressed.
func (t *Tracker) lastStood() int {
	until := t.now.At
	for n := len(t.b.Changes); n > 0; n-- {
		at := t.b.Changes[n-1].Window.Hi
		if until-at >= handUS {
			return n
		}
		until = at
	}
	return 0
}

// joinFrom tries to continue from the placement that the history begins with.
func (t *Tracker) joinFrom(side evidence.ClockSide, turned bool) bool {
	from := t.b.Origin
	if turned {
		from = play.Rotated(from)
	}
	few := pieces(&from) < fewPieces
	if !few && !upright(&from) {
		return false
	}
	var starts []legal.Position
	for _, turn := range [...]legal.Side{legal.White, legal.Black} {
		s := legal.Setup{Placement: from, Turn: turn, EnPassant: legal.NoSquare, FullMoves: 1, Castling: array.Rights(&from)}
		pos, err := s.Position()
		if err != nil && pieces(&from) >= fewPieces {
			pos, err = s.Standing() // a piece of another kind, or one too many, stands for one of the set
		}
		if err == nil {
			starts = append(starts, pos)
		}
	}
	for n := len(t.b.Changes); n > 0; n-- {
		live := t.b.After(n)
		if turned {
			live = play.Rotated(live)
		}
		for i := range starts {
			pos := &starts[i]
			m, ok := play.OnePly(pos, &live)
			if !ok || t.justLifted(m, turned) {
				continue
			}
			if turned {
				t.reversed = !t.reversed
				t.b.Rotate()
			}
			t.joinWith(pos, m, n, side)
			t.join.eitherWay = few && from[m.From()].Kind() != legal.Pawn
			return true
		}
	}
	return false
}

// justLifted reports whether the piece of m was lifted too late for the press that is reported now: m is the reply.
func (t *Tracker) justLifted(m legal.Move, turned bool) bool {
	from := m.From()
	if turned {
		from = 63 - from
	}
	i := slices.IndexFunc(t.b.Changes, func(c evidence.Change) bool { return c.Square == from })
	return i >= 0 && t.now.At-t.b.Changes[i].Window.Hi < handUS
}

// joinWith opens the game with a move that is pressed now and was on the board after n changes.
func (t *Tracker) joinWith(pos *legal.Position, m legal.Move, n int, side evidence.ClockSide) {
	turn := pos.Turn()
	ply := 0
	if turn == legal.Black {
		ply, side = 1, side.Other()
	}
	t.games++
	t.phase = playing
	t.g.open(*pos, -1, ply)
	t.newGame()
	t.clearDoubts()
	t.c.SidesSettled = t.p.White != evidence.NoClockSide
	t.c.Settle(side)
	t.emit(GameStarted{Stamp: t.now, Game: t.games, FEN: pos.FEN(), Start: -1, Reversed: t.reversed})
	t.emitPress(turn, "ok")
	t.commit(m, ByPress, n)
}

// With at least fewPieces, the squares of the pieces show which way round the board is: White's were nearer to White in
// each of 20 games that were joined after 20 to 60 plies, and in 18 of 25 with ten pieces or fewer. With fewer that
// orientation is only tried first, and with less than aDozen not even that: most boards are used as they number their
// squares.
const (
	fewPieces = 20
	aDozen    = 12
)

// judgeOtherWayRound explains a press by the game with the board the other way round, where nothing has shown yet which
// way the pawns move. The record is then written anew in these squares.
func (t *Tracker) judgeOtherWayRound(s legal.Side) bool {
	base := t.g.last()
	if !t.join.eitherWay || t.judgementPaused || s != base.pos.Turn() {
		return false
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		return false
	}
	pos, ok := otherWayRound(base)
	if !ok {
		return false
	}
	live := play.Rotated(t.b.Live)
	m, ok := play.OnePly(&pos, &live)
	if !ok {
		return false
	}
	nodes, moves := t.g.otherWayRound()
	if len(t.g.nodes) > 1 {
		t.takeBack(len(t.g.nodes) - 1)
	}
	t.reversed = !t.reversed
	t.b.Rotate()
	t.games++
	start, white := nodes[0], t.c.White
	t.g.open(start.pos, -1, start.ply)
	t.newGame()
	t.clearDoubts()
	t.c.White = white
	t.join.eitherWay = true
	t.note("board_turned", words.Say("row.board_turned"))
	t.emit(GameStarted{Stamp: t.now, Game: t.games, FEN: start.pos.FEN(), Start: -1, Reversed: t.reversed})
	for i, move := range moves {
		before := t.g.pos()
		t.g.push(move)
		n := t.g.last()
		n.clock, n.by = nodes[i+1].clock, nodes[i+1].by
		t.emit(Moved{Stamp: t.now, Game: t.games, Ply: n.ply, Before: before, Move: move, Clock: n.clock, By: n.by})
	}
	t.emitPress(s, "ok")
	t.commit(m, ByPress, -1)
	return true
}

// otherWayRound returns the record with the squares numbered from the other corner, beginning with the last position
// that no legal move leads to in that numbering.
func (g *game) otherWayRound() (nodes []node, moves []legal.Move) {
	for _, n := range g.nodes {
		pos, ok := otherWayRound(&n)
		if !ok {
			nodes, moves = nil, nil
			continue
		}
		n.pos, n.place = pos, pos.Placement()
		if last := len(nodes) - 1; last >= 0 {
			if m, legal := play.OnePly(&nodes[last].pos, &n.place); legal {
				n.pos = nodes[last].pos.After(m)
				moves = append(moves, m)
			} else {
				nodes, moves = nil, nil
			}
		}
		nodes = append(nodes, n)
	}
	return nodes, moves
}

// otherWayRound returns a position with the squares numbered from the other corner.
func otherWayRound(n *node) (legal.Position, bool) {
	place := play.Rotated(n.place)
	s := legal.Setup{Placement: place, Turn: n.pos.Turn(), EnPassant: legal.NoSquare, FullMoves: n.pos.FullMoves(), Castling: array.Rights(&place)}
	pos, err := s.Position()
	return pos, err == nil
}

// upright guesses whether a board in play is the usual way round: White's pieces are nearer to White. It is used only
// where no start position was seen.
func upright(p *legal.Placement) bool { return apart(p, legal.Square.Rank) <= 0 }
