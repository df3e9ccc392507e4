package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// The centre squares on which kings tell a result: both on the light ones White wins, both on the dark ones Black,
// one of each a draw (protocol notes, section 13). Every pair of them is adjacent, so no legal position can have both
// kings there.
const (
	e4, d5 = legal.Square(28), legal.Square(35)
	d4, e5 = legal.Square(27), legal.Square(36)
)

// kingsResult reads the result that the kings tell, if both stand on centre squares.
func kingsResult(p *legal.Placement) (string, bool) {
	light, dark := 0, 0
	for _, sq := range [...]legal.Square{e4, d5} {
		if p[sq].Kind() == legal.King {
			light++
		}
	}
	for _, sq := range [...]legal.Square{d4, e5} {
		if p[sq].Kind() == legal.King {
			dark++
		}
	}
	if light+dark != 2 || !bothKings(p) {
		return "", false
	}
	switch light {
	case 2:
		return "1-0", true
	case 0:
		return "0-1", true
	}
	return "1/2-1/2", true
}

func bothKings(p *legal.Placement) bool {
	var seen [3]int
	for _, sq := range [...]legal.Square{e4, d5, d4, e5} {
		if p[sq].Kind() == legal.King {
			seen[p[sq].Side()]++
		}
	}
	return seen[legal.White] == 1 && seen[legal.Black] == 1
}

// kingsSignal is kingsResult where the kings were put in the centre to show it: both, or one where the other stood in
// the centre, after the clock was stopped. Before that it may have been moved there, legally or beside the other king
// (FIDE Laws 3.9.2).
func (t *Tracker) kingsSignal() (string, bool) {
	result, ok := kingsResult(&t.b.Live)
	if !ok || t.phase != playing {
		return result, ok
	}
	place, put, stopped := t.g.last().place, 0, t.c.Absent()
	for _, sq := range [...]legal.Square{d4, e4, d5, e5} {
		if p := t.b.Live[sq]; p.Kind() == legal.King && p != place[sq] {
			put++
			stopped = stopped || !t.c.Running() && t.putSince(sq, t.c.Stopped)
		}
	}
	return result, put == 2 || put == 1 && stopped
}

// putSince says whether what stands on a square was surely put there after what was reported at that time.
func (t *Tracker) putSince(sq legal.Square, at int64) bool {
	return slices.ContainsFunc(t.b.Changes, func(c evidence.Change) bool {
		return c.Square == sq && c.Is == t.b.Live[sq] && t.bound().After(at, &c)
	})
}

// lookForKings proposes the result at once while the clock stands, and after some quiet while it runs or is absent.
func (t *Tracker) lookForKings() {
	t.kingsAt = 0
	if t.phase == idle || !t.b.Known {
		return
	}
	if _, ok := t.kingsSignal(); !ok {
		return
	}
	if t.c.Running() || t.c.Absent() {
		t.kingsAt = t.now.At + t.p.KingsUS
		return
	}
	t.proposeKings()
}

// proposeKings makes the proposal if the kings still stand there.
func (t *Tracker) proposeKings() {
	result, ok := t.kingsSignal()
	if !ok || t.phase == idle {
		return
	}
	if t.phase == over {
		p := t.g.proved
		if p.By == "arbiter" && !t.kingsSaid {
			t.kingsSaid = true
			t.tellFact(kinds.ResultSignal, result)
		}
		if p.By != "kings" || p.Result == result || t.clearedAway() || t.now.At-p.Stamp.At > correctedUS {
			return // already known; a mate is not overruled by pieces, nor a result by kings that are left alone
		}
	}
	if t.phase == playing {
		t.commitLastMove()
	}
	if t.phase == over && t.g.proved.By != "kings" {
		return // the last move turned out to end the game
	}
	t.end(result, "kings")
}

// clearedAway reports whether most pieces of the last position have been taken off the board.
func (t *Tracker) clearedAway() bool {
	place := t.g.last().place
	return 2*pieces(&t.b.Live) < pieces(&place)
}

// ResultPiece takes a result told by a special piece on the board, where the board knows such pieces. One damaged bit
// turns a queen into one, so it must lie there for a while, and a dump is asked for: whatever changes on the board
// before that takes it back.
func (t *Tracker) ResultPiece(st evidence.Stamp, result string) {
	t.now = st
	t.hands.odd = true
	if t.phase != playing {
		return
	}
	t.piece = result
	t.pieceAt = st.At + t.p.QuietUS
	if t.c.Running() || t.c.Absent() {
		t.pieceAt = st.At + t.p.KingsUS
	}
	t.wantDump = true
}

// proposePiece makes the proposal if the piece still lies there.
func (t *Tracker) proposePiece() {
	if t.phase == playing {
		t.commitLastMove()
	}
	if t.phase == playing {
		t.end(t.piece, "piece")
	}
}

// commitLastMove commits the move after which a player resigned without the clock being pressed. It was made, so it
// belongs to the record; after a flag it does not (FIDE Laws 6.8).
func (t *Tracker) commitLastMove() {
	if t.commitStanding() {
		return
	}
	if t.c.Flagged() || t.b.Folded && t.p.Passive {
		return
	}
	if t.playsUnstarted() {
		t.catchUpOnBoard(t.now.At, 1)
	}
	if t.phase != playing {
		return
	}
	base := t.g.last()
	var list legal.MoveList
	base.pos.Moves(&list)
	at := max(t.b.Seen(&base.place), 0) // what was taken back before that is no move
	var last legal.Move
	for _, m := range list.Slice() {
		p := play.Landing(base.place, m)
		i := t.b.Seen(&p)
		if t.b.Folded && i > 0 && t.b.Changes[i-1].Window.Hi > t.b.Verified {
			continue // reports were lost, and no dump has shown it
		}
		if i > at && t.stood(i) && !t.afterStop(i) {
			at, last = i, m
		}
	}
	if last != legal.NoMove {
		t.commit(last, ByTerminal, at)
		return
	}
	t.commitLastRow()
}

// commitLastRow is the same where two or three plies stand there, and their presses fell between two readings of a
// clock that is polled.
func (t *Tracker) commitLastRow() {
	n, base := len(t.b.Changes), t.g.last()
	if n < 4 || t.b.Folded || t.c.Turn() != base.pos.Turn() || !t.stood(n) || t.afterStop(n) {
		return
	}
	for plies := 2; plies <= 3; plies++ {
		if r, ok := t.bestRow(&base.pos, plies); ok {
			if r.seen && r.odd == 0 && len(r.also) == 0 {
				t.commitRow(r.moves, ByTerminal)
			}
			return
		}
	}
}

// afterStop says that the last of the first n changes was made after the clock had been stopped: what the players show
// each other then is no move of the game (FIDE Laws 6.11). A report as old as a scan may be from before.
func (t *Tracker) afterStop(n int) bool {
	if n == 0 || !t.c.Valid || t.c.Last.Running || t.playsUnstarted() {
		return false
	}
	made := t.b.Changes[n-1].Window
	return made.Lo > t.c.Stopped && made.Hi > t.c.Stopped+t.bound().US
}

// stood says whether the board kept still after the first n changes, or the clock was stopped there.
func (t *Tracker) stood(n int) bool {
	made := t.b.Changes[n-1].Window.Hi
	next := t.now.At
	if n < len(t.b.Changes) {
		next = t.b.Changes[n].Window.Hi
	}
	stopped := t.c.Valid && !t.c.Last.Running && t.c.Stopped >= made && t.c.Stopped <= next
	return stopped || next-made >= evidence.StoodUS || n == len(t.b.Changes) && t.b.Ticks >= evidence.StoodTicks
}
