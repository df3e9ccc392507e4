package detector

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// invariant returns the error inside the tracker, or "". It is called after every step of the fuzz targets.
func (t *Tracker) invariant() string {
	switch {
	case len(t.b.Changes) > evidence.MaxChanges:
		return fmt.Sprintf("%d changes are remembered", len(t.b.Changes))
	case len(t.out) != 0:
		return "outcomes are left over"
	case cap(t.out) > 4096:
		return "the list of outcomes has grown out of bounds"
	}
	p := t.b.Origin
	for _, c := range t.b.Changes {
		if p[c.Square] != c.Was {
			return "a change does not follow from the one before"
		}
		p[c.Square] = c.Is
	}
	if p != t.b.Live {
		return "the changes do not lead to the board"
	}
	if t.pend.on && t.phase != playing {
		return "a press is judged while no game is played"
	}
	if t.phase == idle {
		return ""
	}
	return t.g.invariant()
}

func (g *game) invariant() string {
	if len(g.nodes) == 0 {
		return "a game without a position"
	}
	if len(g.nodes) > maxNodes {
		return fmt.Sprintf("%d positions are kept", len(g.nodes))
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.place != n.pos.Placement() {
			return fmt.Sprintf("node %d: placement and position differ", i)
		}
		if (n.pos.Turn() == legal.White) != (n.ply%2 == 0) {
			return fmt.Sprintf("node %d: ply %d, %s to move", i, n.ply, n.pos.Turn())
		}
		if i > 0 && n.ply < g.nodes[i-1].ply { // the same one twice: the position was corrected there
			return fmt.Sprintf("node %d: ply %d after %d", i, n.ply, g.nodes[i-1].ply)
		}
	}
	return ""
}

// A driver turns bytes into a story: each step is one or two bytes, and time goes by with it. Random squares alone
// would never come to a legal move, so most steps follow the game or bend it a little.
type driver struct {
	t      *Tracker
	now    int64
	seq    evidence.Seq
	clock  evidence.ClockReading
	pieces legal.Placement
}

func (d *driver) stamp() evidence.Stamp {
	d.seq++
	return evidence.Stamp{Seq: d.seq, At: d.now}
}

func (d *driver) step(op, arg byte) {
	d.now += int64(op>>4) * 90_000
	d.t.Wake(evidence.Stamp{Seq: d.seq, At: d.now})
	sq := legal.Square(arg & 63)
	switch op & 15 {
	case 0, 1:
		d.put(sq, legal.NoPiece)
	case 2:
		d.put(sq, legal.PieceOf(legal.Side(1+arg>>6&1), legal.Kind(1+int(arg)%6)))
	case 3, 4, 5, 6:
		d.legalMove(int(arg))
	case 7, 8:
		d.press(arg&1 == 0)
	case 9:
		d.clock.Running = !d.clock.Running
		d.t.Clock(d.stamp(), d.clock)
	case 10:
		d.clock.Left -= int(arg & 3)
		d.t.Clock(d.stamp(), d.clock)
	case 11:
		if arg&1 == 0 {
			d.pieces = d.t.Live()
		}
		d.t.Dump(d.stamp(), d.turned(d.pieces))
	case 12:
		d.interrupt(arg)
	case 13:
		p := d.t.g.pos()
		d.pieces = p.Placement()
		if arg&3 == 0 {
			d.pieces = legal.StartSetup(int(arg) * 3).Placement
		}
		d.t.Dump(d.stamp(), d.turned(d.pieces))
	case 14:
		r := d.clock
		r.Missing, r.LeftFlag = arg&1 == 0, arg&2 == 0
		d.t.Clock(d.stamp(), r)
	case 15:
		d.kings(arg)
	}
}

func (d *driver) turned(p legal.Placement) legal.Placement {
	if d.t.Reversed() {
		return play.Rotated(p)
	}
	return p
}

// put reports a square and keeps the real board.
func (d *driver) put(sq legal.Square, p legal.Piece) {
	d.pieces[sq] = p
	if d.t.Reversed() {
		sq = 63 - sq
	}
	d.t.Field(d.stamp(), sq, p, evidence.Window{Lo: d.now - 250_000, Hi: d.now})
}

// legalMove makes the n-th legal move of the committed position on the board.
func (d *driver) legalMove(n int) {
	pos := d.t.g.pos()
	var list legal.MoveList
	if d.t.phase != playing {
		return
	}
	pos.Moves(&list)
	if list.Len() == 0 {
		return
	}
	after := play.PlacementAfter(pos.Placement(), list.At(n%list.Len()))
	for sq, p := range after {
		if p != d.pieces[sq] {
			d.put(legal.Square(sq), p)
		}
	}
}

func (d *driver) press(left bool) {
	d.clock.Up = evidence.LeftSide
	if left {
		d.clock.Up = evidence.RightSide
	}
	d.t.Clock(d.stamp(), d.clock)
}

func (d *driver) interrupt(arg byte) {
	switch arg % 4 {
	case 0:
		d.t.Gap(d.stamp())
	case 1:
		d.t.Noise(d.stamp())
	case 2:
		d.t.Finish(d.stamp())
	case 3:
		d.t.ResultPiece(d.stamp(), "1-0")
	}
}

func (d *driver) kings(arg byte) {
	for sq, p := range d.pieces {
		if p.Kind() == legal.King {
			d.put(legal.Square(sq), legal.NoPiece)
		}
	}
	d.put(d4+legal.Square(arg&1), legal.WhiteKing)
	d.put(d5+legal.Square(arg>>1&1), legal.BlackKing)
}

// FuzzTracker drives a tracker through arbitrary inputs and checks its inside after every step.
func FuzzTracker(f *testing.F) {
	f.Add([]byte{0x0d, 0, 0x09, 0, 0x13, 20, 0x17, 0, 0x23, 8, 0x18, 1, 0x33, 5, 0x17, 0, 0x1c, 0, 0xfd, 1, 0x1f, 3})
	f.Add([]byte{0x0d, 0, 0x3e, 0, 0x13, 20, 0x43, 8, 0x53, 9, 0xf0, 1, 0xf2, 99, 0xfc, 2})
	f.Fuzz(drive)
}

// TestAnyInputs drives trackers through random inputs: some never see a game, some know White's side of the clock from
// their configuration.
func TestAnyInputs(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 200
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		p := make([]byte, 20+r.IntN(600))
		for i := range p {
			p[i] = byte(r.Uint32())
		}
		drive(t, p)
	}
}

// drive takes two bytes as a step; the last byte is the configuration.
func drive(t *testing.T, p []byte) {
	params := DefaultParams()
	if len(p) > 0 {
		config := p[len(p)-1]
		params.White, params.Passive = evidence.ClockSide(config%3), config&4 != 0
	}
	d := &driver{t: New(params), clock: evidence.ClockReading{Left: 300, Right: 300, Up: evidence.LeftSide}}
	for i := 0; i+1 < len(p) && i < 1200; i += 2 {
		d.step(p[i], p[i+1])
		for _, o := range d.t.Take() {
			if m, ok := o.(Moved); ok && !m.Before.IsLegal(m.Move) {
				t.Fatalf("step %d: an illegal move was committed", i/2)
			}
		}
		d.t.Release()
		d.t.DumpWanted()
		if bad := d.t.invariant(); bad != "" {
			t.Fatalf("step %d (%02x %02x): %s", i/2, p[i], p[i+1], bad)
		}
		if at, ok := d.t.quietDeadline(); ok && at < d.now {
			t.Fatalf("step %d: a deadline of %d is left at %d", i/2, at, d.now)
		}
	}
}
