package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file compares events after a ruling with the ruling: the times, the side whose clock runs, the position set up,
// and the move that replaces an illegal one. A difference is reported quietly, with the ruling again (laws notes 1.4
// and 5.1 no 11).

// ruledOn returns the latest illegal move that is being corrected: confirmed, or put back on the board before a
// decision.
func (d *Docket) ruledOn(is func(*matter) bool) *matter {
	return d.latest(func(m *matter) bool {
		return familyOf(&m.c) == kinds.Illegal && m.live() && m.closed == stillOpen &&
			(m.decision == doConfirm || m.decision == "" && m.restored) && m.entry.Ruling != nil && m.entry.Ruling.Result == "" && is(m)
	})
}

// clockAfterRuling compares the clock, when it is started, with the ruling.
func (d *Docket) clockAfterRuling(e Started, edited bool) {
	if edited && e.Clock.Known {
		for _, m := range d.matters {
			if r := m.entry.Ruling; familyOf(&m.c) != kinds.Illegal || !m.live() || m.checked || r == nil || !r.Clocks.Known {
				continue
			} else if d.timesRight(r, e.Clock) {
				m.timesSet = true
			} else if m.decision == "" && !m.restored {
				m.otherTimes = true
			}
		}
	}
	m := d.ruledOn(func(m *matter) bool { return !m.checked && (edited || m.decision == doConfirm) })
	if m == nil || m.replaced {
		return
	}
	r := m.entry.Ruling
	m.checked = true
	var differs []words.Sentence
	if r.Clocks.Known && e.Clock.Known && !m.timesSet && !m.otherTimes && !d.timesRight(r, e.Clock) {
		differs = append(differs, words.Say("differs.times", clockTime(max(r.Clocks.White, 0)), clockTime(max(r.Clocks.Black, 0)),
			clockTime(max(e.Clock.White, 0)), clockTime(max(e.Clock.Black, 0))))
	}
	if r.RunClock != legal.NoSide && e.Turn != legal.NoSide && e.Turn != r.RunClock {
		differs = append(differs, words.Say("differs.runs", r.RunClock, e.Turn))
	}
	if len(differs) > 0 {
		what := words.List("; ", differs)
		d.differ(m, e.Seq, Case{
			Kind: kinds.BonusWrong, Ply: m.c.Ply, Known: m.c.Known, Before: m.c.Before, At: m.c.At, Clock: e.Clock, Note: what,
			Reason: words.Say("reason.clock.bonus_wrong", legal.NoSide, what),
		})
	}
	d.boardAfterRuling(m, e)
}

// maxLifted is the number of squares that may read empty when the clock is started, because a piece is still in a hand.
// The piece that the illegal move captured is not in a hand then: if its square is empty, it was not put back.
const maxLifted = 2

// boardAfterRuling compares the position that was set up with the ruling.
func (d *Docket) boardAfterRuling(m *matter, e Started) {
	r := m.entry.Ruling
	if !e.Seen || m.decision != doConfirm || r.Position == stands || r.PositionFEN == "" {
		return
	}
	setup, err := legal.ParseFEN(r.PositionFEN)
	if err != nil {
		return
	}
	pos, err := setup.Standing()
	if err != nil {
		return
	}
	squares, other := m.differs(&setup.Placement, &e.Placement, pos.Turn())
	if len(squares) == 0 || !other && len(squares) <= maxLifted || reached(&pos, &e.Placement, r.MustPlay) {
		return
	}
	c := Case{Kind: kinds.Displaced, Ply: m.c.Ply, Known: true, Before: pos, At: e.Placement, Squares: squares, Clock: e.Clock}
	c.Reason = words.Say("after.position", onSquares(&c))
	d.differ(m, e.Seq, c)
}

// differs returns the squares on which a position differs from the one to set up. Other reports a difference that a
// piece in the hand of the side to move does not explain: a wrong piece, or the captured piece missing from its square.
func (m *matter) differs(want, is *legal.Placement, turn legal.Side) (squares []legal.Square, other bool) {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if is[sq] == want[sq] {
			continue
		}
		squares = append(squares, sq)
		captured := want[sq].Side() == turn.Other() && m.c.At[sq] != want[sq]
		other = other || is[sq] != legal.NoPiece || captured
	}
	return squares, other
}

