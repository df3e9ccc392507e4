package detector_test

import (
	"boardwatchd/detector/evidence"
	"fmt"

	"boardwatchd/detector"
	"boardwatchd/rules/legal"
)

// The caller's loop: inputs in the order of time, and after each one what was concluded. White plays e4, Black puts a
// knight where no knight goes.
func Example() {
	t := detector.New(detector.DefaultParams())
	at, seq := int64(0), evidence.Seq(0)
	stamp := func() evidence.Stamp {
		at, seq = at+500_000, seq+1
		return evidence.Stamp{Seq: seq, At: at}
	}
	board := legal.StartSetup(518).Placement
	take := func() {
		for _, o := range t.Take() {
			switch o := o.(type) {
			case detector.Moved:
				fmt.Println("move", o.Ply, o.Before.SAN(o.Move))
			case detector.Pressed:
				fmt.Println("press", o.Side, o.Judged)
			case detector.Found:
				fmt.Println("found", o.Kind, o.Side, o.State)
			}
		}
		if t.DumpWanted() { // the board would be asked, and answers
			t.Dump(stamp(), board)
		}
	}
	put := func(square string, piece legal.Piece) {
		sq, _ := legal.ParseSquare(square)
		board[sq] = piece
		s := stamp()
		t.Field(s, sq, piece, evidence.Window{Lo: s.At - 250_000, Hi: s.At})
		take()
	}
	clock := func(left, right int, up evidence.ClockSide) {
		t.Clock(stamp(), evidence.ClockReading{Left: left, Right: right, Running: true, Up: up})
		take()
	}
	t.Dump(stamp(), board)
	clock(300, 300, evidence.LeftSide)
	put("e2", legal.NoPiece)
	put("e4", legal.WhitePawn)
	clock(299, 300, evidence.RightSide)
	put("b8", legal.NoPiece)
	put("b5", legal.BlackKnight)
	clock(299, 299, evidence.LeftSide)
	for range 6 {
		t.Wake(stamp())
		clock(299, 299, evidence.LeftSide)
	}
	// Output:
	// press white ok
	// move 1 e4
	// press black illegal.knight
	// found illegal.knight black suspected
	// found illegal.knight black confirmed
}
