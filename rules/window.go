package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// close ends the time in which a matter can be dealt with, if the rule set has such an end.
func (d *Docket) close(m *matter, why closing) {
	if !m.live() || m.closed != stillOpen || m.c.Kind == kinds.IllegalTwoHands && m.c.Proof == Reported && why != bySigning {
		return
	}
	switch why {
	case byReply:
		if !d.endsByReply(m.claimed) {
			return
		}
	case byMoves:
		if d.checkStands(m) {
			return
		}
	}
	m.closed, m.closedPly, d.all = why, d.ply, true
}

// answered handles the opponent's next move on the board: A.5.2 asks for a move made, not for a press.
func (d *Docket) answered(s legal.Side) {
	for _, m := range d.matters {
		if d.offence(&m.c) && m.c.Side == s.Other() && s != legal.NoSide && !m.restored {
			m.answered = true
			d.close(m, byReply)
		}
	}
}

// touched handles a touch of a piece by a side: under some rule sets it ends the opponent's touch-move cases (4.8).
func (d *Docket) touched(s legal.Side) {
	for _, m := range d.matters {
		if familyOf(&m.c) == kinds.Touch && m.c.Side == s.Other() && s != legal.NoSide && d.p.TouchClaim == "touch" {
			d.close(m, byTouch)
		}
	}
}

// nextMove handles a move by a side, legal or not: it ends the other side's offences in rapid and blitz, and an illegal
// position after it is the draw of A.5.4. Cause is the finding about the move, nil for a legal one.
func (d *Docket) nextMove(s legal.Side, ply int, seq int64, after *legal.Position, known bool, cause *matter) {
	for _, m := range d.matters[:len(d.matters):len(d.matters)] {
		if m == cause || m.c.Side != s.Other() || s == legal.NoSide || m.c.Ply >= ply || !m.live() {
			continue
		}
		switch {
		case familyOf(&m.c) == kinds.Touch:
			d.close(m, byTouch)
		case d.offence(&m.c):
			was := m.closed
			d.close(m, byReply)
			if was == stillOpen || m.closedPly >= ply-1 {
				d.stillIllegal(m, seq, after, known, cause)
			}
		}
	}
}

// offence reports whether the rule set can count such a case as an illegal move.
func (d *Docket) offence(c *Case) bool {
	switch c.Kind {
	case kinds.PromoWrongColour:
		return d.p.WrongColour == "illegal"
	case kinds.Displaced:
		return d.p.Displaced == "illegal" && c.Proof >= Strong && c.Completed && !capturedAside(c)
	}
	return familyOf(c) == kinds.Illegal
}

// capturedAside reports whether the captured piece, put down on an empty square of the board, is the only difference:
// no piece of the position is misplaced (US Chess 11C).
func capturedAside(c *Case) bool {
	if !c.Known || !c.Stands || c.Before == (legal.Position{}) {
		return false
	}
	m, ok := c.Before.FindUCI(c.UCI)
	if !ok || m.Captured() == legal.NoKind {
		return false
	}
	after, n := c.After.Placement(), 0
	for sq, piece := range c.At {
		if piece == after[sq] {
			continue
		}
		if after[sq] != legal.NoPiece || piece != legal.PieceOf(c.Side.Other(), m.Captured()) {
			return false
		}
		n++
	}
	return n == 1
}

// closeOldMatters closes matters that are more moves ago than the rule set looks back (US Chess 11A).
func (d *Docket) closeOldMatters() {
	for _, m := range d.matters {
		if d.offence(&m.c) && d.tooManyMoves(m.c.Ply, d.ply) && !m.restored {
			d.close(m, byMoves)
		}
	}
}

// checkStands reports whether the king that was left in check still is: then it is never too late (US Chess 11A).
func (d *Docket) checkStands(m *matter) bool {
	if !d.p.CheckStaysOpen || !m.c.Kind.Row().Check || !d.known {
		return false
	}
	return attacked(&d.pos, m.c.Side)
}

// attacked reports whether the side's king is in check, whichever side has the move.
func attacked(p *legal.Position, s legal.Side) bool {
	k := p.KingSquare(s)
	return k != legal.NoSquare && len(p.Attackers(k, s.Other())) > 0
}

