package emulator

import (
	"bytes"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

// bench is a board with a script, and the frames it has sent.
type bench struct {
	t *testing.T
	e *Emulator
	d dgt.Decoder
}

func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	if o.Table == (legal.Placement{}) {
		o.Table = legal.StartSetup(518).Placement
	}
	return &bench{t: t, e: New(o)}
}

// heard is a frame with the time of its last byte.
type heard struct {
	at   int64
	id   dgt.ID
	data []byte
}

// wait lets time pass and returns the frames that arrived.
func (b *bench) wait(us int64) []heard {
	var frames []heard
	b.e.Advance(b.e.Now()+us, func(at int64, p []byte) {
		b.d.Feed(p)
		for f, ok := b.d.Next(); ok; f, ok = b.d.Next() {
			frames = append(frames, heard{at, f.ID, bytes.Clone(f.Data)})
		}
	})
	return frames
}

func (b *bench) tell(cs ...dgt.Command) {
	for _, c := range cs {
		b.e.Input(b.e.Now(), c.AppendTo(nil))
	}
}

// hands plans acts from now on.
func (b *bench) hands(f func(h *script)) {
	h := &script{now: b.e.Now(), table: b.e.Placement()}
	f(h)
	b.e.Perform(h.acts)
}

func count(frames []heard, id dgt.ID) int {
	n := 0
	for _, f := range frames {
		if f.id == id {
			n++
		}
	}
	return n
}

// TestReportingModes checks the table of section 2.
func TestReportingModes(t *testing.T) {
	ack := clockproto.QueryVersion{}
	for _, row := range []struct {
		name     string
		enter    []dgt.Command
		mode     Reporting
		fields   bool
		clocks   int // messages in 10 s with 9 or 10 ticks, without acknowledgements
		slack    int
		acks     bool
		switched bool
	}{
		{name: "power-up", mode: NoReporting},
		{name: "idle after entering", enter: []dgt.Command{dgt.RequestSerial}, mode: Idle},
		{name: "reset", enter: []dgt.Command{dgt.SetUpdateNice, dgt.Reset}, mode: Idle},
		{name: "update", enter: []dgt.Command{dgt.SetUpdate}, mode: Update, fields: true, clocks: 20, slack: 1, acks: true},
		{name: "update board", enter: []dgt.Command{dgt.SetUpdateBoard}, mode: UpdateBoard, fields: true},
		{name: "update nice", enter: []dgt.Command{dgt.SetUpdateNice}, mode: UpdateNice, fields: true, clocks: 10, slack: 1, acks: true},
		{name: "nice, then told to bus mode", enter: []dgt.Command{dgt.SetUpdateNice, dgt.ToBusMode}, mode: NoReporting},
		{name: "nice, then a stray bus byte", enter: []dgt.Command{dgt.SetUpdateNice, dgt.BusCommand{Code: dgt.BusPing}}, mode: NoReporting},
		{name: "nice, stray bus byte, nice again", enter: []dgt.Command{dgt.SetUpdateNice, dgt.BusCommand{Code: dgt.BusPing}, dgt.SetUpdateNice}, mode: UpdateNice, fields: true, clocks: 10, slack: 1, acks: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, Options{})
			b.tell(row.enter...)
			b.hands(func(h *script) { h.Run(legal.White) })
			b.wait(second)
			if got := b.e.Reporting(); got != row.mode {
				t.Errorf("mode %s, want %s", got, row.mode)
			}
			b.hands(func(h *script) { h.fly(legal.E2, legal.E4) })
			frames := b.wait(10 * second)
			if got := count(frames, dgt.MsgField) == 2; got != row.fields {
				t.Errorf("%d field updates", count(frames, dgt.MsgField))
			}
			if got := count(frames, dgt.MsgClock); max(got-row.clocks, row.clocks-got) > row.slack {
				t.Errorf("%d clock messages, want %d", got, row.clocks)
			}
			if row.mode == NoReporting {
				return // a clock command would switch the mode
			}
			b.tell(dgt.ClockMessage{Payload: ack.AppendTo(nil)})
			acks := 0
			for _, f := range b.wait(second) {
				if f.id == dgt.MsgClock && clockproto.Classify([7]byte(f.data)) == clockproto.Acknowledge {
					acks++
				}
			}
			if (acks == 1) != row.acks {
				t.Errorf("%d acknowledgements", acks)
			}
		})
	}
}

