package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hint"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file answers a player who stops the clock and makes a claim about the present board, even before the move is
// pressed. It judges the board as at a press, but the finding is not completed (FIDE Laws 7.5.1).

// ClaimMove judges a move on the board that was not pressed, for a claim of an illegal move or of touch-move (illegal,
// touch). The side is the claimant's, or NoSide where it was not entered.
func (t *Tracker) ClaimMove(st evidence.Stamp, what string, side legal.Side) {
	t.now = st
	if t.phase != playing || t.judgementPaused || t.pend.on || len(t.g.nodes) == 0 || len(t.b.Changes) == 0 {
		return
	}
	base := t.g.last()
	if side == base.pos.Turn() || base.wrong.open() || t.doubtful() {
		return
	}
	v := t.view(len(t.b.Changes))
	v.Final = true
	switch what {
	case "illegal":
		t.claimIllegal(&v)
	case "touch":
		t.claimTouch(&v)
	}
}

// claimIllegal reports the offence that the board would show if the clock were pressed now.
func (t *Tracker) claimIllegal(v *offence.View) {
	sh, ok := t.recognise(v)
	if !ok || !sh.Kind.Illegal() || sh.Side != v.Pos.Turn() || sh.Answered {
		return
	}
	t.answerClaim(&sh, v)
}

// claimTouch reports the pieces that were lifted in this turn, where the board shows no move, or a move with another
// piece than the first of them. The board does not show an adjustment that was announced.
func (t *Tracker) claimTouch(v *offence.View) {
	sh := offence.Shape{Kind: kinds.TouchMove, Proof: rules.Hint, Permille: hint.TouchPermille, Side: v.Pos.Turn()}
	home := v.Pos.Placement()
	m, moved := play.OnePly(v.Pos, &v.At)
	lifted := touched(v)
	switch {
	case len(lifted) == 0:
		return
	case moved:
		found, wrong := hint.Touched(v, m)
		if !wrong {
			return
		}
		sh = found
		after := v.Pos.After(m)
		sh.Stands, sh.After = true, after.Setup()
	case v.At != home:
		return // the board shows no legal move: that is another claim
	default:
		for _, l := range lifted {
			sh.Squares |= 1 << l.Square
		}
	}
	t.answerClaim(&sh, v)
}

// answerClaim reports what a claim has found. Its identity is the claim's record, because a later press may find the
// same.
func (t *Tracker) answerClaim(sh *offence.Shape, v *offence.View) {
	f := t.newFinding(sh, v)
	f.ID = findingID(t.now.Seq, sh.Kind)
	f.Clock = rules.Clocks(t.c.Times())
	f.Gained, f.Completed = -1, false
	t.openCertain(f)
}
