package hands

import (
	"testing"

	"boardwatchd/rules/legal"
)

func TestWhereNothingIsSaid(t *testing.T) {
	m := Standard()
	plain := told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450)
	with := func(rows ...any) []Report { return told(rows...) }
	unread := with("d5", "n", "-", 0, "d4", "Q", "-", 28, "c4", "-", "-", 100, "d5", "-", "Q", 450)
	unread[2].Unread = true
	for _, c := range []struct {
		claim    string
		handling *Handling
		want     Abstention
	}{
		{"an ordinary capture", takes(plain), Spoke},
		{"the captured piece read on a square beside", takes(with("d5", "n", "-", 0, "d4", "Q", "-", 28, "e5", "-", "n", 100, "e5", "n", "-", 300, "d5", "-", "Q", 450)), Transient},
		{"the attacker's square flickered", takes(with("d4", "Q", "-", 0, "d4", "-", "Q", 225, "d4", "Q", "-", 450, "d5", "n", "Q", 900)), Bounce},
		{"the attacker was set down, lifted and set down again", takes(with("d4", "Q", "-", 28, "d5", "n", "Q", 450, "d5", "Q", "-", 675, "d5", "-", "Q", 900)), Bounce},
		{"a hesitation ten seconds before is over", takes(with("d4", "Q", "-", 28, "d4", "-", "Q", 478, "d5", "n", "-", 10125, "d4", "Q", "-", 10153, "d5", "-", "Q", 10575)), Spoke},
		{"a code that is no piece", takes(unread), UnreadPiece},
		{"the opponent moves something meanwhile", takes(with("d5", "n", "-", 0, "d4", "Q", "-", 28, "h8", "r", "-", 100, "d5", "-", "Q", 450)), OtherSide},
		{"the player moves something else meanwhile", takes(with("d5", "n", "-", 0, "d4", "Q", "-", 28, "h1", "R", "-", 100, "d5", "-", "Q", 450)), OtherPiece},
		{"a third piece on the square", takes(with("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "B", 100, "d5", "B", "-", 300, "d5", "-", "Q", 450)), WrongPiece},
		{"the attacker's lift was never told", takes(with("d5", "n", "Q", 450)), TooFewReports},
		{"nothing was told", takes(nil), TooFewReports},
		{"no capture at all", &Handling{From: legal.D4, To: legal.D5, Reports: plain}, NotThisKind},
		{"a capture of nothing", &Handling{Kind: Capture, From: legal.D4, To: legal.D5, Victim: legal.D5, Mover: legal.WhiteQueen, Put: legal.WhiteQueen, Reports: plain}, NotThisKind},
	} {
		if j := m.Judge(c.handling, usb, blitz); j.Abstain != c.want || j.Known != (c.want == Spoke) || !j.Known && j.LLR != 0 {
			t.Errorf("%s: %v, want %v (LLR %d)", c.claim, j.Abstain, c.want, j.LLR)
		}
	}
}

func TestASlidingPieceMayBeSeenOnItsWay(t *testing.T) {
	d := takes(told("d2", "Q", "-", 56, "d3", "-", "Q", 253, "d3", "Q", "-", 478, "d5", "n", "Q", 675))
	d.From = legal.D2
	if j := Standard().Judge(d, usb, blitz); !j.Known {
		t.Errorf("on the way: %v", j.Abstain)
	}
	d.Reports[1].Square, d.Reports[2].Square = legal.E3, legal.E3
	if j := Standard().Judge(d, usb, blitz); j.Abstain != Transient {
		t.Errorf("beside the way: %v", j.Abstain)
	}
}

func TestTheCallersReasons(t *testing.T) {
	m := Standard()
	plain := told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450)
	d := takes(plain)
	d.Unpressed = true
	if j := m.Judge(d, usb, blitz); j.Abstain != NotPressed {
		t.Errorf("a move that was not pressed: %v", j.Abstain)
	}
	d = takes(plain)
	d.Trouble = true
	if j := m.Judge(d, usb, blitz); j.Abstain != Trouble {
		t.Errorf("a gap inside: %v", j.Abstain)
	}
	d = takes([]Report{plain[1], plain[0], plain[2]})
	if j := m.Judge(d, usb, blitz); j.Abstain != Trouble {
		t.Errorf("arrivals out of order: %v", j.Abstain)
	}
}

func TestTheSensorsReasons(t *testing.T) {
	for _, c := range []struct {
		claim string
		s     Sensor
		want  Abstention
	}{
		{"nothing is known of the board", Sensor{}, NoSensor},
		{"too few moves", Sensor{PeriodUS: 225_000, Fit: 990, Order: Raster, Lead: 500, Moves: 5}, NoSensor},
		{"the reports follow no scan yet", Sensor{PeriodUS: 225_000, Fit: 790, Order: Raster, Lead: 500, Moves: 40}, NoSensor},
		{"the reports follow no scan", Sensor{PeriodUS: 225_000, Fit: 790, Order: Raster, Lead: 500, Moves: 60}, PoorFit},
		{"two orders fit", Sensor{PeriodUS: 225_000, Fit: 990, Moves: 60}, PoorFit},
		{"a fast scan through a slow serial adapter", Sensor{PeriodUS: 50_000, Fit: 690, Order: Raster, Lead: 300, Moves: 60}, Spoke},
		{"the same after few moves", Sensor{PeriodUS: 50_000, Fit: 690, Order: Raster, Lead: 300, Moves: 34}, NoSensor},
		{"a fit that ten moves find in anything", Sensor{PeriodUS: 225_000, Fit: 970, Order: Raster, Lead: 500, Moves: 10}, NoSensor},
		{"a fit that ten moves find in a scan only", Sensor{PeriodUS: 225_000, Fit: 980, Order: Raster, Lead: 300, Moves: 10}, Spoke},
		{"the same, and another order is near", Sensor{PeriodUS: 225_000, Fit: 980, Order: Raster, Lead: 90, Moves: 10}, NoSensor},
		{"batches after ten moves", Sensor{PeriodUS: 225_000, Fit: 990, Order: Batch, Lead: 600, JitterUS: 5000, Moves: 19}, NoSensor},
		{"much jitter for so slow a scan", Sensor{PeriodUS: 225_000, Fit: 790, Order: Raster, Lead: 500, Moves: 50}, NoSensor},
		{"the same, and another order fits too", Sensor{PeriodUS: 50_000, Fit: 690, Order: Raster, Lead: 190, Moves: 60}, PoorFit},
		{"a fast scan that fits nothing", Sensor{PeriodUS: 50_000, Fit: 590, Order: Raster, Lead: 500, Moves: 60}, PoorFit},
		{"a Bluetooth board", Sensor{PeriodUS: 420_000, Fit: 950, Order: Raster, Lead: 500, Moves: 60}, SlowScan},
		{"batches with the jitter of a line", Sensor{PeriodUS: 225_000, Fit: 970, Order: Batch, Lead: 500, JitterUS: 5000, Moves: 60}, Spoke},
		{"batches to the tick of a clock", Sensor{PeriodUS: 225_000, Fit: 1000, Order: Batch, Lead: 500, JitterUS: 7, Moves: 60}, PoorFit},
		{"batches that fit no better than people do", Sensor{PeriodUS: 300_000, Fit: 820, Order: Batch, Lead: 500, JitterUS: 22_000, Moves: 60}, PoorFit},
	} {
		if j := Standard().Judge(takes(told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450)), c.s, blitz); j.Abstain != c.want {
			t.Errorf("%s: %v, want %v", c.claim, j.Abstain, c.want)
		}
	}
}

