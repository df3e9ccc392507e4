package hands

import (
	"testing"

	"boardwatchd/rules/legal"
)

// usb is a board as DGT describes it, well measured.
var usb = Sensor{PeriodUS: 225_000, Fit: 970, Lead: 300, Order: Raster, Moves: 60}

var blitz = Pace{Usual: BlitzTempo, Fastest: BlitzTempo}
var slow = Pace{Usual: ClassicalTempo, Fastest: ClassicalTempo}

// told parses reports written by hand: square, was, is, ms.
func told(rows ...any) (list []Report) {
	for i := 0; i < len(rows); i += 4 {
		sq, _ := legal.ParseSquare(rows[i].(string))
		list = append(list, Report{Square: sq, Was: pieceNamed(rows[i+1].(string)), Is: pieceNamed(rows[i+2].(string)), At: 1e9 + int64(rows[i+3].(int))*1000})
	}
	return list
}

func pieceNamed(s string) legal.Piece {
	for p := legal.Piece(1); p < 16; p++ {
		if s != "-" && p.String() == s {
			return p
		}
	}
	return legal.NoPiece
}

func takes(reports []Report) *Handling {
	return &Handling{Kind: Capture, From: legal.D4, To: legal.D5, Victim: legal.D5, RookFrom: legal.NoSquare, RookTo: legal.NoSquare,
		Mover: legal.WhiteQueen, Put: legal.WhiteQueen, Taken: legal.BlackKnight, Reports: reports}
}

func castles(reports []Report) *Handling {
	return &Handling{Kind: Castling, From: legal.E1, To: legal.G1, RookFrom: legal.H1, RookTo: legal.F1, Victim: legal.NoSquare,
		Mover: legal.WhiteKing, Put: legal.WhiteKing, Reports: reports}
}

func promotes(reports []Report) *Handling {
	return &Handling{Kind: Promotion, From: legal.A7, To: legal.A8, Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare,
		Mover: legal.WhitePawn, Put: legal.WhiteQueen, Reports: reports}
}

// lattice225 are visits in ms: d5 is field 27, d4 is 35, so 28 ms later in the same scan; e1, f1, g1, h1 are 60 to 63.
func TestWhatTheTimingSpeaksFor(t *testing.T) {
	m := Standard()
	for _, c := range []struct {
		claim    string
		handling *Handling
		pace     Pace
		from, to int32 // milli-nats
	}{
		{"the victim's absence never seen, at an ordinary pace: nothing for two hands",
			takes(told("d4", "Q", "-", 28, "d5", "n", "Q", 675)), blitz, -9000, 500},
		{"both lifted in one scan of a slow game: both hands at once, or a scoop",
			takes(told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 675)), slow, 3500, 8000},
		{"the same in blitz says less",
			takes(told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450)), blitz, 1000, 4500},
		{"the victim two seconds before the attacker: one hand put it aside, or two did it in turn",
			takes(told("d5", "n", "-", 0, "d4", "Q", "-", 2053, "d5", "-", "Q", 2475)), slow, -3000, 1500},
		{"king down before the rook is up, a second in all: one hand",
			castles(told("e1", "K", "-", 0, "g1", "-", "K", 457, "h1", "R", "-", 686, "f1", "-", "R", 1129)), blitz, -9000, 0},
		{"king and rook in the air for a scan, landing in one scan",
			castles(told("e1", "K", "-", 0, "h1", "R", "-", 11, "f1", "-", "R", 454, "g1", "-", "K", 457)), blitz, 3500, 9000},
		{"the queen two seconds after the pawn: fetched",
			promotes(told("a7", "P", "-", 28, "a8", "-", "P", 225, "a8", "P", "Q", 2025)), blitz, -2000, 0},
		{"the queen in the scan in which the pawn left: it was at hand, in the other hand or in this one",
			promotes(told("a8", "-", "Q", 0, "a7", "P", "-", 28)), blitz, 1000, 8000},
	} {
		j := m.Judge(c.handling, usb, c.pace)
		if !j.Known || j.LLR < c.from || j.LLR > c.to {
			t.Errorf("%s: %v (%v), LLR %d, want %d to %d", c.claim, j.Known, j.Abstain, j.LLR, c.from, c.to)
		}
	}
}

func TestInTheAirTogether(t *testing.T) {
	m := Standard()
	for _, c := range []struct {
		claim   string
		reports []Report
		air     Air
		landing bool
	}{
		{"rook up a scan before the king is down", told("e1", "K", "-", 0, "h1", "R", "-", 11, "f1", "-", "R", 454, "g1", "-", "K", 457), Together, true},
		{"rook up a scan after the king is down", told("e1", "K", "-", 0, "g1", "-", "K", 232, "h1", "R", "-", 461, "f1", "-", "R", 904), Apart, false},
		{"king down and rook up in one scan", told("e1", "K", "-", 0, "g1", "-", "K", 457, "h1", "R", "-", 461, "f1", "-", "R", 904), MaybeTogether, false},
		{"all four in one scan", told("e1", "K", "-", 0, "f1", "-", "R", 4, "g1", "-", "K", 7, "h1", "R", "-", 11), MaybeTogether, true},
	} {
		j := m.Judge(castles(c.reports), usb, blitz)
		if j.InAir != c.air || j.SameLanding != c.landing {
			t.Errorf("%s: %v, landing in one scan %v; want %v, %v", c.claim, j.InAir, j.SameLanding, c.air, c.landing)
		}
	}
}