// irregularPosition reports whether the position cannot follow from legal play (A.5.4): both kings in check, or a pawn
// on the last rank.
func irregularPosition(p *legal.Position) bool {
	return p.PawnAtTheEnd() || attacked(p, legal.White) && attacked(p, legal.Black)
}

// leavesIrregular reports whether an illegal move has left such a position on the board. The queen that replaces a pawn
// by the Laws is not on the board.
func leavesIrregular(c *Case) bool {
	if c.Kind == kinds.IllegalPromoIncomplete {
		return c.Completed
	}
	return c.Stands && c.After != (legal.Position{}) && irregularPosition(&c.After)
}

// stillIllegal judges the position after the move that followed an illegal position: the matter is over, the game is
// drawn (A.5.4), or the arbiter acts.
func (d *Docket) stillIllegal(m *matter, seq int64, after *legal.Position, known bool, cause *matter) {
	if m.closed != byReply || d.p.IllegalPosition == "nothing" || !known || m.position == positionGone || !leavesIrregular(&m.c) {
		return
	}
	if !irregularPosition(after) {
		m.position, d.all = positionGone, true
		return
	}
	m.position, d.all = stillThere, true
	if d.p.IllegalPosition == "arbiter" {
		return
	}
	const kind = kinds.IllegalPositionDraw
	c := Case{
		ID: kinds.ID(seq, kind), Kind: kind, Game: d.game, Ply: d.ply, State: Confirmed, Proof: Certain,
		Permille: 1000, Known: true, Before: *after, At: after.Placement(), Stands: true, After: *after, Gained: -1,
	}
	if cause != nil {
		c.State, c.Ply = cause.c.State, cause.c.Ply
	}
	told := d.latest(func(m *matter) bool { return m.c.Kind == kind && m.live() && m.decision == "" })
	if told != nil || d.find(c.ID) != nil {
		return // the game is drawn once
	}
	n := d.add(c)
	if cause != nil {
		n.from = cause.c.ID
	}
}

// numberOf returns the sequence number in a finding's identity.
func numberOf(id string) int64 {
	first, _ := kinds.OfID(id)
	return first
}

// foundCase handles a case that is new or has another state.
func (d *Docket) foundCase(c Case) {
	m := d.find(c.ID)
	isNew := m == nil
	if isNew && isSuspicion(&c) && !d.whyUnwanted(&c).IsZero() {
		return
	}
	if isNew {
		m = d.add(c)
		d.claimedEarly(m)
		if m.excused = d.stranger.pressed(&c); m.excused {
			if r := d.latest(func(r *matter) bool { return r.c.Kind == kinds.ForeignPress && r.idlePress == "" && r.live() }); r != nil {
				r.idlePress, d.all = c.ID, true
			}
		}
		d.matchFound(m)
	} else {
		m.c, m.known, m.carried = c, cachedFacts{}, nil
		for _, n := range d.matters {
			if n.from == c.ID && n.kept == nil {
				n.c.State = c.State
			}
		}
	}
	if c.State == Withdrawn {
		return
	}
	if d.reasonToStop(m) {
		d.explain(words.Say("explained.found"))
	}
	if !isNew {
		return
	}
	if c.Answered {
		d.close(m, byReply)
	}
	if c.Kind == kinds.IllegalKingCapture && d.p.KingCapture == "claim" {
		d.claimedByKingCapture(m)
		return
	}
	if d.offence(&c) && c.Completed {
		d.mergeHeldReports(m)
		d.presser = legal.NoSide
		d.ply = max(d.ply, c.Ply)
		if c.Stands && c.After != (legal.Position{}) {
			d.pos, d.known = c.After, true
		}
		d.nextMove(c.Side, c.Ply, numberOf(c.ID), &c.After, c.Stands && c.After != (legal.Position{}), m)
		d.closeOldMatters()
	}
}

// claimedByKingCapture handles the claim that the king had been left in check (US Chess blitz 7d, WBCA).
func (d *Docket) claimedByKingCapture(capture *matter) {
	m := d.latest(func(m *matter) bool {
		return m != capture && m.live() && m.c.Side == capture.c.Side.Other() && m.c.Ply == capture.c.Ply-1 && m.c.Kind.Row().Check
	})
	if m == nil {
		return
	}
	m.claimed = true
	if m.closed == byReply {
		m.closed = stillOpen
	}
	capture.proves = m.c.ID
}
