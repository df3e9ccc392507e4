package presses

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// session is a host: it sends the commands of section 9, and then only listens.
var session = []struct {
	at int64
	b  byte
}{
	{500 * ms, 0x40}, {800 * ms, 0x45}, {1000 * ms, 0x4d}, {1200 * ms, 0x47}, {1400 * ms, 0x55}, {1600 * ms, 0x48},
	{1800 * ms, 0x4c}, {2000 * ms, 0x46}, {2200 * ms, 0x4b}, {2400 * ms, 0x42}, {2700 * ms, 0x41},
}

type piece struct {
	at int64
	p  []byte
}

// play lets a host listen to the whole game; step divides the time, 0 for one event at a time.
func play(tb *Table, step int64) []piece {
	var got []piece
	emit := func(at int64, p []byte) { got = append(got, piece{at, bytes.Clone(p)}) }
	for _, c := range session {
		tb.Input(c.at, []byte{c.b})
	}
	for now := int64(0); !tb.Done(); {
		next, ok := tb.NextEvent()
		if !ok {
			break
		}
		if step > 0 {
			now += step
			next = now
		}
		tb.Advance(next, emit)
	}
	return got
}

func join(list []piece) []byte {
	var b []byte
	for _, p := range list {
		b = append(b, p.p...)
	}
	return b
}

// eager returns options with everything that they offer, often.
func eager(seed uint64) Options {
	return Options{
		Seed: seed, Offences: 400, LostBytes: 300, FlippedBits: 300, Gaps: 150, Standstills: 150,
		Model: Model(seed % 2),
	}
}

func TestTheSameSeedGivesTheSameTable(t *testing.T) {
	for seed := range uint64(12) {
		a, b := New(eager(seed)), New(eager(seed))
		if x, y := play(a, 0), play(b, 0); !reflect.DeepEqual(x, y) {
			t.Errorf("seed %d: two runs differ", seed)
		}
		if !reflect.DeepEqual(a.Truth(), b.Truth()) {
			t.Errorf("seed %d: two truths differ", seed)
		}
		c := New(eager(seed + 1000))
		if reflect.DeepEqual(a.Truth().Plies, c.Truth().Plies) {
			t.Errorf("seed %d: another seed gives the same game", seed)
		}
	}
}

func TestAdvanceDoesNotDependOnItsSteps(t *testing.T) {
	for seed := range uint64(8) {
		want := play(New(eager(seed)), 0)
		for _, step := range []int64{33_333, 61 * sec} {
			if got := play(New(eager(seed)), step); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d, steps of %d µs: other bytes or instants", seed, step)
			}
		}
	}
}

func TestEventsAreInOrderOfTime(t *testing.T) {
	for seed := range uint64(20) {
		tb := New(eager(seed))
		var last int64
		for _, p := range play(tb, 0) {
			if p.at < last {
				t.Fatalf("seed %d: bytes at %d after bytes at %d", seed, p.at, last)
			}
			last = p.at
		}
		truth := tb.Truth()
		for i, press := range truth.Presses {
			if i > 0 && press.At <= truth.Presses[i-1].At {
				t.Errorf("seed %d: press %d is not later than the one before", seed, i)
			}
		}
		for i := 1; i < len(truth.Plies); i++ {
			if truth.Plies[i].FirstTouch <= truth.Plies[i-1].Placed {
				t.Errorf("seed %d: ply %d begins before the one before is placed", seed, i)
			}
		}
	}
}

