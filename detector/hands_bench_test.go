package detector

import (
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// What a capture costs beyond the rest: the judgement, and what the board and the player are learnt from. The bound is
// 50 µs.
func BenchmarkHands(b *testing.B) {
	t := New(DefaultParams())
	t.hands.timed = true
	pos := legal.StartPosition()
	for _, uci := range []string{"e2e4", "d7d5"} {
		m, _ := pos.FindUCI(uci)
		pos = pos.After(m)
	}
	m, ok := pos.FindUCI("e4d5")
	if !ok {
		b.Fatal("no capture")
	}
	t.g.open(pos, 518, 2)
	t.phase = playing
	const scan = 225_000
	at := int64(1_000_003)
	field := func(sq legal.Square) int64 { return hands.Raster.Slot(hands.Field(sq, false)) * scan / 64 }
	move := func(i int) {
		start := at + int64(i)*10*scan
		t.now = evidence.Stamp{Seq: evidence.Seq(i), At: start + 5*scan}
		t.b.Changes = append(t.b.Changes[:0],
			evidence.Change{Square: legal.E4, Was: legal.WhitePawn, Is: legal.NoPiece, Window: evidence.Window{Hi: start + field(legal.E4)}},
			evidence.Change{Square: legal.D5, Was: legal.BlackPawn, Is: legal.WhitePawn, Window: evidence.Window{Hi: start + int64(1+i%3)*scan + field(legal.D5)}})
		t.tellHands(m, ByPress, -1)
		t.Take()
		t.Release()
	}
	for i := range 60 { // ordinary moves all over the board: one capture alone knows no order
		start, from, to := at+int64(i)*10*scan, legal.Square(i*7%64), legal.Square(i*29%64)
		t.hands.scan.Add([]hands.Report{{Square: from, At: start + field(from)}, {Square: to, At: start + int64(1+i%3)*scan + field(to)}}, false)
		move(i)
	}
	if s := t.Scan(); s.Verdict != HandsHeard {
		b.Fatalf("the scan is not known: %+v", s)
	}
	b.ReportAllocs()
	for i := 60; b.Loop(); i++ {
		move(i)
	}
}