// Every way a promotion can be seen is read, and nothing else.
func TestPromotionsAreReadHoweverTheyAreSeen(t *testing.T) {
	for claim, rows := range map[string][]Report{
		"pawn put down, taken off, queen":       told("a7", "P", "-", 28, "a8", "-", "P", 225, "a8", "P", "-", 900, "a8", "-", "Q", 1350),
		"pawn put down, queen at once":          told("a7", "P", "-", 28, "a8", "-", "P", 225, "a8", "P", "Q", 900),
		"pawn never on the last rank":           told("a7", "P", "-", 28, "a8", "-", "Q", 900),
		"taking, every change seen":             told("b8", "n", "-", 4, "a7", "P", "-", 253, "b8", "-", "P", 454, "b8", "P", "-", 904, "b8", "-", "Q", 1129),
		"taking, the victim's absence not seen": told("a7", "P", "-", 28, "b8", "n", "P", 454, "b8", "P", "Q", 904),
		"taking, only the queen seen":           told("a7", "P", "-", 28, "b8", "n", "Q", 904),
		"taking, pawn never on the last rank":   told("b8", "n", "-", 4, "a7", "P", "-", 253, "b8", "-", "Q", 904),
	} {
		d := promotes(rows)
		if claim[:6] == "taking" {
			d.To, d.Victim, d.Taken = legal.B8, legal.B8, legal.BlackKnight
		}
		if j := Standard().Judge(d, usb, blitz); !j.Known || len(j.Windows) < 2 {
			t.Errorf("%s: %v", claim, j.Abstain)
		}
	}
}

