package detector

import (
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// joining is a game that was found in progress, with no start position and no journal: two presses are needed to learn
// whose move is whose.
type joining struct {
	on   bool
	live legal.Placement
	told bool
	// In the game that was joined nothing has shown yet which way the pawns go: the board may stand the other way round.
	eitherWay bool
}

// joinAtPress opens a game in the middle. At the first press the board is remembered; at the next one, exactly one
// legal move by exactly one side must lead from there to here, and that tells the turn and the sides of the clock.
// Castling rights are unknown, so the most generous ones are assumed: a castling that was played is followed.
func (t *Tracker) joinAtPress(side ClockSide) {
	if !t.b.known || t.liesOnItsSide() {
		return
	}
	if !t.join.told {
		t.join.told = true
		t.note("joined_midgame", words.Say("row.joined_midgame"))
	}
	from, was := t.join.live, t.join.on
	t.join.live, t.join.on = t.b.live, true
	if !was {
		return
	}
	first := pieces(&from) >= aDozen && !upright(&from)
	_ = t.joinFrom(from, side, first) || t.joinFrom(from, side, !first)
}

// joinFrom tries to continue from a placement that was seen at the press before.
func (t *Tracker) joinFrom(from legal.Placement, side ClockSide, turned bool) bool {
	live := t.b.live
	if turned {
		from, live = rotated(from), rotated(live)
	}
	few := pieces(&from) < fewPieces
	if !few && !upright(&from) {
		return false
	}
	for _, turn := range [...]legal.Side{legal.White, legal.Black} {
		s := legal.Setup{Placement: from, Turn: turn, EnPassant: legal.NoSquare, FullMoves: 1}
		s.Castling = homeRights(&from)
		pos, err := s.Position()
		if err != nil {
			continue
		}
		m, ok := onePly(&pos, &live)
		if !ok {
			continue
		}
		if turned {
			t.reversed = !t.reversed
			t.b.rotate()
		}
		t.games++
		t.phase = playing
		ply := 0
		if turn == legal.Black {
			ply = 1
		}
		t.g.open(pos, -1, ply)
		t.newGame()
		t.settled()
		t.join.eitherWay = few
		t.c.fixed = t.p.White != NoClockSide
		if turn == legal.White {
			t.c.settle(side)
		} else {
			t.c.settle(side.Other())
		}
		t.emit(GameStarted{Stamp: t.now, Game: t.games, FEN: pos.FEN(), Start: -1, Reversed: t.reversed})
		t.emitPress(turn, "ok")
		t.commit(m, ByPress, -1)
		return true
	}
	return false
}

// Where the pieces stand shows which way round the board is with this many of them: White's were nearer to White in each
// of 20 games that were joined after 20 to 60 plies, and in 18 of 25 with ten pieces or fewer. With fewer it is what is
// tried first, and with less than a dozen not even that: most boards stand as they count their squares.
const (
	fewPieces = 20
	aDozen    = 12
)

// judgeOtherWayRound looks whether a press is explained by the game with the board the other way round, where nothing has
// shown yet which way the pawns go. Then the record is written anew in these squares.
func (t *Tracker) judgeOtherWayRound(s legal.Side) bool {
	base := t.g.last()
	if !t.join.eitherWay || t.held || s != base.pos.Turn() {
		return false
	}
	if _, ok := onePly(&base.pos, &t.b.live); ok {
		return false
	}
	pos, ok := otherWayRound(base)
	if !ok {
		return false
	}
	live := rotated(t.b.live)
	m, ok := onePly(&pos, &live)
	if !ok {
		return false
	}
	nodes, moves := t.g.otherWayRound()
	if len(t.g.nodes) > 1 {
		t.takeBack(len(t.g.nodes) - 1)
	}
	t.reversed = !t.reversed
	t.b.rotate()
	t.games++
	start, white := nodes[0], t.c.white
	t.g.open(start.pos, -1, start.ply)
	t.newGame()
	t.settled()
	t.c.white = white
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

// otherWayRound is the record with the squares counted from the other corner, from the last position on that no legal
// move leads to then.
func (g *game) otherWayRound() (nodes []node, moves []legal.Move) {
	for _, n := range g.nodes {
		pos, ok := otherWayRound(&n)
		if !ok {
			nodes, moves = nil, nil
			continue
		}
		n.pos, n.place = pos, pos.Placement()
		if last := len(nodes) - 1; last >= 0 {
			if m, legal := onePly(&nodes[last].pos, &n.place); legal {
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

// otherWayRound is a position with the squares counted from the other corner.
func otherWayRound(n *node) (legal.Position, bool) {
	place := rotated(n.place)
	s := legal.Setup{Placement: place, Turn: n.pos.Turn(), EnPassant: legal.NoSquare, FullMoves: n.pos.FullMoves(), Castling: homeRights(&place)}
	pos, err := s.Position()
	return pos, err == nil
}

// upright guesses which way round a board in play stands: White's pieces are nearer to White. It is only asked where no
// start position was seen.
func upright(p *legal.Placement) bool { return apart(p, legal.Square.Rank) <= 0 }
