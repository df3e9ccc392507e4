package watch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// liveRig returns a rig whose opening record has the given configuration.
func liveRig(config string) *rig {
	r := &rig{m: watch.New()}
	o := watch.Opening{Format: watch.Format, Source: watch.Live, Board: "1", Config: []byte(config)}
	r.step(0, record.Open, o.Body())
	r.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	return r
}

func (r *rig) count(kind, what string) (n int) {
	for _, v := range r.said {
		if v.Type == kind && (what == "" || v.What == what) {
			n++
		}
	}
	return n
}

func TestOnlyTheConfiguredBoardIsWatched(t *testing.T) {
	for _, c := range []struct {
		name, config string
		serial       uint16
		watched      bool
	}{
		{"its short number", `{"serial":"02718"}`, 2718, true},
		{"its number without zeros", `{"serial":"2718"}`, 2718, true},
		{"its long number", `{"serial":"0000002718"}`, 2718, true},
		{"another board", `{"serial":"01025"}`, 2718, false},
		{"any board", `{}`, 2718, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := players.New(players.Options{Seed: 1, Count: 1, Board: emulator.BoardOptions{Serial: c.serial}})
			if err != nil {
				t.Fatal(err)
			}
			r := liveRig(c.config)
			emulator.Run(e.Emulator, r.host, 12_000_000, 1<<50)
			truth := e.Truth()
			if got := r.count("move", "") == truth.Moves(); got != c.watched {
				t.Errorf("%d of %d moves recorded", r.count("move", ""), truth.Moves())
			}
			if told := r.count("health", "wrong_board") > 0; told == c.watched {
				t.Errorf("wrong board told: %v", told)
			}
		})
	}
}

// While the board at the port has not sent the configured number, its squares are not those of the game: two cables
// that were swapped put a neighbour's board there, and a piece that is lifted on it is lifted in no game of this board.
func TestSquaresOfAnotherBoardAreNotTaken(t *testing.T) {
	number := func(n string) []byte { return dgt.Serial{Digits: [5]byte([]byte(n))}.AppendTo(nil) }
	r := liveRig(`{"serial":"02718"}`)
	r.host(1_000_000, number("02718"))
	for at := int64(1_200_000); at < 3_000_000; at += 500_000 {
		r.host(at, arrayDump)
	}
	before := r.m.Tracker().Live()
	if r.count("game", "") != 1 {
		t.Fatalf("no game begins: %+v", r.said)
	}
	r.link(4_000_000, false)
	r.link(5_000_000, true)
	r.host(6_000_000, number("01025"))
	said := len(r.said)
	r.host(7_000_000, []byte{0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1}) // e2 e4 of the neighbour
	if r.m.Tracker().Live() != before || len(r.said) != said {
		t.Errorf("squares of another board are taken: %+v", r.said[said:])
	}
}

// arrayDump is the dump of a board on which a game begins.
var arrayDump = slices.Concat(
	[]byte{0x86, 0, 67, 8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7}, make([]byte, 32),
	[]byte{1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2},
)

