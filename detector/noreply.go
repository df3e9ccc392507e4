package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Two plies stand on the board, their presses were forgotten, and the player of the first presses now: that is the
// press of his move, late (FIDE Laws 6.2.1 allows it), and the opponent will press the reply; or he presses without a
// move. Where the opponent makes another move next, either that press was one without a move, or he has moved twice.
// Which it was nobody can see: nobody is accused, the arbiter finds a hint, and the record has what stands on the
// board.

// notePressAfterReply keeps a press by s, whose opponent has replied long ago, until the opponent presses.
func (t *Tracker) notePressAfterReply(s legal.Side, reply legal.Move, at int64) {
	base := t.g.last()
	after := base.pos.After(reply)
	place := after.Placement()
	then := t.b.After(t.b.ChangesUntil(at - t.p.ClockLagUS - promptUS))
	if play.Difference(&then, &place)&play.Difference(&base.place, &place) != 0 || t.b.Live != place || !t.c.Fixed || t.doubtful() || t.gapLately() || !t.trusted(at) || base.wrong.on {
		return
	}
	v := t.viewAtPress(s, true)
	v.Line, v.Ply, v.Unread = t.g.with(node{pos: after}), base.ply+1, 0
	v.Pos, v.Changes, v.At = &after, nil, place
	sh := noMove(s)
	sh.Proof, sh.Permille, sh.Note = rules.Hint, offence.HintPermille, words.Say("saw.or_late")
	t.turn.afterReply = t.found(sh, &v)
}

// judgeSecondReply is a press by s, whose opponent has pressed when the reply had stood for long: s has made another
// move, and the press was one without.
func (t *Tracker) judgeSecondReply(s legal.Side, at int64) bool {
	f, base := t.turn.afterReply, t.g.last()
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
	t.passed(f.Side, f.ID)
	f.Stamp = t.now
	t.openCertain(f)
	t.emitPress(s, "ok")
	t.commit(m, ByPress, -1)
	return true
}