func TestEveryRequestIsAnswered(t *testing.T) {
	for ask, want := range map[dgt.Short]dgt.ID{
		dgt.RequestClock: dgt.MsgClock, dgt.RequestBoard: dgt.MsgBoard, dgt.RequestSerial: dgt.MsgSerial,
		dgt.RequestBusAddress: dgt.MsgBusAddress, dgt.RequestTrademark: dgt.MsgTrademark, dgt.RequestHardware: dgt.MsgHardware,
		dgt.RequestLog: dgt.MsgLog, dgt.RequestBattery: dgt.MsgBattery, dgt.RequestVersion: dgt.MsgVersion,
		dgt.RequestLongSerial: dgt.MsgLongSerial,
	} {
		b := newBench(t, Options{})
		b.tell(ask)
		frames := b.wait(10 * second)
		if len(frames) != 1 || frames[0].id != want {
			t.Errorf("%s: %v", ask, frames)
		}
	}
	for _, ask := range []dgt.Short{dgt.Reset, dgt.RequestDark50, dgt.RequestI2CClock, dgt.RequestLock, dgt.StartBootloader, dgt.ScanAll} {
		b := newBench(t, Options{})
		b.tell(ask)
		if frames := b.wait(2 * second); len(frames) != 0 {
			t.Errorf("%s: answered with %v", ask, frames)
		}
	}
}

func TestRequestsDoNotChangeTheMode(t *testing.T) {
	b := newBench(t, Options{})
	b.tell(dgt.SetUpdateNice, dgt.RequestClock, dgt.RequestBoard, dgt.RequestSerial)
	b.wait(second)
	if got := b.e.Reporting(); got != UpdateNice {
		t.Errorf("mode %s", got)
	}
}

func TestAReversedBoardNumbersFromTheOtherSide(t *testing.T) {
	b := newBench(t, Options{Board: BoardOptions{Reversed: true}})
	b.tell(dgt.SetUpdateNice)
	b.wait(second)
	b.hands(func(h *script) { h.fly(legal.E2, legal.E4) })
	var squares []byte
	for _, f := range b.wait(second) {
		if f.id == dgt.MsgField {
			squares = append(squares, f.data[0])
		}
	}
	// DGT protocol notes, section 15.1: e2 is 0b and e4 is 1b on a reversed board
	if len(squares) != 2 || squares[0]+squares[1] != 0x0B+0x1B {
		t.Errorf("squares % x, want 0b and 1b", squares)
	}
}

func TestAScanTakesOnePeriod(t *testing.T) {
	for seed := range uint64(20) {
		o := Options{Seed: seed, Line: LineOptions{Baud: Unpaced, LatencyUS: NoLatency}}
		b := newBench(t, o)
		b.tell(dgt.SetUpdateNice)
		b.wait(second)
		period := b.e.scan.period
		if period < scanMinUS || period > scanMaxUS {
			t.Fatalf("period %d µs", period)
		}
		start := b.e.Now()
		b.hands(func(h *script) { h.clear() })
		b.e.acts.keep(func(Act) bool { return false })
		for sq := legal.A1; sq < legal.NoSquare; sq++ {
			b.e.Perform([]Act{{At: start, Verb: Sense, Square: sq}})
		}
		frames := b.wait(second)
		if len(frames) != 32 {
			t.Fatalf("%d updates for 32 pieces", len(frames))
		}
		for _, f := range frames {
			if f.at-start > period {
				t.Errorf("seen %d µs after it happened, the scan takes %d", f.at-start, period)
			}
		}
	}
}

