package offence

import (
	"slices"
	"strconv"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file recognises a press before the move was finished (FIDE Laws 6.2.1, 6.2.4), where the board proves it.
//
// The lever is never reported early, and a square never later than one scan and the way to the host. So a square whose
// change is reported later than that after the press changed after the press; an earlier report proves nothing, and
// neither does silence (timing notes 1.3, 3.4). All reports come over one line, in order. Where the host or the line
// stalls, both reports are late together, or the distance that was already between them is stretched: a stall cannot
// create a distance.

// A Bound is the longest time from a change to its report: on this board, or on any board where its scan is unknown.
type Bound struct {
	US  int64
	How boundKind
}

type boundKind uint8

const (
	AnyBoard  boundKind = iota // the scan of this board is unknown
	ThisBoard                  // the scan of this board was measured
	BySeconds                  // a recording without times: the clock's own seconds are the only measure
)

const (
	// SlowestUS holds for the slowest board known: 450 ms with Bluetooth, 100 ms of jitter on the radio (timing notes
	// 1.1), and the 30 ms of every line.
	SlowestUS = 580_000
	// SecondsUS lies between one second of the clock and two, so that lateTicks exceeds it.
	SecondsUS = 1_500_000
)

// After reports whether c changed after a press that was reported at the given time. A change that only a dump found
// may be older, and the time of one that waited while the program stood still is not known to the second.
func (b Bound) After(at int64, c *evidence.Change) bool {
	return !c.FromDump && !c.Waited && c.Window.Hi > at+b.US
}

// Unfinished returns the report that proves that m was not finished at a press reported at the given time; nil where
// none does. The changes have led to m. Only the move's own squares count, and only until they first read as the move
// leaves them.
func (b Bound) Unfinished(base *legal.Placement, m legal.Move, changes []evidence.Change, at int64) *evidence.Change {
	place := play.PlacementAfter(*base, m)
	missing := play.Difference(base, &place)
	for i := range changes {
		if c := &changes[i]; c.Is == place[c.Square] && !b.After(at, c) {
			missing &^= 1 << c.Square
		}
	}
	for i := range changes {
		c := &changes[i]
		if c.Is != place[c.Square] || !b.After(at, c) || missing>>c.Square&1 == 0 && !putBeside(base, m, c) {
			continue
		}
		if b.placed(m, changes[:i+1], at) && steady(base, m, changes[:i+1]) {
			return c
		}
		return nil
	}
	return nil
}

// putBeside reports whether c takes the captured piece off a square that was empty before the move: it was put there.
func putBeside(base *legal.Placement, m legal.Move, c *evidence.Change) bool {
	sq := m.Victim()
	return c.Is == legal.NoPiece && base[c.Square] == legal.NoPiece && sq < legal.NoSquare && base[sq] == c.Was
}

// placed reports whether it is known where the moving piece was at the press: in the hand, because its square was
// reported empty before the press, or still on its square, because that report came too late. A piece that left in
// between may have been anywhere.
func (b Bound) placed(m legal.Move, changes []evidence.Change, at int64) bool {
	for i := range changes {
		c := &changes[i]
		if c.Is == legal.NoPiece && (c.Square == m.From() || m.IsCastling() && c.Square == m.RookFrom()) {
			return c.Window.Hi <= at || b.After(at, c)
		}
	}
	return false
}

// steady reports whether the pieces of the move were read where they were and nowhere else: no coil lost and found a
// piece, no code was unknown, no piece was read beside its way, no dump had to correct anything. Such signs show a
// piece that is off the centre of its square and nudged later (timing notes 3.4).
func steady(base *legal.Placement, m legal.Move, changes []evidence.Change) bool {
	place := play.PlacementAfter(*base, m)
	own := play.Difference(base, &place)
	besides := 0
	for i := range changes {
		c := &changes[i]
		switch {
		case c.FromDump || c.UnknownCode:
			return false
		case c.Is == legal.NoPiece:
		case own>>c.Square&1 != 0:
			if !steadyOn(base, &place, m, changes[:i], c) {
				return false
			}
		case c.Is == place[c.Square]: // another piece, put back on its square
		case m.Victim() < legal.NoSquare && c.Is == base[m.Victim()]:
			besides++
		case handled(base, &place, m, c.Is):
			return false
		}
	}
	last := &changes[len(changes)-1]
	return besides == 0 || besides == 1 && putBeside(base, m, last)
}

// steadyOn reports whether c, after other changes, puts a piece of the move on its square for the first time, or
// exchanges a pawn there.
func steadyOn(base, place *legal.Placement, m legal.Move, before []evidence.Change, c *evidence.Change) bool {
	if c.Is == base[c.Square] || slices.ContainsFunc(before, func(o evidence.Change) bool { return o.Square == c.Square && o.Is == c.Is }) {
		return false
	}
	exchanged := m.Promotion() != legal.NoKind && c.Square == m.To() && c.Is.Kind() == legal.Pawn
	return c.Is == place[c.Square] || exchanged || !handled(base, place, m, c.Is)
}

// handled reports whether a piece is one of those that the move puts down.
func handled(base, place *legal.Placement, m legal.Move, p legal.Piece) bool {
	return p == base[m.From()] || p == place[m.To()] || m.IsCastling() && p == base[m.RookFrom()]
}

// Early returns the report that proves the press of a view to be early, with the reports that came later included.
func (v *View) Early(m legal.Move) *evidence.Change {
	if v.ReportsDoubtful {
		return nil
	}
	b := v.Bound
	if m.Promotion() != legal.NoKind {
		b = v.strikeBound()
	}
	base := v.Pos.Placement()
	return b.Unfinished(&base, m, slices.Concat(v.Changes, v.Later), v.Press.Hi)
}

// strikeBound is the bound where a strike depends on it, as in a promotion (FIDE Laws 7.5.2): not less than the usual
// one, even on a board that is known to be faster (laws notes 1.3).
func (v *View) strikeBound() Bound {
	b := v.Bound
	b.US = max(b.US, v.LateUS)
	return b
}

// offCentre is the key of the other possible reason for a late report. Nothing before the press suggests it, and
// nothing rules it out.
const offCentre = "saw.off_centre"

// EarlyShape returns the shape of a press before m was finished. The move stands.
func (v *View) EarlyShape(m legal.Move, c *evidence.Change) Shape {
	s := v.ShapeOf(kinds.PressBeforeDone, rules.Strong, 1<<m.From()|1<<m.To()|1<<c.Square)
	s.UCI = v.Pos.UCI(m)
	s.After, s.Stands = v.Played(m), true
	s.Shown = c
	s.Reason = v.reasonOfEarly(c)
	if c.Is != legal.NoPiece {
		s.Note = words.Say(offCentre)
	}
	return s
}

// reasonOfEarly returns the sentence that an arbiter can read out, with the bound that makes it a fact.
func (v *View) reasonOfEarly(c *evidence.Change) words.Sentence {
	if c.Is != legal.NoPiece {
		return words.Say("why.early.came", v.Mover(), c.Is.Kind(), c.Square, v.howLate(c))
	}
	return words.Say("why.early.left", v.Mover(), c.Was.Kind(), c.Square, v.howLate(c))
}

// howLate returns how late a report was, and how late it could have been.
func (v *View) howLate(c *evidence.Change) words.Sentence {
	late := hundredths(c.Window.Hi - v.Press.Hi)
	switch v.Bound.How {
	case ThisBoard:
		return words.Say("why.late.board", late, hundredths(v.Bound.US))
	case BySeconds:
		return words.Say("why.late.seconds", late)
	}
	return words.Say("why.late.slowest", late, hundredths(v.Bound.US))
}

// hundredths writes a time in seconds with two decimals.
func hundredths(us int64) string {
	n := (us + 5_000) / 10_000
	tail := strconv.FormatInt(100+n%100, 10)
	return strconv.FormatInt(n/100, 10) + "." + tail[1:]
}
