package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file takes back a press without a move, where the board turns out to have lost both reports of the move: in a
// recording without requested dumps nothing shows that at the press.

// countedLeaves takes a report that a square which already reads empty is empty, where a piece counts: in a recording
// without requested dumps its arrival was not reported, and it is leaving now.
func (t *Tracker) countedLeaves(sq legal.Square, p legal.Piece) bool {
	if p != legal.NoPiece {
		return false
	}
	if a := &t.b.Readings[sq]; t.p.Passive && a.Differs && !a.InHand && a.Counts != legal.NoPiece {
		t.b.CountedUnread &^= 1 << sq
		*a = evidence.Reading{}
		return true
	}
	t.turn.cameUnreported = t.turn.cameUnreported || !t.justPut()
	return false
}

// justPut reports whether the last change put a piece down a moment ago: a square that is reported empty now was only
// passed by it.
func (t *Tracker) justPut() bool {
	n := len(t.b.Changes)
	return n > 0 && t.b.Changes[n-1].Is != legal.NoPiece && t.now.At-t.b.Changes[n-1].Window.Hi < passingUS
}

// moveReports judges a report that a square which already reads empty is empty: a piece was put there without a report.
// If the player who pressed without a move could have moved there, and no dump has shown the board since, that may have
// been the move.
func (t *Tracker) moveReports(sq legal.Square, p legal.Piece) {
	i, ok := t.pressedWithoutMove()
	if !ok || p != legal.NoPiece || t.b.Verified >= t.lastNullPress.Window.Hi || !t.stoodSince(i, sq) || t.b.Live != t.g.last().place {
		return
	}
	for k := i + 1; k < len(t.g.nodes); k++ {
		if n := &t.g.nodes[k]; n.wrong.on || n.unseen != 0 {
			return // it may be a later move that was lost
		}
	}
	from := &t.g.nodes[i-1].pos
	if !play.AnyMove(from, func(m legal.Move) bool { return m.To() == sq && t.stoodSince(i, m.From()) }) {
		return
	}
	t.withdraw(&t.lastNullPress, words.Say("withdrawn.reports_lost"))
}

// moveDumped judges a dump that shows one legal move of the player who pressed without a move, no part of which was
// reported: the move was made before the press.
func (t *Tracker) moveDumped() bool {
	i, ok := t.pressedWithoutMove()
	if !ok || i != len(t.g.nodes)-1 || !t.g.nodes[i].wrong.open() || t.pend.on {
		return false
	}
	for _, c := range t.b.Changes {
		if !c.FromDump {
			return false // the move was made after the press
		}
	}
	m, ok := play.OnePly(&t.g.nodes[i-1].pos, &t.b.Live)
	if !ok {
		return false
	}
	t.withdraw(&t.lastNullPress, words.Say("withdrawn.read_again"))
	t.g.nodes = t.g.nodes[:i]
	t.fault = fault{}
	t.note("move_corrected", words.Say("row.move_corrected"))
	t.commit(m, ByPress, -1)
	return true
}

// pressedWithoutMove returns the index of the node that the last press without a move led to, if it is not long ago.
func (t *Tracker) pressedWithoutMove() (n int, ok bool) {
	if t.phase != playing || t.lastNullPress.ID == "" {
		return 0, false
	}
	for n = len(t.g.nodes) - 1; n > 0 && len(t.g.nodes)-n <= maxBack; n-- {
		if w := &t.g.nodes[n].wrong; w.nullMove && w.done.finding == t.lastNullPress.ID {
			return n, true
		}
	}
	return 0, false
}