func TestOnBusTheAddressedBoardAnswers(t *testing.T) {
	b := newBench(t, Options{})
	b.tell(dgt.SetUpdateNice) // the log holds changes only; the mode does not matter
	b.hands(func(h *script) { h.fly(legal.E2, legal.E4) })
	b.wait(second)
	own := dgt.Address(defaultSerial)
	ask := func(c dgt.BusCode, to dgt.Address) []dgt.BusReply {
		var d dgt.BusDecoder
		var replies []dgt.BusReply
		b.tell(dgt.BusCommand{Code: c, Address: to})
		b.e.Advance(b.e.Now()+3*second, func(_ int64, p []byte) {
			d.Feed(p)
			for r, ok := d.Next(); ok; r, ok = d.Next() {
				r.Data = bytes.Clone(r.Data)
				replies = append(replies, r)
			}
		})
		return replies
	}
	if r := ask(dgt.BusPing, own); len(r) != 0 {
		t.Errorf("the bus command that switches the mode was executed: %v", r)
	}
	for _, row := range []struct {
		code dgt.BusCode
		want []dgt.ReplyID
	}{
		{dgt.BusPing, []dgt.ReplyID{dgt.ReplyPing}},
		{dgt.BusClock, []dgt.ReplyID{dgt.ReplyClock}},
		{dgt.BusBoard, []dgt.ReplyID{dgt.ReplyBoard}},
		{dgt.BusVersion, []dgt.ReplyID{dgt.ReplyVersion}},
		{dgt.BusChanges, []dgt.ReplyID{dgt.ReplyChanges}},
		{dgt.BusRepeat, []dgt.ReplyID{dgt.ReplyChanges}},
		{dgt.BusMarkStart, []dgt.ReplyID{dgt.ReplyStartMarked}},
		{dgt.BusAll, []dgt.ReplyID{dgt.ReplyChangesEven, dgt.ReplyClock, dgt.ReplyBoard}},
		{dgt.BusSinceStart, []dgt.ReplyID{dgt.ReplySinceStart}},
		{dgt.BusSerial, []dgt.ReplyID{dgt.ReplySerial}},
		{dgt.BusTrademark, []dgt.ReplyID{dgt.ReplyTrademark}},
	} {
		got := ask(row.code, own)
		if len(got) != len(row.want) {
			t.Errorf("%s: %d answers, want %v", row.code, len(got), row.want)
			continue
		}
		for i, r := range got {
			if r.ID != row.want[i] || r.Address != own {
				t.Errorf("%s: %s from %d, want %s", row.code, r.ID, r.Address, row.want[i])
			}
		}
	}
	if r := ask(dgt.BusBoard, own+1); len(r) != 0 {
		t.Errorf("answers for another board: %v", r)
	}
	if r := ask(dgt.BusPing, 0); len(r) != 1 {
		t.Errorf("a broadcast ping brings %v", r)
	}
}

func TestTheLogTellsTheGame(t *testing.T) {
	b := newBench(t, Options{})
	b.hands(func(h *script) {
		h.Run(legal.White)
		h.Wait(second)
		h.fly(legal.E2, legal.E4)
		h.Wait(second)
		h.Press(legal.White)
	})
	b.wait(5 * second)
	records, skipped := dgt.ParseLog(b.e.board.memory.dump())
	if skipped != 0 {
		t.Errorf("%d bytes are no record", skipped)
	}
	var tail []dgt.LogKind
	for _, r := range records[len(records)-6:] {
		tail = append(tail, r.Kind)
	}
	want := [6]dgt.LogKind{dgt.LogStart, dgt.LogField, dgt.LogField, dgt.LogLeftTime, dgt.LogDownloaded, dgt.LogEnd}
	if [6]dgt.LogKind(tail) != want {
		t.Errorf("the log ends with %v, want %v", tail, want)
	}
}

func TestTheLogIsARing(t *testing.T) {
	b := newBench(t, Options{})
	m := &b.e.board.memory
	for i := range 10_000 {
		m.field(int64(i)*second, i%64, dgt.WhitePawn, dgt.Placement{})
	}
	if n := len(m.dump()); n > logSize || n < logSize-4 {
		t.Errorf("%d bytes, want nearly %d", n, logSize)
	}
}

// FuzzInput: after any input of a host the board still works, and answers a dump request with the actual pieces.
func FuzzInput(f *testing.F) {
	f.Add([]byte{0x4B, 0x42, 0x41}, int64(1000))
	f.Add([]byte{0x2B, 0x03, 0x03, 0x09, 0x00, 0x87, 0, 0, 7, 0x60, 0x7F}, int64(0))
	f.Add([]byte{0x49, 0x49, 0x85, 0x15, 0x1E, 0x38}, int64(300_000))
	f.Fuzz(func(t *testing.T, in []byte, gap int64) {
		if len(in) > 200 || gap < 0 || gap > 10*second {
			t.Skip()
		}
		b := newBench(t, Options{Line: LineOptions{Baud: Unpaced}}) // 200 logs would take half an hour
		b.hands(func(h *script) { h.clear() })
		for _, c := range in {
			b.e.Input(b.e.Now(), []byte{c})
			b.wait(gap)
		}
		b.wait(60 * second)
		b.tell(dgt.ToBusMode)
		b.wait(60 * second)
		b.d = dgt.Decoder{}
		for range 130 { // ends any incomplete command of variable length
			b.tell(dgt.Short(0))
		}
		b.tell(dgt.Reset, dgt.RequestBoard)
		frames := b.wait(30 * second)
		if len(frames) == 0 {
			t.Fatal("no answer")
		}
		last := frames[len(frames)-1]
		if board, ok := (dgt.Frame{ID: last.id, Data: last.data}).Board(); !ok || board != (dgt.Placement{}) {
			t.Errorf("the last answer is %s % x", last.id, last.data)
		}
	})
}