// A line that was silent until the configured number was missed may be another board's when it answers again: what
// answers is named, and nothing of it is watched. The configured board is watched again, and its number is shown.
func TestABoardThatAnswersAfterASilenceIsIdentified(t *testing.T) {
	conf := config.Default()
	board := config.NewBoard("1", "")
	board.Serial = "03021"
	serial := func(number string) []byte { return dgt.Serial{Digits: [5]byte([]byte(number))}.AppendTo(nil) }
	for _, c := range []struct {
		name    string
		answers []string
		says    string
		link    string
	}{
		{"another board", []string{"09999"}, "not_identified wrong_board", "wrong_board"},
		{"a third one afterwards", []string{"09999", "01111"}, "not_identified wrong_board wrong_board", "wrong_board"},
		{"the same twice", []string{"09999", "09999"}, "not_identified wrong_board", "wrong_board"},
		{"the configured one", []string{"03021"}, "not_identified answering", "up"},
		{"the configured one after another", []string{"09999", "03021"}, "not_identified wrong_board answering", "up"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := liveRig(string(conf.Core(board).Canonical()))
			at := int64(0)
			for r.count("health", "not_identified") == 0 {
				d, ok := r.m.Deadline()
				if !ok || d > 60_000_000 {
					t.Fatal("nobody says that no number came")
				}
				at = d
				r.step(at, record.Wake, nil)
			}
			for _, number := range c.answers {
				at += 1_000_000
				r.host(at, serial(number))
			}
			var said []string
			for _, v := range r.said {
				switch v.What {
				case "not_identified", "wrong_board", "answering", "no_answer":
					said = append(said, v.What)
				}
			}
			if got := strings.Join(said, " "); got != c.says {
				t.Errorf("said %q, want %q", got, c.says)
			}
			if v := r.m.View(); v.Link != c.link || c.link == "up" && v.Serial != board.Serial {
				t.Errorf("shown %q with number %q, want %q", v.Link, v.Serial, c.link)
			}
		})
	}
}

// The same in a game whose board falls silent, so that the port is opened again.
func TestABoardThatAnswersAfterTheReopenedPortIsIdentified(t *testing.T) {
	board := config.NewBoard("1", "")
	board.Serial = "03021"
	conf := config.Default()
	r := liveRig(string(conf.Core(board).Canonical()))
	serial := func(number string) []byte { return dgt.Serial{Digits: [5]byte([]byte(number))}.AppendTo(nil) }
	at := int64(1_000_000)
	r.host(at, serial("03021"))
	wait := func(what string) {
		for r.count("health", what) == 0 {
			d, ok := r.m.Deadline()
			if !ok || d > at+60_000_000 {
				t.Fatalf("nothing says %s", what)
			}
			at = d
			r.step(at, record.Wake, nil)
		}
	}
	wait("no_answer")
	r.step(at, record.Down, watch.Annotation{Cause: "silent"}.Body())
	r.step(at, record.Up, watch.Annotation{Device: "emulated"}.Body())
	wait("not_identified")
	r.host(at+1_000_000, serial("09999"))
	if n := r.count("health", "answering"); n != 0 || r.m.View().Link != "wrong_board" {
		t.Errorf("after another number: the board answers is said %d times, and it is shown %q", n, r.m.View().Link)
	}
	r.host(at+2_000_000, serial("03021"))
	if n := r.count("health", "answering"); n != 1 || r.m.View().Link != "up" {
		t.Errorf("after its own: the board answers is said %d times, and it is shown %q", n, r.m.View().Link)
	}
}

// sent returns the bytes that were sent, with their times.
func (r *rig) sent() (tx string) {
	for _, l := range r.lines {
		if s, ok := strings.CutPrefix(l, "tx "); ok {
			tx += s
		}
	}
	return tx
}

func TestTheDumpIsAskedForWithin600MillisecondsOfTheOpening(t *testing.T) {
	r := newRig(watch.Live)
	at := int64(0)
	for !strings.Contains(r.sent(), "B") {
		d, ok := r.m.Deadline()
		if !ok {
			t.Fatal("nothing is asked")
		}
		at = d
		r.step(at, record.Wake, nil)
	}
	if at > 600_000 {
		t.Errorf("the dump is asked for after %d µs", at)
	}
	if got := r.sent(); got != "KB" {
		t.Errorf("sent %q, want the update mode and then the dump", got)
	}
}

