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

// A player who stops the clock and claims asks about the board as it stands, also before the move is pressed. This file
// looks at it in the same way as at a press; what it finds is not completed (FIDE Laws 7.5.1).

// ClaimMove looks at a move that stands on the board and was not pressed, for a claim of an illegal move or of
// touch-move (illegal, touch). The side is the claimant's, NoSide where nobody said.
func (t *Tracker) ClaimMove(st evidence.Stamp, what string, side legal.Side) {
	t.now = st
	if t.phase != playing || t.held || t.pend.on || len(t.g.nodes) == 0 || len(t.b.Changes) == 0 {
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

// claimIllegal tells the offence that the board would show if the clock were pressed now.
func (t *Tracker) claimIllegal(v *offence.View) {
	sh, ok := t.recognise(v)
	if !ok || !sh.Kind.Illegal() || sh.Side != v.Pos.Turn() || sh.Answered {
		return
	}
	t.answerClaim(&sh, v)
}

// claimTouch tells which pieces were lifted in this turn, where another move than one with the first of them stands on
// the board or none does. Adjusting that was announced is not seen.
func (t *Tracker) claimTouch(v *offence.View) {
	sh := offence.Shape{Kind: kinds.TouchMove, Proof: rules.Hint, Permille: hint.TouchPermille, Side: v.Pos.Turn()}
	home := v.Pos.Placement()
	m, moved := play.OnePly(v.Pos, &v.At)
	lifted := touched(v)
	switch {
	case len(lifted) == 0:
		return
	case moved:
		var list legal.MoveList
		v.Pos.Moves(&list)
		turn := hint.Turn{V: v, M: m, Side: v.Pos.Turn(), Home: home, Changes: v.Changes, Legal: list.Slice()}
		found, wrong := turn.TouchMove()
		if !wrong {
			return
		}
		sh = found
		after := v.Pos.After(m)
		sh.Stands, sh.After = true, after.Setup()
	case v.At != home:
		return // what stands there is no legal move: that is another claim
	default:
		for _, l := range lifted {
			sh.Squares |= 1 << l.Square
		}
	}
	t.answerClaim(&sh, v)
}

// answerClaim tells what a claim has found. Its identity is the claim's record, because a press that follows may find
// the same.
func (t *Tracker) answerClaim(sh *offence.Shape, v *offence.View) {
	f := t.found(sh, v)
	f.ID = findingID(t.now.Seq, sh.Kind)
	f.Clock = rules.Clocks(t.c.Times())
	f.Gained, f.Completed = -1, false
	t.openCertain(f)
}
