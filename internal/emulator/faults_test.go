package emulator

import (
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

// disturbed plays a game over a bad line and returns the decoder's account.
func disturbed(t *testing.T, f Faults) (dgt.Stats, Truth) {
	t.Helper()
	var d dgt.Decoder
	truth, err := Record(Options{Seed: 5, Faults: f}, func(_ int64, dir byte, p []byte) {
		if dir == FromBoard {
			d.Feed(p)
			for _, ok := d.Next(); ok; _, ok = d.Next() {
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return d.Stats(), truth
}

func TestFaultsOfTheLineDoNotChangeTheGame(t *testing.T) {
	clean, want := disturbed(t, Faults{})
	if clean.Garbage != 0 {
		t.Fatalf("%d bytes of garbage without a fault", clean.Garbage)
	}
	for name, row := range map[string]struct {
		f       Faults
		garbage bool
		fewer   bool // frames
		more    bool
	}{
		"bit flips":        {f: Faults{BitFlip: 10_000}, garbage: true},
		"replaced bytes":   {f: Faults{ReplaceByte: 10_000}, garbage: true},
		"lost bytes":       {f: Faults{DropByte: 10_000}, garbage: true, fewer: true},
		"double bytes":     {f: Faults{DoubleByte: 10_000}, garbage: true},
		"cut frames":       {f: Faults{CutFrame: 50_000}, garbage: true, fewer: true},
		"garbage":          {f: Faults{Garbage: 50_000}, garbage: true},
		"lost updates":     {f: Faults{LoseField: 100_000}, fewer: true},
		"double updates":   {f: Faults{DoubleField: 100_000}, more: true},
		"impossible clock": {f: Faults{BadClock: 100_000}},
	} {
		s, truth := disturbed(t, row.f)
		if got := s.Garbage > 0; got != row.garbage {
			t.Errorf("%s: %d bytes of garbage", name, s.Garbage)
		}
		if row.fewer && s.Frames >= clean.Frames || row.more && s.Frames <= clean.Frames {
			t.Errorf("%s: %d frames, without %d", name, s.Frames, clean.Frames)
		}
		if len(truth.Games[0].Moves) != len(want.Games[0].Moves) || truth.Placement != want.Placement {
			t.Errorf("%s: another game was played", name)
		}
		for i, m := range truth.Games[0].Moves {
			if m != want.Games[0].Moves[i] {
				t.Fatalf("%s: move %d differs", name, i+1)
			}
		}
	}
}

func TestALostUpdateIsHealedByADump(t *testing.T) {
	b := newBench(t, Options{Faults: Faults{LoseField: 1_000_000}})
	b.tell(dgt.SetUpdateNice)
	b.hands(func(h *Hands) { h.fly(legal.E2, legal.E4) })
	if frames := b.wait(2 * second); count(frames, dgt.MsgField) != 0 {
		t.Fatal("an update came")
	}
	b.tell(dgt.RequestBoard)
	frames := b.wait(second)
	if len(frames) != 1 || dgt.Piece(frames[0].data[0x24]) != dgt.WhitePawn {
		t.Errorf("%v", frames)
	}
}

func TestUnplugAfterEveryByteOfAFrame(t *testing.T) {
	for n := range 68 {
		fault := Fault{At: second, Kind: UnplugInFrame, Frame: dgt.MsgBoard, N: n, For: 2 * second}
		b := newBench(t, Options{Faults: Faults{At: []Fault{fault}}})
		var links []bool
		b.e.OnLink(func(_ int64, up bool) { links = append(links, up) })
		b.tell(dgt.SetUpdateNice)
		b.wait(second)
		b.tell(dgt.RequestBoard)
		b.wait(second)
		if _, pending := b.d.Pending(); pending != n%67 {
			t.Fatalf("cut after %d bytes: the host has %d of the frame", n, pending)
		}
		if b.e.Linked() {
			t.Fatal("still linked")
		}
		b.tell(dgt.RequestSerial) // into nowhere
		b.d.Abort()
		b.wait(3 * second)
		if !b.e.Linked() || len(links) != 2 || links[0] || !links[1] {
			t.Fatalf("links %v", links)
		}
		if got := b.e.Reporting(); got != NoReporting {
			t.Errorf("mode %s after power came back", got)
		}
		b.tell(dgt.RequestBoard)
		if frames := b.wait(second); len(frames) != 1 || frames[0].id != dgt.MsgBoard {
			t.Errorf("after the return: %v", frames)
		}
	}
}

func TestAPieceMovedWhileTheCableIsOutIsInTheNextDump(t *testing.T) {
	b := newBench(t, Options{Faults: Faults{At: []Fault{{At: second, Kind: Unplug, For: 5 * second}}}})
	b.wait(2 * second)
	b.hands(func(h *Hands) { h.fly(legal.E2, legal.E4) })
	b.wait(5 * second)
	b.tell(dgt.RequestBoard)
	frames := b.wait(second)
	if len(frames) != 1 || dgt.Piece(frames[0].data[0x24]) != dgt.WhitePawn {
		t.Errorf("%v", frames)
	}
}

func TestFaultsAtAnInstant(t *testing.T) {
	at := func(k FaultKind, n int, us int64) Options {
		return Options{Faults: Faults{At: []Fault{{At: 2 * second, Kind: k, N: n, For: us}}}}
	}
	for _, row := range []struct {
		name string
		o    Options
		want func(b *bench, frames []heard) bool
	}{
		{"drop to bus", at(DropToBus, 0, 0), func(b *bench, f []heard) bool { return b.e.Reporting() == NoReporting && len(f) == 0 }},
		{"power cycle", at(PowerCycle, 0, 0), func(b *bench, f []heard) bool { return b.e.Reporting() == NoReporting }},
		{"mute", at(Mute, 0, 10*second), func(b *bench, f []heard) bool { return b.e.Reporting() == UpdateNice && len(f) == 0 }},
		{"noise", at(Noise, 500, 0), func(b *bench, f []heard) bool { return b.d.Stats().Garbage > 100 }},
		{"stream of 80", at(Stream80, 500, 0), func(b *bench, f []heard) bool { return b.d.Stats().Garbage >= 499 }},
		{"a log nobody asked for", at(SpuriousLog, 0, 0), func(b *bench, f []heard) bool { return count(f, dgt.MsgLog) == 1 }},
		{"the clock is gone and comes back", at(ClockGone, 0, second), func(b *bench, f []heard) bool { return count(f, dgt.MsgClock) == 2 }},
		{"battery low", at(BatteryLow, 0, 0), func(b *bench, f []heard) bool { return len(f) == 3 && f[0].data[6]&4 != 0 }},
		{"blank clock", at(BlankClock, 0, 0), func(b *bench, f []heard) bool { return count(f, dgt.MsgClock) == 1 }},
	} {
		row.o.Clock.Lag = LagNone
		b := newBench(t, row.o)
		b.tell(dgt.SetUpdateNice)
		b.wait(second)
		b.wait(second) // up to the fault, included
		b.hands(func(h *Hands) { h.fly(legal.E2, legal.E4) })
		if frames := b.wait(4 * second); !row.want(b, frames) {
			t.Errorf("%s: mode %s, garbage %d, frames %v", row.name, b.e.Reporting(), b.d.Stats().Garbage, frames)
		}
	}
}

func TestFaultsComeInTheOrderOfTime(t *testing.T) {
	faults := []Fault{{At: 5 * second, Kind: BlankClock}, {At: 2 * second, Kind: Stream80, N: 3}, {At: 4 * second, Kind: SpuriousLog}}
	b := newBench(t, Options{Faults: Faults{At: faults}, Line: LineOptions{Baud: Unpaced}})
	b.wait(3 * second)
	if g := b.d.Stats().Bytes; g != 3 {
		t.Errorf("%d bytes after 3 s", g)
	}
	frames := b.wait(3 * second)
	if len(frames) != 2 || frames[0].id != dgt.MsgLog || frames[1].id != dgt.MsgClock {
		t.Errorf("%v", frames)
	}
}

func TestAFlickeringCoil(t *testing.T) {
	f := Faults{Flicker: []Flicker{{Square: legal.E2, FromUS: 2 * second, ToUS: 12 * second, EveryUS: 500_000}}}
	b := newBench(t, Options{Faults: f})
	b.tell(dgt.SetUpdateNice)
	frames := b.wait(20 * second)
	if n := count(frames, dgt.MsgField); n < 18 || n > 20 {
		t.Errorf("%d updates in 20 half periods", n)
	}
	if last := frames[len(frames)-1]; last.data[0] != 0x34 || dgt.Piece(last.data[1]) != dgt.WhitePawn {
		t.Errorf("in the end % x", last.data)
	}
}

func TestARecordingSurvivesUnplugging(t *testing.T) {
	var ups, downs int
	var late int64
	_, err := Record(Options{Seed: 8, Faults: Faults{At: []Fault{{At: 20 * second, Kind: Unplug, For: 3 * second}}}},
		func(at int64, dir byte, p []byte) {
			switch dir {
			case LinkUp:
				ups++
			case LinkDown:
				downs++
			case FromBoard:
				late = at
				if at > 20*second && at < 23*second {
					t.Errorf("bytes at %d µs, the cable is out", at)
				}
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	if ups != 1 || downs != 1 || late < 30*second {
		t.Errorf("%d ups, %d downs, last bytes at %d s", ups, downs, late/second)
	}
}
