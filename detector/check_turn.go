package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A piece of the side that does not have the move stands elsewhere, and nothing else differs (FIDE Laws 1.2, 1.3). It
// is an irregularity even where he could not have gone there in his turn. Before White's first move it is certain;
// later it is strong, because nobody saw whose hand it was. Where the player who has the move presses, having moved
// nothing else, it is possible only, and of nobody: the press completes a move of that player's, who may have moved the
// opponent's piece.
//
// Innocent look-alikes: the reply to a move that the board shows; a piece pushed to a neighbouring square, which is
// told as that; a move, its reply and the way back, where all three are quicker than the report of the first press.

// tellMovedAhead tells, for the record only, that a piece of the player without the move was moved while the opponent's
// time ran, where the opponent has then made the move m and pressed, and the other one, r, stands as its reply. The
// first k changes have led to r alone. Whose hand it was is not known.
func (t *Tracker) tellMovedAhead(m, r legal.Move, k int) {
	base := t.g.last()
	v := t.view(len(t.b.Changes))
	if t.doubtful() || t.alt.on || t.paused() || t.held || base.wrong.on || t.fault.side != legal.NoSide || v.Shaken || t.gapLately() || !t.ranForMover() || !v.MovedAhead(r, k) {
		return
	}
	v.Press.Lo -= t.p.ClockLagUS
	v.Prepare()
	pos, ok := offence.TurnOf(v.Pos, v.Mover().Other())
	if !ok {
		return
	}
	sh := v.ShapeOf(kinds.OutOfTurn, rules.Hint, 1<<r.From()|1<<r.To())
	sh.OfNobody()
	sh.UCI, sh.Answered = pos.UCI(r), true
	after := base.pos.After(m)
	sh.After, sh.Stands = after.Setup(), true
	t.openCertain(t.found(&sh, &v))
}

// ranForMover says that since the press of the last move the clock has run for the player to move alone: it was not
// stopped, no reading of it may have held two presses, and the other time is what it was. Where presses add nothing, two
// of them within a second would have left it so as well.
func (t *Tracker) ranForMover() bool {
	was, is := t.g.last().clock, t.pressClock
	if !t.c.Fixed || t.c.Bonus == 0 || t.turnSince == 0 || t.runSince > t.turnSince || t.mergedAt != 0 || !was.Known || !is.Known {
		return false
	}
	if t.g.last().pos.Turn() == legal.White {
		return was.Black == is.Black
	}
	return was.White == is.White
}
