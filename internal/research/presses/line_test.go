package presses

import (
	"bytes"
	"testing"

	"boardwatchd/rules/kinds"
)

// ask sends bytes to a new table before the game begins, and returns the answers.
func ask(o Options, commands ...byte) []byte {
	tb := New(o)
	for i, b := range commands {
		tb.Input(int64(i+1)*10*ms, []byte{b})
	}
	var got []byte
	tb.Advance(7*sec, func(_ int64, p []byte) { got = append(got, p...) })
	return got
}

func TestAnswers(t *testing.T) {
	o := Options{Seed: 25, WhiteBoard: LeftOrNear, WhiteClock: LeftOrNear, Increment: TwoSeconds, Pace: Blitz}
	o.LeadInSec = 20
	none := DefaultHabits()
	none.WrongStart = 0
	o.Habits = &none
	dump := append([]byte{0x86, 0, 0x43, 8, 9, 10, 12, 11, 10, 9, 8}, bytes.Repeat([]byte{7}, 8)...)
	dump = append(append(dump, make([]byte, 32)...), bytes.Repeat([]byte{1}, 8)...)
	dump = append(dump, 2, 3, 4, 6, 5, 4, 3, 2)
	for _, c := range []struct {
		name     string
		commands []byte
		want     []byte
	}{
		{"serial number", []byte{0x45}, []byte("\x91\x00\x0801025")},
		{"bus address of 1025, section 5.5", []byte{0x46}, []byte{0x90, 0, 5, 8, 1}},
		{"version", []byte{0x4d}, []byte{0x93, 0, 5, 1, 8}},
		{"dump of the start position, section 15.1", []byte{0x42}, dump},
		{"clock before the start, section 15.2", []byte{0x41}, []byte{0x8d, 0, 10, 0x20, 5, 2, 0x20, 5, 2, 8}},
		{"wired boards do not know the battery", []byte{0x4c, 0x48, 0x55}, nil},
		{"unknown commands", []byte{0x50, 0x51, 0x56, 0x59, 0x7f, 0x05}, nil},
		{"a bus command swallows its three followers", []byte{0x42 ^ 0xc0, 0x42, 0x42, 0x42, 0x4d}, []byte{0x93, 0, 5, 1, 8}},
		{"clock version, section 15.3", []byte{0x4b, 0x2b, 3, 3, 9, 0}, []byte{0x8d, 0, 10, 0x0a, 0x10, 9, 0x0a, 0x22, 0, 0}},
		{"set and run is refused, section 15.3", []byte{0x4b, 0x2b, 10, 3, 10, 0, 5, 0, 0, 5, 0, 1, 0},
			[]byte{0x8d, 0, 10, 0x0a, 0x40, 10, 0x0a, 0, 0, 0}},
		{"no acknowledgement in IDLE", []byte{0x40, 0x2b, 3, 3, 9, 0}, nil},
		{"the boot loader is silent", []byte{0x4e, 0x42}, nil},
	} {
		if got := ask(o, c.commands...); !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x, want % x", c.name, got, c.want)
		}
	}
}

func TestLogHasItsLengthAndTimeOnTheLine(t *testing.T) {
	tb := New(Options{Seed: 3, LeadInSec: 30})
	tb.Input(sec, []byte{0x49})
	var at int64
	var got []byte
	tb.Advance(20*sec, func(when int64, p []byte) { at, got = when, append(got, p...) })
	if messages, garbage := parse(got); len(messages) != 1 || garbage != 0 || len(got) != 7939 {
		t.Fatalf("%d messages, %d bytes, %d of them garbage", len(messages), len(got), garbage)
	}
	if at < 9200*ms || at > 9400*ms {
		t.Errorf("the log of 8.27 s (section 1.1) arrives at %d", at)
	}
}

func TestUpdateModeSendsTheClockTwiceASecondAndEnds(t *testing.T) {
	tb := New(Options{Seed: 4, LeadInSec: 30})
	tb.Input(sec, []byte{0x43})
	n := 0
	tb.Advance(11*sec+100*ms, func(_ int64, p []byte) { n++ })
	if n != 20 {
		t.Errorf("%d clock messages in ten seconds", n)
	}
	for !tb.Done() {
		next, ok := tb.NextEvent()
		if !ok {
			t.Fatal("neither done nor an event")
		}
		tb.Advance(next, func(int64, []byte) {})
	}
}

func TestNothingArrivesInAGap(t *testing.T) {
	gaps := 0
	for seed := range uint64(40) {
		tb := New(Options{Seed: seed, Gaps: 300})
		truth := tb.Truth()
		for _, p := range play(tb, 0) {
			for _, gap := range truth.Gaps {
				if p.at > gap.From && p.at < gap.To {
					t.Fatalf("seed %d: bytes at %d in the gap from %d to %d", seed, p.at, gap.From, gap.To)
				}
				if gap.LosesMode && p.at > gap.To {
					t.Fatalf("seed %d: bytes at %d though the board forgot its mode at %d", seed, p.at, gap.From)
				}
			}
		}
		gaps += len(truth.Gaps)
	}
	if gaps == 0 {
		t.Error("no gaps")
	}
}