// The distance of the lifts is measured against the flight, and not against the clock: a player who hurries is faster
// in both.
func TestApartDoesNotDependOnThePace(t *testing.T) {
	for _, c := range []struct {
		claim    string
		handling *Handling
		from, to int32 // permille
	}{
		{"both lifted in one scan, a flight of four", castles(told("e1", "K", "-", 0, "h1", "R", "-", 11, "f1", "-", "R", 904, "g1", "-", "K", 907)), 50, 100},
		{"both lifted in one scan, a flight of two", castles(told("e1", "K", "-", 0, "h1", "R", "-", 11, "f1", "-", "R", 454, "g1", "-", "K", 457)), 100, 200},
		{"the rook at half of the king's way", castles(told("e1", "K", "-", 0, "h1", "R", "-", 461, "g1", "-", "K", 907, "f1", "-", "R", 1129)), 530, 600},
		{"the same, twice as fast", castles(told("e1", "K", "-", 0, "h1", "R", "-", 236, "g1", "-", "K", 457, "f1", "-", "R", 679)), 600, 660},
		{"the rook first", castles(told("h1", "R", "-", 11, "e1", "K", "-", 225, "f1", "-", "R", 679, "g1", "-", "K", 682)), 550, 620},
		{"the victim first by a scan of three", takes(told("d5", "n", "-", 0, "d4", "Q", "-", 253, "d5", "-", "Q", 675)), 400, 500},
		{"the victim's absence never seen", takes(told("d4", "Q", "-", 28, "d5", "n", "Q", 675)), 1000, 1200},
	} {
		if j := Standard().Judge(c.handling, usb, blitz); j.Apart < c.from || j.Apart > c.to {
			t.Errorf("%s: %d, want %d to %d", c.claim, j.Apart, c.from, c.to)
		}
	}
}

// One hand that carries both has one of them longer, at any pace; and it has the rook long before the king comes down,
// or fetches it long after.
func TestFlightsThatDiffer(t *testing.T) {
	for _, c := range []struct {
		claim           string
		handling        *Handling
		from, to        int32 // how uneven the flights are, permille
		follows, latest int32 // how far the rook's lift is from the king's landing
	}{
		{"both fly for two scans", castles(told("e1", "K", "-", 0, "h1", "R", "-", 11, "f1", "-", "R", 454, "g1", "-", "K", 457)), 850, 950, 1400, 1550},
		{"the rook for one scan of four", castles(told("e1", "K", "-", 0, "h1", "R", "-", 686, "f1", "-", "R", 904, "g1", "-", "K", 907)), 3100, 3400, 450, 550},
		{"the king for one scan of three", castles(told("h1", "R", "-", 11, "e1", "K", "-", 450, "f1", "-", "R", 679, "g1", "-", "K", 682)), 2200, 2400, 3500, 4100},
		{"king down and rook up in one scan of three", castles(told("e1", "K", "-", 0, "g1", "-", "K", 682, "h1", "R", "-", 686, "f1", "-", "R", 1354)), 850, 950, 300, 400},
	} {
		j := Standard().Judge(c.handling, usb, blitz)
		if j.Uneven < c.from || j.Uneven > c.to || j.Follows < c.follows || j.Follows > c.latest {
			t.Errorf("%s: uneven %d, want %d to %d; follows %d, want %d to %d", c.claim, j.Uneven, c.from, c.to, j.Follows, c.follows, c.latest)
		}
	}
}

func TestWindowsAreWhatTheScanLeavesOpen(t *testing.T) {
	// The report of d4 is 9 ms late; on the lattice that is shared out.
	j := Standard().Judge(takes(told("d5", "n", "-", 0, "d4", "Q", "-", 37, "d5", "-", "Q", 450)), usb, blitz)
	if len(j.Windows) != 3 {
		t.Fatalf("%d windows", len(j.Windows))
	}
	first := j.Windows[0]
	if first.Square != legal.D5 || !first.Lift || first.Piece != legal.BlackKnight {
		t.Errorf("the first window is %+v", first)
	}
	for _, w := range j.Windows {
		if w.HiUS-w.LoUS != usb.PeriodUS+lineMostUS-lineLeastUS {
			t.Errorf("%v: a window of %d µs", w.Square, w.HiUS-w.LoUS)
		}
	}
	if gap := j.Windows[2].HiUS - first.HiUS; gap != 450_000 {
		t.Errorf("victim and attacker are %d µs apart; two scans are 450,000", gap)
	}
	over := Standard().Judge(takes(told("d4", "Q", "-", 28, "d5", "n", "Q", 675)), usb, blitz)
	if len(over.Windows) != 3 || !over.Windows[1].Hidden || !over.Windows[1].Lift || over.Windows[2].Lift {
		t.Errorf("the lift that was never reported is not told before the place: %+v", over.Windows)
	}
}

