package detector

import (
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Claimant and opponent get the result of the timing, for any capture, castling or promotion of the game.
func TestTheTimingSpeaksForAndAgainst(t *testing.T) {
	for name, c := range map[string]struct {
		scans [4]int
		spoil func(*bench)
		want  string
	}{
		"both hands at once":     {[4]int{0, 0, 2, 2}, nil, "speaks for two hands: of 100 castlings with this timing at this pace, 97 or more were made with two hands"},
		"one after the other":    {[4]int{0, 4, 2, 7}, nil, "speaks for one hand: of 100 castlings with this timing at this pace, 90 or more were made with one hand"},
		"the scan was not known": {[4]int{0, 0, 2, 2}, func(b *bench) { b.hands.sensor = hands.Sensor{} }, "says nothing: the scan of the board is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			b := known(t, nil)
			if c.spoil != nil {
				c.spoil(b)
			}
			b.castled(ByPress, c.scans[0], c.scans[1], c.scans[2], c.scans[3])
			last, ok := b.HandsOf(0, legal.White)
			same, also := b.HandsOf(last.Ply, legal.White)
			if !ok || !also || same.Ply != last.Ply || !strings.Contains(last.Meaning().String(), c.want) {
				t.Errorf("%v, %v: %s", ok, also, last.Meaning())
			}
			if _, ok := b.HandsOf(0, legal.Black); ok {
				t.Error("Black has castled too")
			}
			b.newGame()
			if _, ok := b.HandsOf(0, legal.White); ok {
				t.Error("the last game is remembered")
			}
		})
	}
}

// A slow castling of a player who may have been in a hurry is no evidence for one hand, and a quick one none for two,
// unless it holds at every pace.
func TestWhatDependsOnThePaceSpeaksForNeither(t *testing.T) {
	for _, c := range []struct {
		kind            hands.Kind
		stated, against int32
		want            string
	}{
		{hands.Capture, -3000, 2000, "speaks for neither"}, {hands.Capture, -100, -50, "speaks for neither"}, {hands.Capture, 200, 900, "speaks for neither"},
		{hands.Capture, 900, 2000, "speaks for neither"}, {hands.Capture, 1400, 2000, "80 or more were made with two hands"},
		{hands.Capture, 3000, 3000, "90 or more were made with two hands"}, {hands.Capture, -5000, -1500, "80 or more were made with one hand"},
		{hands.Capture, -5000, -4000, "90 or more were made with one hand"}, {hands.Capture, 4000, 5000, "97 or more were made with two hands"},
		{hands.Castling, 2900, 3000, "90 or more were made with two hands"}, {hands.Castling, 3000, 3000, "95 or more were made with two hands"},
		{hands.Promotion, -5000, -2900, "speaks for neither"}, {hands.Promotion, -5000, -3000, "95 or more were made with one hand"},
	} {
		o := HandsJudged{Judgement: hands.Judgement{Known: true, Kind: c.kind}, Stated: c.stated, Against: c.against}
		if got := o.Meaning(); !strings.Contains(got.String(), c.want) {
			t.Errorf("%v, %d, %d: %s", c.kind, c.stated, c.against, got)
		}
	}
}