func TestAStandstillGivesItsBytesAtOnce(t *testing.T) {
	held := 0
	for seed := range uint64(20) {
		tb := New(Options{Seed: seed, Standstills: 300})
		truth := tb.Truth()
		got := play(tb, 0)
		for _, w := range truth.Standstills {
			for _, p := range got {
				if p.at > w.From && p.at < w.To {
					t.Fatalf("seed %d: bytes at %d in a standstill", seed, p.at)
				}
				if p.at == w.To {
					held++
				}
			}
		}
	}
	if held == 0 {
		t.Error("nothing was held back")
	}
}

func TestNoiseIsInTheTruth(t *testing.T) {
	lost := 0
	for seed := range uint64(10) {
		clean, noisy := New(Options{Seed: seed}), New(Options{Seed: seed, LostBytes: 2000})
		a, b := join(play(clean, 0)), join(play(noisy, 0))
		if n := len(noisy.Truth().Faults); len(a)-len(b) != n {
			t.Errorf("seed %d: %d bytes fewer, %d faults in the truth", seed, len(a)-len(b), n)
		}
		lost += len(noisy.Truth().Faults)
	}
	if lost == 0 {
		t.Error("no noise")
	}
}

func TestRates(t *testing.T) {
	for _, kind := range []Kind{EventClock, PolledClock, SlowClock} {
		t.Logf("%s clock, offences 100 and gaps and standstills 20 in 10,000 plies", kind)
		rates := Rates(Options{Seed: 1, Clock: kind, Plies: 140, Offences: 100, Gaps: 20, Standstills: 20}, 200)
		for _, r := range rates {
			t.Logf("%-55s %7d %6d.%d in 1,000", r.Name, r.Count, r.PerMillion/1000, r.PerMillion/100%10)
		}
		if rates[0].Name != "plies" || rates[0].Count < 5000 {
			t.Errorf("%s clock: %+v", kind, rates[0])
		}
	}
}

// FuzzInput: for any input of the host the board answers in whole messages, and the game continues.
func FuzzInput(f *testing.F) {
	f.Add(uint64(1), []byte{0x40, 0x45, 0x4b, 0x42, 0x41, 0x2b, 3, 3, 9, 0})
	f.Add(uint64(2), []byte{0x43, 0x86, 0x42, 0x42, 0x42, 0x49, 0x4c, 0x48, 0x55, 0x46, 0x47})
	f.Add(uint64(3), []byte{0x60, 4, 1, 2, 3, 0, 0x63, 0, 0x2c, 1, 0, 0x4a, 0x44, 0x4e, 0x42})
	f.Fuzz(func(t *testing.T, seed uint64, p []byte) {
		tb := New(Options{Seed: seed, Plies: 6, Model: NewBoard, Offences: 500})
		tb.Input(0, p)
		for i, b := range p {
			tb.Input(int64(i)*400*ms, []byte{b})
		}
		var got []byte
		for !tb.Done() {
			at, ok := tb.NextEvent()
			if !ok {
				t.Fatal("neither done nor an event")
			}
			tb.Advance(at, func(_ int64, p []byte) { got = append(got, p...) })
		}
		if _, garbage := parse(got); garbage != 0 {
			t.Errorf("%d bytes belong to no message", garbage)
		}
	})
}

// TestAnyOptions: with any mixture of options a table ends.
func TestAnyOptions(t *testing.T) {
	for seed := range uint64(300) {
		r := stream(seed, 99)
		n := func(hi int64) int { return int(r.between(0, hi)) }
		o := Options{
			Seed: seed, Plies: 1 + n(120), Clock: Kind(n(4)), Pace: Pace(n(4)), Increment: Increment(n(4)),
			BaseSec:  int64(n(600)),
			Offences: n(3000), OffencesAfterPair: n(9000), RestorePercent: n(120) - 10, LostBytes: n(5000),
			FlippedBits: n(5000), Gaps: n(2000), Standstills: n(2000), GapKind: GapKind(n(3)), LeadInSec: int64(4 + n(10)),
			Habits: &Habits{
				Forget: n(2000), ForgetAgain: n(9000), PressAfterTalk: n(1000), SlowPress: n(1000), Bounce: n(2000),
				DoubleTap: n(2000), StopAfterPress: n(1000), PauseInThink: n(1000), LeverInPause: n(100), Touch: n(2000),
				Adjust: n(2000), Slide: n(9000), Scramble: n(2000), WrongStart: n(100), SwallowFirst: n(100), Swallow: n(3000),
			},
		}
		tb := New(o)
		play(tb, 0)
		truth := tb.Truth()
		if len(truth.Plies) == 0 || truth.Reason == "" {
			t.Errorf("seed %d: %d plies, ended by %q", seed, len(truth.Plies), truth.Reason)
		}
		for i, ply := range truth.Plies {
			moved := ply.Press >= 0 && truth.Presses[ply.Press].Moved
			if moved != (ply.Class == Pressed || ply.Class == Late) || (ply.Class == NoClass) {
				t.Errorf("seed %d, ply %d: %s, but moved is %v", seed, i, ply.Class, moved)
			}
			if ply.Offence >= 0 && truth.Offences[ply.Offence].Kind == kinds.PressBeforeDone && ply.PressAt >= ply.Placed {
				t.Errorf("seed %d, ply %d: pressed after the placement", seed, i)
			}
		}
	}
}
