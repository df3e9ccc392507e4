package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// This file compares when the board and the clock reported: a move that was not over at the press, and reports that may
// still come.

// stillMoving says that the board may not show the end of the move yet: its last report is so fresh that the next square
// of a slide, or the rook of a castling, may only be on its way (board reports up to LateUS after the press report
// belong to before it). It cannot be so when the piece has nowhere else to go.
func (t *Tracker) stillMoving(pos *legal.Position, m legal.Move, at int64) bool {
	if !t.reportsMayCome(at) || at-t.b.lastAt >= t.p.LateUS {
		return false
	}
	return anyMove(pos, func(c legal.Move) bool { return c.From() == m.From() && c.To() != m.To() })
}

// reportsMayCome says that board reports which belong to before a press reported at the given time may still come.
func (t *Tracker) reportsMayCome(at int64) bool {
	return !(t.pend.on && t.pend.late) && t.now.At < at+t.p.LateUS
}

// lastLifted returns whose piece was lifted by the latest change, or NoSide.
func (t *Tracker) lastLifted() legal.Side {
	n := len(t.b.changes)
	if n == 0 || t.b.changes[n-1].is != legal.NoPiece {
		return legal.NoSide
	}
	return t.b.changes[n-1].was.Side()
}

// ghostUS is how long a captured piece may be seen on a neighbouring square while it is carried off (reconstruction
// notes, row 20), and stillUS how long a placement must have stood before that to be a finished move.
const (
	ghostUS = 1_500_000
	stillUS = 300_000
)

// lateness says whether m, made by the first n changes, was complete in time for a press reported at the given time. A
// report up to LateUS after the press report belongs to before it; one that a dump had to heal may. Only the move's own
// squares count, and only until they first read as the move leaves them: another coil may flicker.
func (t *Tracker) lateness(at int64, n int, m legal.Move) string {
	base := t.g.last().place
	place := landing(base, m)
	missing := difference(&base, &place)
	for _, c := range t.b.changes[:n] {
		if c.is == place[c.sq] && (c.healed || c.win.Hi <= at+t.p.LateUS) {
			missing &^= 1 << c.sq
		}
	}
	for _, c := range t.b.changes[:n] {
		if missing>>c.sq&1 != 0 && c.is == place[c.sq] {
			return pressedEarly
		}
		taken := c.is == legal.NoPiece && place[c.sq] == legal.NoPiece && c.was.Side() == t.g.last().pos.Turn().Other()
		if taken && base[c.sq] == legal.NoPiece && !c.healed && c.win.Hi > at+t.p.LateUS {
			return pressedEarly // the captured man was put beside, and is taken off only now
		}
	}
	return "ok"
}

// pressedEarly is a press before the move was finished (FIDE Laws 6.2.1, 6.2.4).
const pressedEarly = "irreg.press_before_done"

// tellEarly tells a press that came before the move was finished. The move stands.
func (t *Tracker) tellEarly(s legal.Side, code string, at int64, m legal.Move) {
	if code != pressedEarly {
		return
	}
	v := t.view(len(t.b.changes))
	v.press = Window{Lo: at - t.p.ClockLagUS, Hi: at}
	sh := shape{
		kind: pressedEarly, proof: rules.Strong, permille: 800, side: s, uci: v.pos.UCI(m), squares: 1<<m.From() | 1<<m.To(),
		note: "the last piece of the move stood only after the press", stands: true,
	}
	after := v.pos.After(m)
	sh.after = after.Setup()
	t.bring(t.found(&sh, &v))
}