func TestTheTruthIsAGameThatReplaysLegally(t *testing.T) {
	offences := 0
	for seed := range uint64(100) {
		truth := New(eager(seed)).Truth()
		setup, err := legal.ParseFEN(truth.Start)
		if err != nil {
			t.Fatal(err)
		}
		pos, _ := setup.Position()
		for i, ply := range truth.Plies {
			name := fmt.Sprintf("seed %d, ply %d, %s in %s", seed, i, ply.UCI, pos.FEN())
			if ply.Side != pos.Turn() {
				t.Fatalf("%s: side %s", name, ply.Side)
			}
			m, ok := pos.FindUCI(ply.UCI)
			if ply.Offence < 0 {
				if !ok {
					t.Fatalf("%s: not legal", name)
				}
				pos = pos.After(m)
				if pos.FEN() != ply.After {
					t.Fatalf("%s: leads to %s, not to %s", name, pos.FEN(), ply.After)
				}
				continue
			}
			offences++
			o := truth.Offences[ply.Offence]
			wantLegal := o.Kind == kinds.Displaced || o.Kind == kinds.PressBeforeDone
			if ok != wantLegal {
				t.Errorf("%s: legal is %v for %s", name, ok, o.Kind)
			}
			if v := pos.Explain(ply.UCI); !wantLegal && ply.UCI != "0000" && v.Kind != o.Kind {
				t.Errorf("%s: the rules say %q, the truth %q", name, v.Kind, o.Kind)
			}
			setup, err := legal.ParseFEN(ply.After)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if pos, err = setup.Standing(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	if offences < 100 {
		t.Errorf("only %d offences", offences)
	}
}

// parse is a parser of the test alone (section 4): it returns the messages and the number of bytes that belong to
// none.
func parse(b []byte) (messages [][]byte, garbage int) {
	for len(b) > 0 {
		if b[0] < 0x80 || len(b) < 3 || b[1] >= 0x80 || b[2] >= 0x80 {
			b, garbage = b[1:], garbage+1
			continue
		}
		n := int(b[1])*128 + int(b[2])
		end := 3
		for end < len(b) && end < n && b[end] < 0x80 {
			end++
		}
		if end != n {
			garbage += end
		} else {
			messages = append(messages, b[:n])
		}
		b = b[end:]
	}
	return messages, garbage
}

func TestTheBytesLeadToTheFinalPlacement(t *testing.T) {
	letters := ".PRNBKQprnbkq"
	for seed := range uint64(40) {
		tb := New(Options{Seed: seed, Offences: 200, Standstills: 100, Model: NewBoard})
		messages, garbage := parse(join(play(tb, 0)))
		truth := tb.Truth()
		if garbage != 0 {
			t.Fatalf("seed %d: %d bytes of garbage", seed, garbage)
		}
		image := map[byte]byte{}
		ids := map[byte]int{}
		var lastClock []byte
		for _, m := range messages {
			ids[m[0]]++
			switch m[0] {
			case 0x86:
				for i, c := range m[3:] {
					image[byte(i)] = c
				}
			case 0x8e:
				if image[m[3]] == m[4] {
					t.Errorf("seed %d: square %d reported unchanged", seed, m[3])
				}
				image[m[3]] = m[4]
			case 0x8d:
				lastClock = m
			}
		}
		for s := legal.A1; s <= legal.H8; s++ {
			n := byte(8*(7-s.Rank()) + s.File())
			if truth.Options.WhiteBoard == RightOrFar {
				n = 63 - n
			}
			want := truth.Final[s].String()
			if want == "-" {
				want = "."
			}
			if got := letters[image[n] : image[n]+1]; got != want {
				t.Errorf("seed %d: %s reads %s, truth %s", seed, s, got, want)
			}
		}
		for _, id := range []byte{0x91, 0x93, 0x92, 0xa2, 0x96, 0xa0, 0x90, 0x86} {
			if ids[id] != 1 {
				t.Errorf("seed %d: message %02x came %d times", seed, id, ids[id])
			}
		}
		if lastClock[9]&1 != 0 {
			t.Errorf("seed %d: the clock runs at the end", seed)
		}
	}
}

func TestEachPressOfAnEventClockIsOneMessage(t *testing.T) {
	for seed := range uint64(30) {
		tb := New(Options{Seed: seed, Clock: EventClock})
		flips, last := 0, -1
		messages, _ := parse(join(play(tb, 0)))
		for _, m := range messages {
			if m[0] != 0x8d {
				continue
			}
			if lever := int(m[9] & 2); last >= 0 && lever != last {
				flips++
				last = lever
			} else {
				last = lever
			}
		}
		want := 0
		for _, press := range tb.Truth().Presses {
			if press.Moved {
				want++
			}
		}
		if flips != want {
			t.Errorf("seed %d: the lever flips %d times in the bytes, %d in the truth", seed, flips, want)
		}
	}
}

func TestMergedAndSwallowedPressesOccurOnlyWhereTheFamilyHasThem(t *testing.T) {
	for _, kind := range []Kind{EventClock, PolledClock, SlowClock} {
		merged, swallowed := 0, 0
		for seed := range uint64(60) {
			for _, press := range New(Options{Seed: seed, Clock: kind, Pace: Blitz}).Truth().Presses {
				if press.Merged {
					merged++
				}
				if press.Swallowed {
					swallowed++
				}
			}
		}
		if (merged > 0) != (kind != EventClock) || (swallowed > 0) != (kind == SlowClock) {
			t.Errorf("%s clock: %d merged, %d swallowed", kind, merged, swallowed)
		}
	}
}

func TestAGameThatEndsByTheFlag(t *testing.T) {
	flags := 0
	for seed := range uint64(20) {
		tb := New(Options{Seed: seed, Pace: Blitz, BaseSec: 45, Increment: NoIncrement, Clock: Kind(1 + seed%3), Plies: 300})
		messages, _ := parse(join(play(tb, 0)))
		if tb.Truth().Reason != "flag" {
			continue
		}
		flags++
		var last []byte
		for _, m := range messages {
			if m[0] == 0x8d {
				last = m
			}
		}
		right, left := bytes.Equal(last[3:6], []byte{0x10, 0, 0}), bytes.Equal(last[6:9], []byte{0x10, 0, 0})
		if right == left || last[9]&1 != 0 {
			t.Errorf("seed %d: the last clock message is % x", seed, last)
		}
	}
	if flags == 0 {
		t.Error("no flag fell")
	}
}
