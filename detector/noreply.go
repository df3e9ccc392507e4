package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file handles a press by the player of the first of two plies on the board, whose presses were forgotten. Either
// it is the late press of that move (FIDE Laws 6.2.1 allows it), and the opponent will press the reply; or it is a
// press without a move. If the opponent makes another move next, either that press was one without a move, or the
// opponent has moved twice. The board cannot show which: nobody is accused, the arbiter gets a hint, and the record
// follows the board.

// notePressAfterReply keeps a press by s, to whom the opponent replied long ago, until the opponent presses.
func (t *Tracker) notePressAfterReply(s legal.Side, reply legal.Move, at int64) {
	base := t.g.last()
	after := base.pos.After(reply)
	place := after.Placement()
	then := t.b.After(t.b.ChangesUntil(at - t.p.ClockLagUS - promptUS))
	if play.Difference(&then, &place)&play.Difference(&base.place, &place) != 0 || t.b.Live != place || !t.c.SidesSettled || t.doubtful() || t.gapLately() || !t.trusted(at) || base.wrong.on {
		return
	}
	v := t.viewAtPress(s, true)
	v.Line, v.Ply, v.ReadEmpty = t.g.with(node{pos: after}), base.ply+1, 0
	v.Pos, v.Changes, v.At = &after, nil, place
	sh := noMove(s)
	sh.Proof, sh.Permille, sh.Note = rules.Hint, offence.HintPermille, words.Say("saw.or_late")
	t.turn.pressAfterReply = t.newFinding(sh, &v)
}

// judgeSecondReply judges a press by s after the opponent pressed when the reply of s had been on the board for long: s
// has made another move, and the opponent's press was one without a move.
func (t *Tracker) judgeSecondReply(s legal.Side, at int64) bool {
	f, base := t.turn.pressAfterReply, t.g.last()
	if f.ID == "" || f.Side != s.Other() || base.pos.Turn() != s || !t.trusted(at) {
		return false
	}
	reply, ok := play.OnePly(&base.pos, &f.Case.At)
	if !ok {
		return false
	}
	after := base.pos.After(reply)
	pos, ok := t.standing(&after, f.Case.At, s)
	if !ok {
		return false
	}
	m, ok := play.OnePly(&pos, &t.b.Live)
	if !ok {
		return false
	}
	t.commit(reply, ByReply, -1)
	t.pushNullMove(f.Side, f.ID)
	f.Stamp = t.now
	t.openCertain(f)
	t.emitPress(s, "ok")
	t.commit(m, ByPress, -1)
	return true
}
