package evidence_test

import (
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

const (
	scanUS   = 250_000
	secondUS = 1_000_000
)

// reader makes reports one after the other, each some time after the one before.
type reader struct {
	evidence.Board
	now int64
	seq evidence.Seq
}

// reads has a square read a piece.
func (r *reader) reads(sq legal.Square, p legal.Piece, after int64) bool {
	r.now += after
	r.seq++
	return r.Set(sq, p, evidence.Window{Lo: r.now - scanUS, Hi: r.now}, evidence.Stamp{Seq: r.seq, At: r.now}, false)
}

func atStart() *reader {
	s := legal.StartPosition()
	r := &reader{}
	r.Live, r.Origin, r.Known = s.Placement(), s.Placement(), true
	return r
}

func square(t testing.TB, name string) legal.Square {
	t.Helper()
	sq, ok := legal.ParseSquare(name)
	if !ok {
		t.Fatal(name)
	}
	return sq
}

func TestTheHistoryOfATurn(t *testing.T) {
	r := atStart()
	e2, e4 := square(t, "e2"), square(t, "e4")
	start := r.Live
	if !r.reads(e2, legal.NoPiece, secondUS) || !r.reads(e4, legal.WhitePawn, 400_000) {
		t.Fatal("a change was none")
	}
	if r.reads(e4, legal.WhitePawn, 100_000) {
		t.Error("the same report again is a change")
	}
	end := start
	end[e2], end[e4] = legal.NoPiece, legal.WhitePawn
	if r.Live != end || r.After(2) != end || r.After(0) != start {
		t.Error("the board is not as it was reported")
	}
	if a, b := r.Seen(&start), r.Seen(&end); a != 0 || b != 2 {
		t.Errorf("seen after %d and %d changes", a, b)
	}
	if got := r.Stood(1); got != 400_000 {
		t.Errorf("the pawn was in the air for %d µs", got)
	}
	if got := r.Touched(); got != 1<<e2|1<<e4 {
		t.Errorf("touched %x", got)
	}
	if c := r.Placed(e4, legal.WhitePawn); c == nil || c.Seq != 2 {
		t.Errorf("placed by %+v", c)
	}
	r.Rebase(2)
	if len(r.Changes) != 0 || r.Origin != end || r.HistoryIncomplete {
		t.Error("a commit leaves something of the turn")
	}
}

// A queen is slid over e2: it is read there for a moment. A piece that is put there stays there, and so does one that
// is captured there at once.
func TestASquareOnTheWay(t *testing.T) {
	const slide = 500_000
	d1, e2, f3 := square(t, "d1"), square(t, "e2"), square(t, "f3")
	begun := func() *reader {
		r := atStart()
		r.Live[e2], r.Origin[e2] = legal.NoPiece, legal.NoPiece
		r.reads(e2, legal.WhiteQueen, secondUS)
		r.reads(d1, legal.NoPiece, 30_000)
		return r
	}
	for _, c := range []struct {
		name string
		then func(*reader)
		want bool
	}{
		{"it stands there", func(*reader) {}, false},
		{"it goes on", func(r *reader) { r.reads(e2, legal.NoPiece, 200_000); r.reads(f3, legal.WhiteQueen, 30_000) }, true},
		{"it goes on, and is read nowhere", func(r *reader) { r.reads(e2, legal.NoPiece, 200_000) }, true},
		{"it goes on after a while", func(r *reader) { r.reads(e2, legal.NoPiece, slide); r.reads(f3, legal.WhiteQueen, 30_000) }, false},
		{"it is captured", func(r *reader) { r.reads(e2, legal.NoPiece, 200_000); r.reads(e2, legal.BlackBishop, 300_000) }, false},
	} {
		r := begun()
		n := len(r.Changes)
		c.then(r)
		if got := r.OnTheWay(e2, n, slide); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

// A piece that has fallen over is counted where it lies, until the square reads otherwise.
func TestAPieceThatIsNotReadCounts(t *testing.T) {
	r := atStart()
	d2 := square(t, "d2")
	start := r.Live
	r.reads(d2, legal.NoPiece, secondUS)
	lies := r.Live
	r.Count(&lies, &start)
	if r.Live != start || r.Reads(d2) != legal.NoPiece || !r.Unread(legal.White) || r.Unread(legal.Black) {
		t.Errorf("d2 counts as %v and reads %v", r.Live[d2], r.Reads(d2))
	}
	if sq, only := r.OnlyUnread(legal.WhitePawn); sq != d2 || !only {
		t.Errorf("unread: %v, %v", sq, only)
	}
	if p, is := r.Misread(d2); p != legal.NoPiece || !is {
		t.Errorf("misread as %v: %v", p, is)
	}
	if raw, differs := r.Uncounted(); raw != lies || !differs {
		t.Error("the board as it reads is lost")
	}
	r.reads(d2, legal.WhitePawn, secondUS)
	if _, is := r.Misread(d2); is || r.CountedUnread != 0 || r.Live != start || len(r.Differs()) != 0 {
		t.Error("it stands again, and is in doubt")
	}
}

// Changes that the first dump after a gap finds come before those reported since.
func TestADumpAfterAGap(t *testing.T) {
	r := atStart()
	e2, e4, e7 := square(t, "e2"), square(t, "e4"), square(t, "e7")
	r.GapFromChange = 1
	r.reads(e7, legal.NoPiece, 2*secondUS) // reported after the gap
	n := len(r.Changes)
	for _, c := range []struct {
		sq legal.Square
		p  legal.Piece
	}{{e2, legal.NoPiece}, {e4, legal.WhitePawn}} {
		r.seq++
		r.Set(c.sq, c.p, evidence.Window{Hi: 3 * secondUS}, evidence.Stamp{Seq: r.seq, At: 3 * secondUS}, true)
	}
	r.Dumped(n, 0)
	if r.Changes[2].Square != e7 || !r.FromDump() || r.GapToChange != 2 || r.GapFromChange != 0 {
		t.Errorf("%+v, found %d", r.Changes, r.GapToChange)
	}
	if c := &r.Changes[1]; !c.Unordered || c.Window.Hi > r.Changes[2].Window.Hi {
		t.Errorf("%+v", c)
	}
}

// Whatever is reported, the board equals its origin with the changes; turned twice it is itself.
func TestTheChangesLeadToTheBoard(t *testing.T) {
	rng := random.New(7)
	r := atStart()
	for i := range 20 * evidence.MaxChanges {
		r.reads(legal.Square(rng.Below(64)), legal.Piece(rng.Below(13)), rng.Below(secondUS))
		if r.After(len(r.Changes)) != r.Live || len(r.Changes) > evidence.MaxChanges {
			t.Fatalf("after %d reports: %d changes do not lead to the board", i, len(r.Changes))
		}
		switch rng.Below(100) {
		case 0:
			r.Rebase(int(rng.Below(int64(len(r.Changes) + 1))))
		case 1:
			live, origin := r.Live, r.Origin
			r.Rotate()
			turned := r.Live == live
			r.Rotate()
			if turned || r.Live != live || r.Origin != origin {
				t.Fatal("turned twice it is another")
			}
		}
	}
}
