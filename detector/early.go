package detector

import (
	"slices"
	"strconv"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file says that the clock was pressed before the move was finished (FIDE Laws 6.2.1, 6.2.4), only where the board
// proves it.
//
// Reports of the lever are never early, and those of a square are never later than one scan and the way to the host. So
// a square whose change is reported later than that after the press changed after it; what is reported sooner proves
// nothing, and silence proves nothing (timing notes 1.3, 3.4). All comes over one line, in order: where host or line
// stall, both reports are late together, or a distance that was between them already is stretched: a stall makes no distance.

// A bound is the longest time from a change to its report, on this board or, where its scan is not known, on any.
type bound struct {
	us  int64
	how boundKind
}

type boundKind uint8

const (
	anyBoard  boundKind = iota // the scan of this board is not known
	thisBoard                  // it was measured
	bySeconds                  // a recording without times: the clock's own seconds are the only measure
)

const (
	// slowestUS holds for the slowest board there is: 450 ms with Bluetooth, 100 ms of jitter on the radio (timing
	// notes 1.1), and the 30 ms of every line.
	slowestUS = 580_000
	// secondsUS is passed by two seconds of the clock and not by one, as lateTicks is.
	secondsUS = 1_500_000
)

// surely is how many moves an accusation asks for: on a line that stalls for seconds, fewer have taken a scan in rows
// for one in columns of an eighth of its time, which costs a suspicion little and would make an honest press an early
// one.
const surely = 20

// bound returns the longest time from a change on this board to its report.
func (t *Tracker) bound() bound {
	switch x := &t.hands.sensor; {
	case !t.hands.timed:
		return bound{us: secondsUS, how: bySeconds}
	case x.Trusted() && x.Moves >= surely:
		return bound{us: x.LatestUS(), how: thisBoard}
	}
	return bound{us: max(slowestUS, t.p.ScanUS), how: anyBoard} // a scan that the operator has set may be slower still
}

// after says that c changed after a press that was reported at the given time. What only a dump found may have been
// there, and what waited while the program stood still is not known to the second.
func (b bound) after(at int64, c *change) bool { return !c.healed && !c.waited && c.win.Hi > at+b.us }

// unfinished returns the report that proves that m was not finished at a press reported at the given time; nil where
// none does. The changes have led to m. Only the move's own squares count, and only until they first read as the move
// leaves them.
func (b bound) unfinished(base *legal.Placement, m legal.Move, changes []change, at int64) *change {
	place := placementAfter(*base, m)
	missing := difference(base, &place)
	for i := range changes {
		if c := &changes[i]; c.is == place[c.sq] && !b.after(at, c) {
			missing &^= 1 << c.sq
		}
	}
	for i := range changes {
		c := &changes[i]
		if c.is != place[c.sq] || !b.after(at, c) || missing>>c.sq&1 == 0 && !putBeside(base, m, c) {
			continue
		}
		if b.placed(m, changes[:i+1], at) && steady(base, m, changes[:i+1]) {
			return c
		}
		return nil
	}
	return nil
}

// putBeside says that c takes the captured piece off a square on which none stood before the move: it was put there.
func putBeside(base *legal.Placement, m legal.Move, c *change) bool {
	sq := m.Victim()
	return c.is == legal.NoPiece && base[c.sq] == legal.NoPiece && sq < legal.NoSquare && base[sq] == c.was
}

// placed says that it is known where the moving piece was at the press: in the air, because its square was reported
// empty before it, or on its square still, because that was reported too late. What left in between may have been
// anywhere.
func (b bound) placed(m legal.Move, changes []change, at int64) bool {
	for i := range changes {
		c := &changes[i]
		if c.is == legal.NoPiece && (c.sq == m.From() || m.IsCastling() && c.sq == m.RookFrom()) {
			return c.win.Hi <= at || b.after(at, c)
		}
	}
	return false
}

// steady says that the pieces of the move were where they were read and nowhere else: no coil lost and found one, no
// code was none of the twelve pieces, none was read beside its way, no dump had to heal anything. A piece that stands
// off the centre of its square is recognised by such things, and is nudged later (timing notes 3.4).
func steady(base *legal.Placement, m legal.Move, changes []change) bool {
	place := placementAfter(*base, m)
	own := difference(base, &place)
	besides := 0
	for i := range changes {
		c := &changes[i]
		switch {
		case c.healed || c.odd:
			return false
		case c.is == legal.NoPiece:
		case own>>c.sq&1 != 0:
			if !steadyOn(base, &place, m, changes[:i], c) {
				return false
			}
		case c.is == place[c.sq]: // another piece, put back on its square
		case m.Victim() < legal.NoSquare && c.is == base[m.Victim()]:
			besides++
		case handled(base, &place, m, c.is):
			return false
		}
	}
	last := &changes[len(changes)-1]
	return besides == 0 || besides == 1 && putBeside(base, m, last)
}

// steadyOn says that c, after other changes, puts a piece of the move where the move brings it, for the first time, or
// exchanges a pawn there.
func steadyOn(base, place *legal.Placement, m legal.Move, before []change, c *change) bool {
	if c.is == base[c.sq] || slices.ContainsFunc(before, func(o change) bool { return o.sq == c.sq && o.is == c.is }) {
		return false
	}
	exchanged := m.Promotion() != legal.NoKind && c.sq == m.To() && c.is.Kind() == legal.Pawn
	return c.is == place[c.sq] || exchanged || !handled(base, place, m, c.is)
}

// handled says that a piece is one of those that the move puts down.
func handled(base, place *legal.Placement, m legal.Move, p legal.Piece) bool {
	return p == base[m.From()] || p == place[m.To()] || m.IsCastling() && p == base[m.RookFrom()]
}

// lateness says whether m, made by the first n changes, was finished in time for a press reported at the given time.
func (t *Tracker) lateness(at int64, n int, m legal.Move) string {
	if t.early(at, n, m) != nil {
		return string(kinds.PressBeforeDone)
	}
	return "ok"
}

// early returns the report among the first n changes that proves a press before m was finished; nil where none does. A
// press that started the clock may be the opponent's.
func (t *Tracker) early(at int64, n int, m legal.Move) *change {
	if t.runSince == at && t.atStart() || !slices.ContainsFunc(t.b.changes[:n], func(c change) bool { return c.win.Hi > at }) {
		return nil
	}
	v := t.view(n)
	v.later, v.press.Hi = nil, at
	return v.early(m)
}

// early is that of a view, the reports that came later included.
func (v *view) early(m legal.Move) *change {
	if v.shaken {
		return nil
	}
	b := v.bound
	if m.Promotion() != legal.NoKind {
		b = v.strikeBound()
	}
	base := v.pos.Placement()
	return b.unfinished(&base, m, slices.Concat(v.changes, v.later), v.press.Hi)
}

// strikeBound is the bound where a strike hangs on it, as in a promotion (FIDE Laws 7.5.2): not less than the usual
// one, also on a board that is known to be faster (laws notes 1.3).
func (v *view) strikeBound() bound {
	b := v.bound
	b.us = max(b.us, v.lateUS)
	return b
}

// offCentre is the key of the other reading of a piece that is read late: what happened before is no sign of it, and no
// proof against it.
const offCentre = "saw.off_centre"

// earlyShape is a press before m was finished. The move stands.
func (v *view) earlyShape(m legal.Move, c *change) shape {
	s := v.shapeOf(kinds.PressBeforeDone, rules.Strong, 1<<m.From()|1<<m.To()|1<<c.sq)
	s.uci = v.pos.UCI(m)
	s.after, s.stands = v.played(m), true
	s.shown = c
	s.reason = v.reasonOfEarly(c)
	if c.is != legal.NoPiece {
		s.note = words.Say(offCentre)
	}
	return s
}

// reasonOfEarly is a sentence that an arbiter can read out, with the bound that makes it a fact.
func (v *view) reasonOfEarly(c *change) words.Sentence {
	if c.is != legal.NoPiece {
		return words.Say("why.early.came", v.mover(), c.is.Kind(), c.sq, v.howLate(c))
	}
	return words.Say("why.early.left", v.mover(), c.was.Kind(), c.sq, v.howLate(c))
}

// howLate says how late a report was, and how late it could have been.
func (v *view) howLate(c *change) words.Sentence {
	late := hundredths(c.win.Hi - v.press.Hi)
	switch v.bound.how {
	case thisBoard:
		return words.Say("why.late.board", late, hundredths(v.bound.us))
	case bySeconds:
		return words.Say("why.late.seconds", late)
	}
	return words.Say("why.late.slowest", late, hundredths(v.bound.us))
}

// hundredths writes a time in seconds with two decimals.
func hundredths(us int64) string {
	n := (us + 5_000) / 10_000
	tail := strconv.FormatInt(100+n%100, 10)
	return strconv.FormatInt(n/100, 10) + "." + tail[1:]
}

// tellEarly tells a press that came before the move was finished.
func (t *Tracker) tellEarly(at int64, m legal.Move, n int) {
	if t.doubtful() || t.overtaken(at) {
		return
	}
	if n < 0 {
		n = len(t.b.changes)
	}
	v := t.view(n)
	v.later, v.press = nil, Window{Lo: at - t.p.ClockLagUS, Hi: at}
	if c := v.early(m); c != nil {
		sh := v.earlyShape(m, c)
		t.openFinding(t.found(&sh, &v))
	}
}