func TestEnPassant(t *testing.T) {
	d := &Handling{Kind: Capture, From: legal.E5, To: legal.D6, Victim: legal.D5, RookFrom: legal.NoSquare, RookTo: legal.NoSquare,
		Mover: legal.WhitePawn, Put: legal.WhitePawn, Taken: legal.BlackPawn,
		Reports: told("e5", "P", "-", 4, "d6", "-", "P", 422, "d5", "p", "-", 900)}
	if j := Standard().Judge(d, usb, blitz); !j.Known || len(j.Windows) != 3 {
		t.Errorf("%v, %d windows", j.Abstain, len(j.Windows))
	}
}

// FuzzJudge: whatever comes, no panic, nothing said against anybody without windows, and never more than the odd
// handlings allow.
func FuzzJudge(f *testing.F) {
	f.Add([]byte{1, 27, 35, 27, 0, 5, 12, 2, 5, 0}, int64(225_000), int32(750))
	f.Fuzz(func(t *testing.T, data []byte, period int64, pace int32) {
		d := &Handling{Kind: Castling, From: legal.E1, To: legal.G1, RookFrom: legal.H1, RookTo: legal.F1, Victim: legal.NoSquare, Mover: legal.WhiteKing, Put: legal.WhiteKing}
		next := func() byte {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return b
		}
		if next()&1 != 0 {
			d = takes(nil)
		} else if next()&1 != 0 {
			d = promotes(nil)
		}
		squares := []legal.Square{d.From, d.To, d.RookFrom, d.RookTo, legal.E5, legal.NoSquare}
		pieces := []legal.Piece{legal.NoPiece, d.Mover, d.Put, d.Taken, legal.WhiteRook, 15, 200}
		at := int64(0)
		for len(data) > 0 {
			at += int64(next()) << (next() & 31)
			b, c := next(), next()
			d.Reports = append(d.Reports, Report{Square: squares[int(b)%len(squares)], Was: pieces[int(c)%len(pieces)], Is: pieces[int(c>>4)%len(pieces)], At: at, Unread: b&128 != 0})
		}
		s := Sensor{PeriodUS: period, Fit: 950, Lead: 300, Order: Order(next() % 7), Moves: 60}
		j := Standard().Judge(d, s, Pace{Usual: pace, Fastest: pace})
		if j.Known != (j.Abstain == Spoke) || j.Known && len(j.Windows) == 0 {
			t.Fatalf("%+v", j)
		}
		if j.LLR > 12_000 || j.LLR < -25_000 {
			t.Fatalf("LLR %d", j.LLR)
		}
		for _, w := range j.Windows {
			if w.LoUS >= w.HiUS {
				t.Fatalf("an empty window: %+v", w)
			}
		}
	})
}