// If time runs faster than real time, a message may stall for as much longer; with the usual settings for half a
// second.
func TestAMessageThatStandsStillIsGivenUpAsSoonAsTheTimeOfTheBoardSays(t *testing.T) {
	const usual = 500_000 + 4*16_000
	for _, c := range []struct {
		name  string
		speed int64
		pause int64
		whole bool
	}{
		{"life, a short pause", 1, usual - 1, true},
		{"life, a long one", 1, usual, false},
		{"three times as fast, a short pause of the computer", 3, 3*usual - 1, true},
		{"three times as fast, a long one", 3, 3 * usual, false},
		{"twenty times as fast, a short pause", 20, 20*usual - 1, true},
		{"a link that is told to be silent soon, a short pause", 0, usual - 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conf := config.Default()
			conf.Timing.Latency *= time.Duration(max(c.speed, 1))
			conf.Timing.Silence *= time.Duration(max(c.speed, 1))
			if c.speed == 0 {
				conf.Timing.Probe, conf.Timing.Silence = time.Second, 2*time.Second
			}
			r := liveRig(string(conf.Core(config.NewBoard("1", "")).Canonical()))
			answer := dgt.Serial{Digits: [5]byte([]byte("02718"))}.AppendTo(nil)
			const at = 2_000_000
			r.host(at, answer[:4])
			r.host(at+c.pause, answer[4:])
			if whole := r.count("health", "board_identified") == 1; whole != c.whole {
				t.Errorf("whole: %v", whole)
			}
		})
	}
}

