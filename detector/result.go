package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// The centre squares on which kings signal a result: both on the light ones White wins, both on the dark ones Black,
// one of each a draw (protocol notes, section 13). Every pair of them is adjacent, so no legal position can have both
// kings there.
const (
	e4, d5 = legal.Square(28), legal.Square(35)
	d4, e5 = legal.Square(27), legal.Square(36)
)

// centre holds these squares.
var centre = [...]legal.Square{d4, e4, d5, e5}

// kingsResult returns the result that the kings signal, if both are on centre squares.
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
	for _, sq := range centre {
		if p[sq].Kind() == legal.King {
			seen[p[sq].Side()]++
		}
	}
	return seen[legal.White] == 1 && seen[legal.Black] == 1
}

// kingsSignal is kingsResult where the kings were put in the centre as a signal: both, or one where the other was
// already in the centre, after the clock was stopped. Before the stop it may have been moved there, legally or beside
// the other king (FIDE Laws 3.9.2).
func (t *Tracker) kingsSignal() (string, bool) {
	result, ok := kingsResult(&t.b.Live)
	if !ok || t.phase != playing {
		return result, ok
	}
	place, put, stopped := t.g.last().place, 0, t.c.Absent()
	for _, sq := range centre {
		if p := t.b.Live[sq]; p.Kind() == legal.King && p != place[sq] {
			put++
			stopped = stopped || !t.c.Running() && t.putSince(sq, t.c.Stopped)
		}
	}
	return result, put == 2 || put == 1 && stopped
}

// putSince reports whether the piece on a square was surely put there after an event reported at the given time.
func (t *Tracker) putSince(sq legal.Square, at int64) bool {
	return slices.ContainsFunc(t.b.Changes, func(c evidence.Change) bool {
		return c.Square == sq && c.Is == t.b.Live[sq] && t.bound().After(at, &c)
	})
}

// lookForKings proposes the result at once while the clock is stopped, and after a while where it runs or is absent,
// or where one king alone would change the result: a piece that is cleared away passes over squares.
func (t *Tracker) lookForKings() {
	t.kingsAt = 0
	if t.phase == idle || !t.b.Known {
		return
	}
	result, ok := t.kingsSignal()
	if !ok {
		return
	}
	if t.c.Running() || t.c.Absent() {
		t.kingsAt = t.now.At + t.p.KingsUS
		return
	}
	if p := t.g.proved; t.phase == over && p.By == "kings" && p.Result != result && !t.shownAnew().bothKings {
		if t.kingsAt = t.b.LastAt + t.p.QuietUS; t.kingsAt > t.now.At {
			return
		}
		t.kingsAt = 0
	}
	t.proposeKings()
}

// proposeKings makes the proposal if the kings are still there.
func (t *Tracker) proposeKings() {
	result, ok := t.kingsSignal()
	if !ok || t.phase == idle || t.idles() {
		return
	}
	if t.phase == over {
		p := t.g.proved
		if p.By == "arbiter" && !t.kingsSaid {
			t.kingsSaid = true
			t.reportFact(kinds.ResultSignal, result)
		}
		if p.By != "kings" || p.Result == result || t.movedMore() || t.analysed() {
			return // already known; pieces do not overrule a mate, nor a result after other pieces have moved
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

// movedMore reports whether more has moved since the last position than the kings and the pieces in their way: the
// players look at the game, or the pieces have been put away.
func (t *Tracker) movedMore() bool {
	place := t.g.last().place
	n := 0
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		was, is := place[sq], t.b.Live[sq]
		if was != is && was.Kind() != legal.King && is.Kind() != legal.King && !slices.Contains(centre[:], sq) {
			n++
		}
	}
	return n > maxOfTwoPlies/2
}

// shown is what has been done on the board since a result was shown by kings.
type shown struct {
	bothKings bool // both were put in the centre, after the last other piece
	others    bool // another piece was set down, neither where it stood in the game nor in its array
}

// analysed reports whether the kings show no result, because the players move other pieces: they analyse the game. It
// is a signal where both kings have been put in the centre after that.
func (t *Tracker) analysed() bool {
	s := t.shownAnew()
	return s.others && !s.bothKings
}

// shownAnew returns what has been done since the result. A piece that was in the way of a king may be put anywhere.
func (t *Tracker) shownAnew() (s shown) {
	array, place := &t.g.nodes[0].place, &t.g.last().place
	var put [3]bool
	var inWay []legal.Piece
	for i := range t.b.Changes {
		c := &t.b.Changes[i]
		if c.Seq <= t.g.proved.Seq {
			continue
		}
		inCentre := slices.Contains(centre[:], c.Square)
		if inCentre && c.Was != legal.NoPiece && c.Was.Kind() != legal.King {
			inWay = append(inWay, c.Was)
		}
		switch aside := slices.Index(inWay, c.Is); {
		case c.Is.Kind() == legal.King:
			put[c.Is.Side()] = put[c.Is.Side()] || inCentre && t.b.Live[c.Square] == c.Is
		case c.Is == legal.NoPiece, c.Is == place[c.Square], c.Is == array[c.Square]:
		case aside >= 0:
			inWay = slices.Delete(inWay, aside, aside+1)
		default:
			s.others, put = true, [3]bool{}
		}
	}
	s.bothKings = put[legal.White] && put[legal.Black]
	return s
}

// ResultPiece notes a result that a special piece on the board signals, where the board knows such pieces. One damaged
// bit turns a queen into one, so it must lie there for a while, and a dump is requested: any change on the board before
// then cancels it.
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
	if t.c.Flagged() || t.b.HistoryIncomplete && t.p.Passive {
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
	at := max(t.b.Seen(&base.place), 0) // a move that was taken back before does not count
	var last legal.Move
	for _, m := range list.Slice() {
		p := play.PlacementAfter(base.place, m)
		i := t.b.Seen(&p)
		if t.b.HistoryIncomplete && i > 0 && t.b.Changes[i-1].Window.Hi > t.b.Verified {
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

// commitLastRow commits two or three plies that the board shows at the end, where their presses fell between two
// readings of a clock that is polled.
func (t *Tracker) commitLastRow() {
	n, base := len(t.b.Changes), t.g.last()
	if n < 4 || t.b.HistoryIncomplete || t.c.Turn() != base.pos.Turn() || !t.stood(n) || t.afterStop(n) {
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

// afterStop reports whether the last of the first n changes was made after the clock had been stopped: moves that the
// players show each other then are not part of the game (FIDE Laws 6.11). A report within a scan of the stop may be
// from before it.
func (t *Tracker) afterStop(n int) bool {
	if n == 0 || !t.c.Valid || t.c.Last.Running || t.playsUnstarted() {
		return false
	}
	made := t.b.Changes[n-1].Window
	return made.Lo > t.c.Stopped && made.Hi > t.c.Stopped+t.bound().US
}

// stood reports whether the board rested after the first n changes, or the clock was stopped there.
func (t *Tracker) stood(n int) bool {
	made := t.b.Changes[n-1].Window.Hi
	next := t.now.At
	if n < len(t.b.Changes) {
		next = t.b.Changes[n].Window.Hi
	}
	stopped := t.c.Valid && !t.c.Last.Running && t.c.Stopped >= made && t.c.Stopped <= next
	return stopped || next-made >= evidence.StoodUS || n == len(t.b.Changes) && t.b.Ticks >= evidence.StoodTicks
}
