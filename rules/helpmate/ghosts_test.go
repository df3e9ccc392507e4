package helpmate

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"boardwatchd/rules/legal"
)

// haunted are boards with pieces of no account: one side's or both's, bishops, knights, a rook that is shut in.
var haunted = []struct{ name, fen string }{
	{"bishops that may only pass", "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1"},
	{"a bishop beside a shut-in king", "2bk4/1p1p1p2/1P1P1P2/8/8/2B5/8/6K1 b - - 0 1"},
	{"a knight about", "3k1b2/2p1p1p1/KpP1P1P1/1P6/8/8/5n2/8 w - - 0 1"},
	{"bishops of both sides", "6k1/8/b7/1p1p1p1p/1P1P1P1P/8/5B2/K7 w - - 0 1"},
	{"a queen on each side", "7k/5q2/8/8/8/8/1Q6/K7 w - - 0 1"},
	{"one hole for three bishops", "B1B5/pBp3k1/P1P5/4b3/8/8/8/2K5 w - - 0 1"},
	{"pawns on their way", "3k1b2/4p1p1/Kp2P1P1/1Pp5/4B3/5B2/1P6/8 w - - 0 1"},
	{"a rook shut in", "rbk5/p1p5/P1P5/8/2K5/8/5B2/8 w - - 0 1"},
}

// haunting asks for the proof.
func haunting(pos *legal.Position, side legal.Side, room int) bool {
	proved, _ := new(ghosts).prove(pos, side, room, 20000)
	return proved
}

// What the proof is for, and what takes its word back.
func TestGhostsSeeTheirPoint(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		side      legal.Side
		granted   bool
	}{
		{"bishops can only pass", haunted[0].fen, legal.White, true},
		{"nor can the other side mate", haunted[0].fen, legal.Black, true},
		{"a rook about could mate", "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5R2/8/8 w - - 0 1", legal.White, false},
		{"castling is not looked at", "3k1b2/2p1pBp1/1pP1P1P1/1P3B2/4B1B1/5B2/8/R3K3 w Q - 0 1", legal.Black, false},
		{"nor is a pawn that gets through", "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/7P/8 w - - 0 1", legal.White, false},
		{"nobody is loose", "3k4/2p1p1p1/KpP1P1P1/1P6/8/8/8/8 w - - 0 1", legal.White, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos := mustPosition(t, c.fen)
			if got := haunting(&pos, c.side, hauntRoom); got != c.granted {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestGhostsKeepToTheirLimit(t *testing.T) {
	var g ghosts
	for _, c := range haunted {
		pos := mustPosition(t, c.fen)
		for limit := range 200 {
			if _, nodes := g.prove(&pos, legal.White, hauntRoom, limit); nodes > limit {
				t.Fatalf("%s: %d moves with a limit of %d", c.name, nodes, limit)
			}
		}
	}
}

// The proof on the relatives of each board, whatever pieces are loose, against the complete enumeration, and where that does not end soon, against a
// search without proofs. BOARDWATCHD_HELPMATE_PROOFS asks for more of them, BOARDWATCHD_HELPMATE_SALT for others.
func TestGhostsAgainstEnumeration(t *testing.T) {
	boards := 200
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_PROOFS")); err == nil {
		boards = n
	} else if testing.Short() {
		boards = 60
	}
	salt, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_SALT"))
	proved, confirmed := 0, 0
	for i, seed := range haunted {
		r := rand.New(rand.NewPCG(uint64(i), uint64(salt)))
		from := mustPosition(t, seed.fen)
		for range boards {
			pos, ok := relative(r, &from)
			room := []int{0, 1, 3, hauntRoom, 16, 30}[r.IntN(6)]
			for _, side := range []legal.Side{legal.White, legal.Black} {
				if !ok || materialOf(&pos).barren(side) || !haunting(&pos, side, room) {
					continue
				}
				proved++
				if refuted(t, &pos, side, "ghosts") {
					confirmed++
				}
			}
		}
	}
	t.Logf("%d never proved, %d confirmed by complete enumeration", proved, confirmed)
	if confirmed < len(haunted)*boards/100 {
		t.Errorf("only %d of %d were confirmed: the test proves nothing", confirmed, proved)
	}
}
