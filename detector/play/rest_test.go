package play

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

const (
	afterE4   = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
	afterE4D5 = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR"
	afterE8Q  = "1k2Q3/8/8/8/8/8/8/K7"
)

var restRows = []struct {
	name   string
	after  string // what the ply has left on the board
	change string // how the image differs from it
	as     seat   // Black is to move next where it does not say
	want   []Arc  // each as often as it counts
}{
	{"the board as the ply left it costs nothing", afterE4, "", seat{}, nil},
	{"one piece of the side to move is in the air: its turn has begun", afterE4, "g8-", seat{}, []Arc{ArcAirNext}},
	{"a second one in the air is a fault", afterE4, "b8- g8-", seat{}, []Arc{ArcAirNext, ArcAir}},
	{"a piece of the mover is gone and a piece in the air could capture it", afterE4D5, "d5- e4-", seat{}, []Arc{ArcAirNext, ArcVictimNext}},
	{"a piece of the mover is gone that the piece in the air could not capture", afterE4D5, "g8- e4-", seat{}, []Arc{ArcAirNext, ArcAir}},
	{"a capture begins with its victim where the placement stood", afterE4D5, "e4-", seat{seenBeforePress: true}, []Arc{ArcVictimFirst}},
	{"a victim first is none where the placement never stood", afterE4D5, "e4-", seat{}, []Arc{ArcAir}},
	{"a victim first is none where nothing could capture it", "8/8/8/8/4P3/8/8/k6K", "e4-", seat{seenBeforePress: true}, []Arc{ArcAir}},
	{"a piece is no victim after another one", afterE4D5, "a2- e4-", seat{seenBeforePress: true, atOnce: true}, []Arc{ArcAir, ArcAir, ArcMore}},
	{"the piece that begins its turn is read on the way", afterE4, "e7- e3p", seat{}, []Arc{ArcAirNext, ArcOnWay}},
	{"a piece of the mover is read where none stands", afterE4, "a5N", seat{}, []Arc{ArcGhost}},
	{"a piece of the side to move is read where none stands, and none has left", afterE4, "a5n", seat{}, []Arc{ArcGhost}},
	{"the captured piece is dragged away", afterE4, "a5n", seat{victim: legal.BlackKnight}, []Arc{ArcDrag}},
	{"another piece is no drag", afterE4, "a5b", seat{victim: legal.BlackKnight}, []Arc{ArcGhost}},
	{"another piece is read", afterE4, "a1Q", seat{}, []Arc{ArcMisread}},
	{"each further fault is dearer: they are not independent", afterE4, "a5N a1Q", seat{}, []Arc{ArcGhost, ArcMisread, ArcMore}},
	{"three faults", afterE4, "a5N a1Q a4N", seat{}, []Arc{ArcGhost, ArcGhost, ArcMisread, ArcMore, ArcMore}},
	{"the promoted piece is not read", afterE8Q, "e8-", seat{promotion: square("e8")}, []Arc{ArcPromotionUnread}},
	{"a pawn stands for the promoted piece", afterE8Q, "e8P", seat{promotion: square("e8")}, []Arc{ArcPromotionPawn}},
	{"White is to move next", afterE4D5, "e4-", seat{next: legal.White}, []Arc{ArcAirNext}},
}

func TestRest(t *testing.T) {
	for _, c := range restRows {
		t.Run(c.name, func(t *testing.T) {
			after := placement(t, c.after)
			image := after
			for _, w := range strings.Fields(c.change) {
				change(&image, w)
			}
			as := c.as
			if as.next == legal.NoSide {
				as.next = legal.Black
			}
			if as.promotion == 0 {
				as.promotion = legal.NoSquare
			}
			want := Cost(0)
			for _, a := range c.want {
				want += a.cost()
			}
			cost, m := as.rest(&after, &image)
			if cost != want || m != mark(c.want...) {
				t.Errorf("cost %d by %v, want %d by %v", cost, m.Arcs(), want, c.want)
			}
		})
	}
}

func TestEveryArcThatRestGivesHasARow(t *testing.T) {
	for a := ArcAirNext; a <= ArcPromotionPawn; a++ {
		has := false
		for _, c := range restRows {
			has = has || slices.Contains(c.want, a)
		}
		if !has {
			t.Errorf("%v is in no row", a)
		}
	}
}

func TestCouldCapture(t *testing.T) {
	for _, c := range []struct {
		name  string
		piece legal.Piece
		from  string
		takes string // of the squares asked for
		not   string
	}{
		{"a knight leaps", legal.WhiteKnight, "g1", "f3 h3 e2", "g2 g3"},
		{"a king goes one square", legal.BlackKing, "e8", "e7 d8 f7", "e6 g8"},
		{"a white pawn captures ahead, and en passant what stands beside it", legal.WhitePawn, "e5", "d6 f6 d5 f5", "e6 d4 f4"},
		{"a black pawn captures the other way", legal.BlackPawn, "e4", "d3 f3 d4", "e3 d5"},
		{"a rook goes straight, whatever stands between", legal.WhiteRook, "a1", "a8 h1", "b2"},
		{"a bishop goes aslant", legal.BlackBishop, "c8", "h3 a6", "c1"},
		{"a queen does both", legal.WhiteQueen, "d1", "d8 h5 a1", "e3"},
		{"no piece captures nothing", legal.NoPiece, "d1", "", "d8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, to := range strings.Fields(c.takes) {
				if !couldCapture(c.piece, square(c.from), square(to)) {
					t.Errorf("not on %s", to)
				}
			}
			for _, to := range strings.Fields(c.not) {
				if couldCapture(c.piece, square(c.from), square(to)) {
					t.Errorf("on %s", to)
				}
			}
		})
	}
}
