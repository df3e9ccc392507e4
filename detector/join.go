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
	for _, turned := range [...]bool{false, true} {
		if t.joinFrom(from, side, turned) {
			return
		}
	}
}

// joinFrom tries to continue from a placement that was seen at the press before.
func (t *Tracker) joinFrom(from legal.Placement, side ClockSide, turned bool) bool {
	live := t.b.live
	if turned {
		from, live = rotated(from), rotated(live)
	}
	if !upright(&from) {
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

// upright guesses which way round a board in play stands: White's pieces are nearer to White. It is only asked where no
// start position was seen.
func upright(p *legal.Placement) bool { return apart(p, legal.Square.Rank) <= 0 }
