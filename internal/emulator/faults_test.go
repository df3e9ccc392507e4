package emulator

import (
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

func TestALostUpdateIsHealedByADump(t *testing.T) {
	b := newBench(t, Options{Faults: Faults{LoseField: 1_000_000}})
	b.tell(dgt.SetUpdateNice)
	b.hands(func(h *script) { h.fly(legal.E2, legal.E4) })
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
		b.tell(dgt.RequestSerial) // not received
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
	b.hands(func(h *script) { h.fly(legal.E2, legal.E4) })
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
		b.hands(func(h *script) { h.fly(legal.E2, legal.E4) })
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