// The judge must not care where on the time line, which side of the table or which way round: only a capture's own
// squares and distances count.
func TestWhatMustNotMatter(t *testing.T) {
	m := Standard()
	base := m.Judge(takes(told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450)), usb, blitz).LLR
	later := takes(told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450))
	for i := range later.Reports {
		later.Reports[i].At += 3600e6 + 12345
	}
	if got := m.Judge(later, usb, blitz).LLR; got != base {
		t.Errorf("an hour later: %d, was %d", got, base)
	}
	// With White at the far side d5 is field 36 and d4 28: d4 comes first in the scan.
	turned := takes(told("d4", "Q", "-", 0, "d5", "n", "-", 28, "d5", "-", "Q", 478))
	turned.Reversed = true
	if got := m.Judge(turned, usb, blitz).LLR; got < base-1200 || got > base+1200 {
		t.Errorf("turned round, both in one scan: %d, was %d", got, base)
	}
	black := takes(told("d5", "N", "-", 0, "d4", "q", "-", 28, "d5", "-", "q", 450))
	black.Mover, black.Put, black.Taken = legal.BlackQueen, legal.BlackQueen, legal.WhiteKnight
	if got := m.Judge(black, usb, blitz).LLR; got != base {
		t.Errorf("as Black: %d, was %d", got, base)
	}
}

// A slow capture may be one hand in a hurry or two at leisure: where the pace is unknown, the smallest ratio counts.
func TestTheSmallestRatioOfThePacesCounts(t *testing.T) {
	m := Standard()
	d := takes(told("d5", "n", "-", 0, "d4", "Q", "-", 253, "d5", "-", "Q", 675))
	usual, hurried := m.Judge(d, usb, slow).LLR, m.Judge(d, usb, Pace{Usual: ClassicalTempo / 2, Fastest: ClassicalTempo / 2}).LLR
	if got := m.Judge(d, usb, Pace{Usual: ClassicalTempo, Fastest: ClassicalTempo / 2}).LLR; got > min(usual, hurried) {
		t.Errorf("usual %d, hurried %d, either %d", usual, hurried, got)
	}
}

func TestASlowScanIsForTheRecordOnly(t *testing.T) {
	s := usb
	s.PeriodUS = 450_000
	j := Standard().Judge(castles(told("e1", "K", "-", 0, "h1", "R", "-", 21, "f1", "-", "R", 907, "g1", "-", "K", 914)), s, blitz)
	if j.Known || j.Abstain != SlowScan || j.LLR == 0 {
		t.Errorf("known %v, %v, LLR %d", j.Known, j.Abstain, j.LLR)
	}
}

// Batches of a short period are packets, perhaps, with a scan of a usual length behind them: they are seen no sharper
// than one.
func TestAFastBatchIsSeenNoSharperThanAUsualScan(t *testing.T) {
	judge := func(period int64, o Order) int32 {
		s := Sensor{PeriodUS: period, Fit: 970, Lead: 300, Order: o, JitterUS: 5000, Moves: 60}
		j := Standard().Judge(takes(told("d5", "n", "-", 0, "d4", "Q", "-", 225, "d5", "-", "Q", 450)), s, blitz)
		if !j.Known {
			t.Fatalf("%v of %d µs: %v", o, period, j.Abstain)
		}
		return j.LLR
	}
	if fast, usual := judge(45_000, Batch), judge(225_000, Batch); fast != usual {
		t.Errorf("batches of 45 ms: %d, of 225 ms: %d", fast, usual)
	}
	if fast, usual := judge(45_000, Raster), judge(225_000, Raster); fast == usual {
		t.Errorf("rows in 45 ms: %d, in 225 ms: %d", fast, usual)
	}
}

func BenchmarkJudge(b *testing.B) {
	m := Standard()
	for name, d := range map[string]*Handling{
		"capture":   takes(told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450)),
		"overwrite": takes(told("d4", "Q", "-", 28, "d5", "n", "Q", 675)),
		"castling":  castles(told("e1", "K", "-", 0, "h1", "R", "-", 11, "f1", "-", "R", 454, "g1", "-", "K", 457)),
		"promotion": promotes(told("a8", "-", "Q", 0, "a7", "P", "-", 28)),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Judge(d, usb, blitz)
			}
		})
	}
}

// A higher result is never worth less, and the line has no jumps.
func TestWorthKeepsTheOrder(t *testing.T) {
	for _, k := range []Kind{NoKind, Capture, Castling, Promotion} {
		for _, tempo := range []int32{0, BlitzTempo, RapidTempo, ClassicalTempo, 1 << 30} {
			before := Worth(k, tempo, -30_001)
			for llr := int32(-30_000); llr <= 30_000; llr++ {
				w := Worth(k, tempo, llr)
				if w < before || w > before+5 {
					t.Fatalf("%v at tempo %d: %d is worth %d, and one more %d", k, tempo, llr-1, before, w)
				}
				before = w
			}
		}
	}
}