func TestACaptureIsNeverTalkedTo(t *testing.T) {
	r := newRig(watch.Capture)
	_, err := players.Record(players.Options{Seed: 2, Count: 1}, func(at int64, dir byte, p []byte) {
		if dir == emulator.FromBoard {
			r.step(at, record.Rx, p)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if tx := r.sent(); tx != "" {
		t.Errorf("sent %q", tx)
	}
	if r.count("move", "") == 0 {
		t.Error("no moves")
	}
}

func TestASilentBoardIsProbedAndReported(t *testing.T) {
	r := newRig(watch.Live)
	for at := int64(0); at <= 9_000_000; at += 50_000 {
		r.host(at, nil)
	}
	if r.count("health", "no_answer") != 1 {
		t.Errorf("no answer told %d times, want once", r.count("health", "no_answer"))
	}
	if tx := r.sent(); !strings.Contains(tx, "E") {
		t.Errorf("never probed: %q", tx)
	}
}

// TestASilentRunningClockIsReported: the board answers, and the clock's cable is out or its battery is empty without a
// word of it. A clock that stands has nothing to say.
func TestASilentRunningClockIsReported(t *testing.T) {
	for _, c := range []struct {
		name    string
		running bool
		heard   int64 // again; 0: never
		want    int
	}{
		{"running", true, 0, 1}, {"standing", false, 0, 0}, {"heard again and silent again", true, 80 * second, 2}, {"heard in time", true, 25 * second, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(watch.Live)
			face := clockproto.Face{Seconds: 300}
			clock := dgt.ClockData(clockproto.Reading{Left: face, Right: face, Running: c.running, Up: clockproto.Left}.Encode()).AppendTo(nil)
			answer := dgt.Serial{Digits: [5]byte([]byte("02718"))}.AppendTo(nil)
			r.host(1*second, clock)
			for at := 2 * int64(second); at < 150*second; at += second {
				r.host(at, answer)
				if at == c.heard {
					r.host(at, clock)
				}
			}
			if n := r.count("health", "clock_missing"); n != c.want {
				t.Errorf("told %d times, not %d", n, c.want)
			}
		})
	}
}

// A program that stood still for half a minute was not waiting for the board in that time: the board is not silent, and
// deadlines that only the program missed have not passed. Messages of the board in that time count, and if there are
// none its silence begins now.
func TestAStandstillOfTheProgramIsNoSilenceOfTheBoard(t *testing.T) {
	for _, c := range []struct {
		name string
		sent []byte // while the program stood still
	}{
		{"nothing waited", nil},
		{"bytes waited", dgt.Serial{Digits: [5]byte([]byte("02718"))}.AppendTo(nil)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(watch.Live)
			r.host(1_000_000, dgt.Serial{Digits: [5]byte([]byte("02718"))}.AppendTo(nil))
			const since, until = 1_500_000, 31_500_000
			r.host(since, nil)
			r.step(until, record.Late, watch.Late(since))
			if len(c.sent) > 0 {
				r.step(until, record.Rx, c.sent)
			}
			at := int64(until)
			for r.host(at, nil); at < until+5_000_000; r.host(at, nil) {
				at, _ = r.m.Deadline()
			}
			if r.count("health", "no_answer") != 0 || r.m.Silent() {
				t.Errorf("silence is told at once: %+v", r.said)
			}
			for ; at < until+7_000_000; r.host(at, nil) {
				at, _ = r.m.Deadline()
			}
			if r.count("health", "no_answer") != 1 {
				t.Errorf("silence after the standstill is not told: %+v", r.said)
			}
			if r.count("health", "late") != 1 {
				t.Errorf("the standstill is not told: %+v", r.said)
			}
		})
	}
}

// A standstill of a second is long enough for a move: from there on it is reported, and a dump is requested after the
// bytes that waited.
func TestAStandstillOfASecondIsReported(t *testing.T) {
	for _, c := range []struct {
		lost     int64
		reported int
	}{{900_000, 0}, {1_000_000, 1}, {3_000_000, 1}} {
		r := newRig(watch.Live)
		at := int64(1_000_000)
		for ; at < 4_000_000; at += 500_000 {
			r.host(at, arrayDump)
		}
		r.host(at, nil)
		sent := strings.Count(r.sent(), "B")
		r.step(at+c.lost, record.Late, watch.Late(at))
		r.step(at+c.lost, record.Rx, dgt.Serial{Digits: [5]byte([]byte("02718"))}.AppendTo(nil))
		r.host(at+c.lost+200_000, nil)
		if got := r.count("health", "late"); got != c.reported {
			t.Errorf("%d µs: reported %d times, want %d: %+v", c.lost, got, c.reported, r.said)
		}
		if got := strings.Count(r.sent(), "B") - sent; got != c.reported {
			t.Errorf("%d µs: a dump is requested %d times after it, want %d: %q", c.lost, got, c.reported, r.sent())
		}
	}
}

// Bytes that belong to no message may have been a report: the squares are not trusted before a dump, which is requested
// at once and not by the next press only.
func TestGarbageIsFollowedByADump(t *testing.T) {
	r := newRig(watch.Live)
	at := int64(1_000_000)
	for ; at < 4_000_000; at += 500_000 {
		r.host(at, arrayDump)
	}
	sent := strings.Count(r.sent(), "B")
	r.host(at, []byte{0x11, 0x22, 0x33})
	r.host(at+200_000, nil)
	if got := strings.Count(r.sent(), "B") - sent; got != 1 || r.count("health", "noise") != 1 {
		t.Errorf("%d dumps are requested, and garbage is reported: %+v", got, r.said)
	}
}

// TestABoardThatStaysSilentIsResetOnceThenNamed: after the first silence the board is probed less and less often, reset
// once, and then the remedy is reported.
func TestABoardThatStaysSilentIsResetOnceThenNamed(t *testing.T) {
	const day = 86_400 * second
	r := newRig(watch.Live)
	asked := 0
	for at, ok := r.m.Deadline(); ok && at < day; at, ok = r.m.Deadline() {
		asked += len(r.step(at, record.Wake, nil))
	}
	if n := strings.Count(r.sent(), string(rune(dgt.Reset))); n != 1 {
		t.Errorf("%d resets", n)
	}
	if n := r.count("health", "no_answer"); n != 2 || !strings.Contains(r.said[len(r.said)-1].Detail, "Pull the plug") {
		t.Errorf("told %d times: %+v", n, r.said)
	}
	if asked > 12_000 {
		t.Errorf("%d questions in a day", asked)
	}
	at := int64(day)
	r.step(at, record.Rx, shown(t, ""))
	if n := r.count("health", "answering"); n != 1 {
		t.Errorf("answering is told %d times", n)
	}
	r.step(at+second, record.Rx, shown(t, ""))
	if d, ok := r.m.Deadline(); !ok || d > at+10*second {
		t.Errorf("the next question is at %d", d-at)
	}
}
