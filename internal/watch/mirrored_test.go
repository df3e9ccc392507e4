package watch_test

import (
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// Both players have put their king on the queen's square. It is reported, and neither is accused of castling, neither
// as seen in the mirror nor as in Chess960.
func TestKingAndQueenAreExchanged(t *testing.T) {
	for _, tt := range []struct {
		name                       string
		king, kingTo, rook, rookTo legal.Square
	}{
		{"in the mirror", legal.D1, legal.B1, legal.A1, legal.C1}, {"as in Chess960", legal.D1, legal.C1, legal.A1, legal.D1},
	} {
		b := aBoard("12345")
		s := legal.StartSetup(534)
		b.pos, _ = s.Position()
		b.place = b.pos.Placement()
		d := newDesk(t, b)
		d.start()
		d.play(3*second, "Nc3", "Nf6", "d3", "d6", "Be3", "e6")
		d.castle(500_000, laid{tt.king, legal.NoPiece}, laid{tt.kingTo, legal.WhiteKing}, laid{tt.rook, legal.NoPiece}, laid{tt.rookTo, legal.WhiteRook})
		d.pass(5 * second)
		found := strings.Join(d.found(), ", ")
		if !strings.Contains(found, "setup.wrong_array confirmed") || strings.Contains(found, "illegal") {
			t.Errorf("%s: %s", tt.name, found)
		}
	}
}
