package emulator

import (
	"fmt"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

// clockMessages plays acts on a clock and returns its messages, in hexadecimal.
func clockMessages(t *testing.T, o ClockOptions, forUS int64, f func(h *script)) []string {
	t.Helper()
	if o.Lag == LagUnset {
		o.Lag = LagNone
	}
	b := newBench(t, Options{Clock: o})
	b.tell(dgt.SetUpdateNice)
	b.wait(second)
	b.hands(f)
	var sent []string
	for _, m := range b.wait(forUS) {
		if m.id == dgt.MsgClock {
			sent = append(sent, fmt.Sprintf("% x", m.data))
		}
	}
	return sent
}

// TestTheClockSpeaksAsRecorded checks the messages of DGT protocol notes, section 15.2.
func TestTheClockSpeaksAsRecorded(t *testing.T) {
	fischer := ClockOptions{BaseSec: 180, BonusSec: 2}
	for _, row := range []struct {
		name  string
		clock ClockOptions
		acts  func(h *script)
		want  []string
	}{
		{"start, two ticks", fischer, func(h *script) { h.Run(legal.White); h.Wait(2*second + 500_000) },
			[]string{"20 03 02 20 03 02 09", "20 03 02 20 03 01 09", "20 03 02 20 03 00 09"}},
		{"a press is one message with its increment", fischer, func(h *script) { h.Run(legal.White); h.Wait(500_000); h.Press(legal.White) },
			[]string{"20 03 02 20 03 02 09", "20 03 02 20 03 04 13"}},
		{"a press of the side whose lever is down is nothing", fischer, func(h *script) { h.Run(legal.White); h.Press(legal.Black) },
			[]string{"20 03 02 20 03 02 09"}},
		{"pause", fischer, func(h *script) { h.Run(legal.White); h.Wait(300_000); h.Pause() },
			[]string{"20 03 02 20 03 02 09", "20 03 02 20 03 02 08"}},
		{"the lever of a stopped clock brings no increment", fischer, func(h *script) { h.Lever(legal.Black) },
			[]string{"20 03 02 20 03 02 12"}},
		{"flag", ClockOptions{BaseSec: 1}, func(h *script) { h.Run(legal.White) },
			[]string{"00 00 01 00 00 01 09", "00 00 01 10 00 00 08"}},
		{"a second period goes on with its flag shown", ClockOptions{BaseSec: 1, NextSec: 60}, func(h *script) { h.Run(legal.White); h.Wait(second * 3 / 2); h.Pause() },
			[]string{"00 00 01 00 00 01 09", "00 00 01 40 01 00 09", "00 00 01 40 01 00 08"}},
		{"White on the right", ClockOptions{BaseSec: 300, White: clockproto.Right}, func(h *script) { h.Run(legal.White); h.Wait(500_000); h.Press(legal.White) },
			[]string{"00 05 00 00 05 00 13", "00 05 00 00 05 00 09"}},
		{"times edited", fischer, func(h *script) { h.SetTime(legal.White, 600*second); h.AddTime(legal.Black, -2*second) },
			[]string{"20 03 02 20 10 00 08", "20 03 00 20 10 00 08"}},
		{"unplugged and back", fischer, func(h *script) { h.Unplug(); h.Wait(second); h.Plug() },
			[]string{"00 00 00 00 00 00 20", "20 03 02 20 03 02 08"}},
		{"a flag that is made to fall", fischer, func(h *script) { h.Run(legal.White); h.DropFlag(legal.White) },
			[]string{"20 03 02 20 03 02 09", "20 03 02 30 00 00 08"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := clockMessages(t, row.clock, 2*second+600_000, row.acts); fmt.Sprint(got) != fmt.Sprint(row.want) &&
				!(len(got) > len(row.want) && fmt.Sprint(got[:len(row.want)]) == fmt.Sprint(row.want)) {
				t.Errorf("\n got %q\nwant %q", got, row.want)
			}
		})
	}
}

func TestAMissingClockSaysSo(t *testing.T) {
	b := newBench(t, Options{Clock: ClockOptions{None: true}})
	b.tell(dgt.RequestClock)
	frames := b.wait(second)
	if len(frames) != 1 || fmt.Sprintf("% x", frames[0].data) != "00 00 00 00 00 00 20" {
		t.Errorf("%v", frames)
	}
}

func TestTicksNeverSkipASecond(t *testing.T) {
	for _, lag := range []Lag{LagNone, LagFixed, LagUniform, LagAsRecorded} {
		sent := clockMessages(t, ClockOptions{BaseSec: 100, Lag: lag, LagUS: 300_000}, 110*second, func(h *script) { h.Run(legal.White) })
		if len(sent) != 101 { // the start, 99 ticks, the flag
			t.Errorf("%s: %d messages for 100 s", lag, len(sent))
		}
	}
}

// lagsOf measures the delay of press messages.
func lagsOf(t *testing.T, lag Lag) (least, most int64) {
	t.Helper()
	clock := ClockOptions{BaseSec: 6000, Lag: lag}
	if lag == LagFixed {
		clock.LagUS = 123_000
	}
	b := newBench(t, Options{Clock: clock, Line: LineOptions{Baud: Unpaced, LatencyUS: NoLatency}})
	b.tell(dgt.SetUpdateNice)
	b.hands(func(h *script) { h.Run(legal.White) })
	b.wait(3 * second)
	least = never
	side, up := legal.White, clockproto.Left
	for range 200 {
		b.wait(3*second + 77_777)
		pressed := b.e.Now()
		b.hands(func(h *script) { h.Press(side) })
		for _, m := range b.wait(2 * second) {
			if m.id != dgt.MsgClock {
				continue
			}
			r, err := clockproto.ParseReading([7]byte(m.data))
			if err != nil {
				t.Fatal(err)
			}
			if r.Up != up {
				up = r.Up
				least, most = min(least, m.at-pressed), max(most, m.at-pressed)
			}
		}
		side = side.Other()
	}
	return least, most
}

func TestEachLagKeepsItsBounds(t *testing.T) {
	for _, row := range []struct {
		lag          Lag
		floor, roof  int64 // no press is reported earlier or later
		least, most2 int64 // some are reported as early and as late as this
	}{
		{LagNone, 0, 0, 0, 0},
		{LagFixed, 123_000, 123_000, 123_000, 123_000},
		{LagUniform, 0, 1_000_000, 100_000, 900_000},
		{LagPolled, 0, 500_000, 50_000, 350_000},
		{LagAsRecorded, 595_000, 745_000, 745_000, 595_000},
	} {
		least, most := lagsOf(t, row.lag)
		if least < row.floor || most > row.roof || least > row.least || most < row.most2 {
			t.Errorf("%s: presses are told after %d to %d µs", row.lag, least, most)
		}
	}
}

func TestAPolledClockMergesWhatHappensBetween(t *testing.T) {
	merged := 0
	for i := range 40 {
		sent := clockMessages(t, ClockOptions{BaseSec: 60, Lag: LagPolled}, 2*second, func(h *script) {
			h.Wait(int64(i) * 10_000)
			h.Run(legal.White)
			h.Wait(50_000)
			h.Press(legal.White)
		})
		if len(sent) > 0 && sent[0] == "00 01 00 00 01 00 13" {
			merged++
		}
	}
	if merged < 20 {
		t.Errorf("start and press within 50 ms came as one message %d times of 40", merged)
	}
}

func TestAcknowledgements(t *testing.T) {
	version := dgt.ClockMessage{Payload: clockproto.QueryVersion{}.AppendTo(nil)}
	run := dgt.ClockMessage{Payload: clockproto.SetAndRun{Left: clockproto.Setting{Seconds: 300}}.AppendTo(nil)}
	for _, row := range []struct {
		name  string
		clock ClockOptions
		ask   dgt.Command
		want  []string
	}{
		{"version", ClockOptions{}, version, []string{"0a 10 09 0a 22 00 00"}},
		{"set and run accepted", ClockOptions{}, run, []string{"0a 10 0a 0a 00 00 00"}},
		{"set and run refused", ClockOptions{Refuse: true}, run, []string{"0a 40 0a 0a 00 00 00"}},
		{"Bluetooth 2.10 sends zeros first", ClockOptions{ZeroFirst: true}, version, []string{"00 00 00 00 00 00 00", "0a 10 09 0a 22 00 00"}},
		{"no clock, no answer", ClockOptions{None: true}, version, nil},
	} {
		b := newBench(t, Options{Clock: row.clock})
		b.tell(dgt.SetUpdateNice)
		b.wait(second)
		b.tell(row.ask)
		var got []string
		for _, f := range b.wait(500_000) {
			got = append(got, fmt.Sprintf("% x", f.data))
		}
		if fmt.Sprint(got) != fmt.Sprint(row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
