package watch_test

import (
	"bytes"
	"strings"
	"testing"

	"boardwatchd/dgt"
)

// gapped returns a game in which three plies were played while the cable was out, and two after them.
func gapped(t *testing.T) (*desk, *deskBoard) {
	t.Helper()
	d := newDesk(t, aBoard("01001"))
	d.start()
	d.play(5*second, "e4", "e5", "Nf3")
	b := d.board
	d.down()
	d.pass(60 * second)
	b.unseen("Nf6", "Nc3", "Nc6")
	d.up(b)
	d.pass(2 * second) // too short a time to request the log
	d.play(5*second, "Bb5", "a6")
	return d, b
}

// untilAsked lets time pass until the log is requested. The test gives the board's answer.
func (d *desk) untilAsked() {
	d.t.Helper()
	d.board.log = nil
	for range 1000 {
		if bytes.IndexByte(d.asked, byte(dgt.RequestLog)) >= 0 {
			return
		}
		d.pass(100_000)
	}
	d.t.Fatal("the log is not asked for")
}

// wholeLog returns the log as the board sends it, of the greatest size.
func (b *deskBoard) wholeLog() []byte {
	data := append(bytes.Repeat([]byte{0x7F}, 0x1F00-1-len(b.memory)), b.memory...)
	return dgt.Log{Data: append(data, 0x6B)}.AppendTo(nil)
}

// slowly gives bytes at 9,600 baud. The board answers nothing meanwhile.
func (d *desk) slowly(p []byte) {
	d.board.mute = true
	for len(p) > 0 {
		n := min(96, len(p))
		d.give(p[:n])
		p = p[n:]
		d.pass(100_000)
	}
	d.board.mute = false
}

// TestABoardThatFallsSilentAtTheRequestForItsLog: the request is not repeated for ever, because each time the game is
// not watched for a while.
func TestABoardThatFallsSilentAtTheRequestForItsLog(t *testing.T) {
	d, b := gapped(t)
	b.log = func() []byte { b.mute = true; return nil }
	for range 40 {
		d.pass(20 * second)
		if d.m.Silent() {
			d.down()
			d.pass(second)
			b.mute = false
			d.up(b)
		}
	}
	if n := bytes.Count(d.asked, []byte{byte(dgt.RequestLog)}); n < 1 || n > 3 {
		t.Errorf("the log was asked for %d times", n)
	}
	d.play(5*second, "Ba4", "b5")
	if got := strings.Join(d.san(), " "); !strings.HasSuffix(got, "b5a4 b7b5") {
		t.Error(got)
	}
}

// TestAReadingOfTheLogEnds for every kind of answer: a board that is silent then is reported like any other, and the
// game continues.
func TestAReadingOfTheLogEnds(t *testing.T) {
	for name, c := range map[string]struct {
		give   func(d *desk, log []byte)
		filled int
	}{
		"whole":                   {func(d *desk, log []byte) { d.slowly(log) }, 1},
		"with a damaged byte":     {func(d *desk, log []byte) { log[4000] |= 0x80; d.slowly(log) }, 0},
		"cut short":               {func(d *desk, log []byte) { d.slowly(log[:4000]) }, 0},
		"twice, without a dump":   {func(d *desk, log []byte) { d.board.noDump = 20; d.slowly(log); d.slowly(log) }, 0},
		"and a second one is cut": {func(d *desk, log []byte) { d.board.noDump = 20; d.slowly(log); d.slowly(log[:4000]) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, b := gapped(t)
			d.untilAsked()
			c.give(d, b.wholeLog())
			if told := d.says("no_answer"); len(told) > 0 {
				t.Error(told)
			}
			d.pass(2 * second)
			if n := len(d.says("filled")); n != c.filled {
				t.Errorf("filled in %d times", n)
			}
			b.mute = true
			d.pass(40 * second)
			if !d.m.Silent() {
				t.Error("its silence is not told")
			}
			b.mute = false
			d.pass(40 * second)
			d.play(5*second, "Ba4", "b5")
			if got := strings.Join(d.san(), " "); !strings.HasSuffix(got, "b5a4 b7b5") || len(d.found()) > 0 {
				t.Error(got, d.found())
			}
		})
	}
}

// TestAnUnrequestedLogIsNoSilence (DGT protocol notes, quirk 15): a log without a request takes longer than a
// silence that counts.
func TestAnUnrequestedLogIsNoSilence(t *testing.T) {
	d := newDesk(t, aBoard("01001"))
	d.start()
	d.play(5*second, "e4", "e5")
	d.slowly(d.board.wholeLog())
	d.pass(3 * second)
	d.play(5*second, "Nf3", "Nc6")
	if told := append(d.says("no_answer"), d.says("filled")...); len(told) > 0 {
		t.Error(told)
	}
	if got := strings.Join(d.san(), " "); got != "e2e4 e7e5 g1f3 b8c6" {
		t.Error(got)
	}
}

// TestALogThatIsReadLateFillsAnEarlyGap: in blitz no player thinks for so long that the log is requested, before the
// clock is stopped at the end. The record up to the gap is still there then.
func TestALogThatIsReadLateFillsAnEarlyGap(t *testing.T) {
	d, b := gapped(t)
	moves := strings.Fields(`Bxc6 dxc6 d3 Bd6 h3 h6 a3 b5 b4 Be6 g3 g6 h4 h5 Bg5 Qe7 a4 bxa4 Nxa4 c5 bxc5 Bxc5 Nxc5 Qxc5
		Bxf6 Rg8 Bxe5 Qb6 d4 c5 d5 Bg4 d6 Bxf3 Qxf3 O-O-O c4 f6 Bxf6 Rdf8 e5 g5 hxg5 Rh8 g6 Kd7 Rd1 a5 g7 a4 Rh4 a3 gxh8=Q Rxh8 Bxh8 a2 g4 hxg4 Kf1 Qc6 Ke2 Qb6 Kf1 Qc6 Ke2 Qb6`)
	d.play(3*second, moves...)
	if bytes.IndexByte(d.asked, byte(dgt.RequestLog)) >= 0 {
		t.Fatal("the log was requested during the game")
	}
	d.untilAsked()
	shown := strings.Join(d.san(), " ")
	d.slowly(b.wholeLog())
	d.pass(2 * second)
	if got := strings.Join(d.san(), " "); got != shown {
		t.Errorf("plies that were filled in are moves: %s, before %s", got, shown)
	}
	if told := d.says("filled"); len(told) != 1 || !strings.HasSuffix(told[0], "2... Nf6 3. Nc3 3... Nc6") {
		t.Error(told)
	}
}