// reached reports whether a legal move, of those that must be played, leads to the placement: the replacement move was
// made before the clock was started.
func reached(pos *legal.Position, place *legal.Placement, must []string) bool {
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if after := pos.After(m); after.Placement() == *place && (len(must) == 0 || slices.Contains(must, pos.SAN(m))) {
			return true
		}
	}
	return false
}

// notCarriedOut opens a finding if the position of a confirmed ruling was not set up and both players have moved since.
// Earlier there is nothing to report, because the arbiter may still be on his way to the board.
func (d *Docket) notCarriedOut(e Moved, after *legal.Position) {
	m := d.ruledOn(func(m *matter) bool {
		return m.decision == doConfirm && m.startedAt == 0 && !m.restored && e.Ply >= m.decidedPly+2
	})
	if m == nil || m.entry.Ruling.Position != restore || *after == (legal.Position{}) {
		return
	}
	if d.latest(func(told *matter) bool { return told.playedOn && told.follows == m.c.ID }) != nil {
		return
	}
	d.differ(m, e.Seq, Case{
		Kind: kinds.Displaced, Ply: m.c.Ply, Known: true, Before: m.c.Before, At: after.Placement(), Clock: e.Clock,
		Reason: words.Say("after.played_on"),
	}).playedOn = true
}

// moveAfterRuling compares the move that replaces an illegal one with those that touch-move leaves (FIDE Laws 4.3,
// 7.5.1).
func (d *Docket) moveAfterRuling(m *matter, e Moved, after *legal.Position) {
	r := m.entry.Ruling
	if m.decision != doConfirm || r == nil || r.Position != restore || len(r.MustPlay) == 0 || *after == (legal.Position{}) ||
		e.Before.FEN() != r.PositionFEN || slices.Contains(r.MustPlay, e.Before.SAN(e.Move)) {
		return
	}
	d.differ(m, e.Seq, Case{
		Kind: kinds.TouchMove, Ply: e.Ply, Side: m.c.Side, UCI: e.Before.UCI(e.Move), Known: true, Before: e.Before, At: after.Placement(),
		Stands: true, After: *after, Touched: m.c.Touched, Completed: true, Clock: e.Clock, Squares: []legal.Square{e.Move.From(), e.Move.To()},
	})
}

// endPlayedOn closes the finding of notCarriedOut when somebody has set up a position; boardAfterRuling compares that
// position.
func (d *Docket) endPlayedOn(m *matter) {
	if m.playedOn && !m.past {
		m.past, d.all = true, true
	}
}

// differ opens a finding about a difference from a ruling, or returns the one that is open already.
func (d *Docket) differ(ruled *matter, seq int64, c Case) *matter {
	if seq == 0 {
		seq = numberOf(ruled.c.ID)
	}
	c.ID = kinds.ID(seq, c.Kind)
	if m := d.find(c.ID); m != nil {
		return m
	}
	c.Game, c.State, c.Proof, c.Permille, c.Gained = d.game, Confirmed, Certain, 1000, -1
	m := d.add(c)
	m.follows = ruled.c.ID
	return m
}

// ruledAgain shows again the ruling that was not followed.
func (s *sheet) ruledAgain() {
	ruled := s.d.find(s.m.follows)
	if ruled == nil || ruled.entry.Ruling == nil {
		return
	}
	r := ruled.entry.Ruling
	s.r.PositionFEN, s.r.MustPlay, s.r.Clocks, s.r.RunClock, s.r.Strikes = r.PositionFEN, r.MustPlay, r.Clocks, r.RunClock, s.d.Strikes()
	s.r.also(words.Say("rule.again", r.Text))
}

// afterRuling rules on a replacement move or a position that differs from the ruling.
func (s *sheet) afterRuling() {
	switch {
	case familyOf(&s.m.c) == kinds.Touch:
		s.propose(Advise, kindIrregular, words.Say("after.other_piece", s.m.c.Side))
	case s.m.playedOn:
		s.propose(Advise, kindIrregular, words.Say("after.played_on"))
	default:
		s.propose(Advise, kindIrregular, words.Say("after.position", onSquares(&s.m.c)))
	}
	s.ruledAgain()
	s.r.Position = restore
	s.r.Clocks = Clocks{} // the clock has been set; the time that has run since is right
}
