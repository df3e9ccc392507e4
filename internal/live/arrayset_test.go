package live_test

import (
	"fmt"
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// TestPiecesThatAreSetUpOtherwise: a wrong array is reported before the clock is started, without a side. An array of
// Chess960, if one is allowed, pieces that are being set up, and a game in progress are not reported.
func TestPiecesThatAreSetUpOtherwise(t *testing.T) {
	type step = func(*live.Board)
	placed := func(s int64, placement string) step {
		return func(b *live.Board) {
			b.Seen(watch.View{At: s * 1e6, Link: "up", Placement: placement}, nil)
		}
	}
	at := func(s int64, far, near string) step { return placed(s, far+"/pppppppp/8/8/8/8/PPPPPPPP/"+near) }
	opened := func(chess960 string) step {
		return func(b *live.Board) {
			config := fmt.Sprintf(`{"round":"1","chess960":%q}`, chess960)
			b.Recovered(record.Record{Seq: 1, Kind: record.Open, Body: watch.Opening{Format: watch.Format, Journal: "1-r1", Config: []byte(config)}.Body()})
			b.Ready()
		}
	}
	moved := func(b *live.Board) {
		say(b, `{"type":"move","t":22,"game":1,"ply":1,"side":"white","uci":"e2e4","san":"e4"}`)
	}
	const (
		told          = "setup_otherwise"
		far, near     = "rnbqkbnr", "RNBQKBNR"
		swapped       = "RNBKQBNR"
		otherFar      = "rnbkqbnr"
		nowhere960    = "KNRBQBNR" // the king is not between the rooks
		nowhereFar960 = "knrbqbnr"
	)
	for name, tt := range map[string]struct {
		steps []step
		want  string
	}{
		"as a game begins":              {[]step{at(1, far, near), at(60, far, near)}, ""},
		"king and queen exchanged":      {[]step{at(1, far, swapped), at(21, far, swapped)}, told},
		"at the far side":               {[]step{at(1, otherFar, near), at(21, otherFar, near)}, told},
		"somebody may be setting it up": {[]step{at(1, far, swapped), at(20, far, swapped)}, ""},
		"put right":                     {[]step{at(1, far, swapped), at(21, far, swapped), at(22, far, near)}, ""},
		"exchanged once more":           {[]step{at(1, far, swapped), at(19, otherFar, near), at(30, otherFar, near)}, ""},
		"an array of Chess960":          {[]step{at(1, "rnbbkqnr", "RNBBKQNR"), at(60, "rnbbkqnr", "RNBBKQNR")}, ""},
		"king and queen of each":        {[]step{at(1, otherFar, swapped), at(60, otherFar, swapped)}, told},
		"where it is always played":     {[]step{opened("always"), at(1, otherFar, swapped), at(60, otherFar, swapped)}, ""},
		"where none is played":          {[]step{opened("never"), at(1, otherFar, swapped), at(60, otherFar, swapped)}, told},
		"mirrored, and none of the 960": {[]step{at(1, nowhereFar960, nowhere960), at(21, nowhereFar960, nowhere960)}, told},
		"a bishop of each is exchanged": {[]step{at(1, "rnBqkbnr", "RNbQKBNR"), at(21, "rnBqkbnr", "RNbQKBNR")}, told},
		"a third rook":                  {[]step{at(1, far, "RNBRKBNR"), at(60, far, "RNBRKBNR")}, ""},
		"a piece is missing":            {[]step{at(1, far, "RNB1KBNR"), at(21, far, "RNB1KBNR")}, told},
		"somebody may be bringing it":   {[]step{at(1, far, "RNB1KBNR"), at(20, far, "RNB1KBNR")}, ""},
		"it was brought":                {[]step{at(1, far, "RNB1KBNR"), at(30, far, "RNB1KBNR"), at(31, far, near)}, ""},
		"four are missing":              {[]step{at(1, "1nbqkbn1", "1NBQKBN1"), at(21, "1nbqkbn1", "1NBQKBN1")}, told},
		"five are missing":              {[]step{at(1, "1nbqkbn1", "1NBQKB2"), at(60, "1nbqkbn1", "1NBQKB2")}, ""},
		"a pawn stands elsewhere":       {[]step{placed(1, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"), placed(60, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")}, ""},
		"a pawn is missing":             {[]step{placed(1, "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"), placed(21, "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR")}, told},
		"no pieces":                     {[]step{placed(1, "8/8/8/8/8/8/8/8"), placed(60, "8/8/8/8/8/8/8/8")}, ""},
		"after the first move":          {[]step{at(1, far, swapped), at(21, far, swapped), moved, at(22, far, swapped)}, ""},
	} {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{Journal: "1-r1"})
		for _, s := range tt.steps {
			s(b)
		}
		if s := summary(t, bs); s.HealthWhat != tt.want {
			t.Errorf("%s: told is %q, want %q", name, s.HealthWhat, tt.want)
		}
	}
}
