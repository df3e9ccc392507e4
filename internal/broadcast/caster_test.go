package broadcast

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/said"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// told is what a Caster or a Pusher has told last, by its identity.
type told struct {
	mu    sync.Mutex
	now   map[string]string
	times map[string]int // that a text was told which was not told before
}

func (d *told) tell(id string, say, _ words.Sentence) {
	text := page.English(say)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now == nil {
		d.now, d.times = map[string]string{}, map[string]int{}
	}
	if text != "" && d.now[id] != text {
		d.times[id]++
	}
	d.now[id] = text
}

func (d *told) of(id string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now[id]
}

// A hall is a Caster with its file, in a bubble of synctest.
type hall struct {
	*Caster
	told
	file string
}

func newHall(t *testing.T, more func(*Options)) *hall {
	h := &hall{file: filepath.Join(t.TempDir(), "round.pgn")}
	began := time.Now()
	o := Options{Delay: delay * time.Microsecond, Name: name, File: h.file, Notify: h.tell, Now: func() time.Duration { return time.Since(began) }}
	if more != nil {
		more(&o)
	}
	h.Caster = New(o)
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { h.Run(ctx) })
	t.Cleanup(func() { cancel(); ended.Wait() })
	return h
}

// text is what the file and the address have, which must be the same.
func (h *hall) text(t *testing.T) string {
	t.Helper()
	synctest.Wait()
	file, err := os.ReadFile(h.file)
	if err != nil {
		t.Fatal(err)
	}
	now, ok := h.Text()
	if !ok || string(now.Body) != string(file) {
		t.Fatalf("the file has\n%s\nand the address has (%v)\n%s", file, ok, now.Body)
	}
	return string(file)
}

// read gives a board everything that a script has.
func (h *hall) read(b *Board, s *script) {
	for _, r := range s.all {
		b.Recovered(r)
	}
	b.Ready()
}

// live tells a board the script's next object.
func (s *script) live(b *Board, o any) {
	before := len(s.all)
	b.Seen(s.at)
	s.say(o)
	for _, r := range s.all[before:] {
		b.Said(r.Body)
	}
}

func TestTheFileFollowsTheBoardAfterTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		s := newScript(t)
		s.game(array)
		b := h.Add("12", "12-r4", 1)
		h.read(b, s)
		time.Sleep(3 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != "" {
			t.Errorf("before anything is due: %s", got)
		}
		for ply := 1; ply <= 20; ply++ {
			time.Sleep(time.Minute)
			s.at += minute
			s.live(b, s.moveOf(ply))
			want := ""
			if ply >= 15 {
				want = san(ply-15, "*")
			}
			if got := movesOf([]string{h.text(t)}); got != want {
				t.Errorf("ply %d is played, shown is %q, want %q", ply, got, want)
			}
		}
		time.Sleep(delay*time.Microsecond + 2*time.Second) // the board says nothing more: the time goes on all the same
		if got := movesOf([]string{h.text(t)}); got != san(20, "*") {
			t.Errorf("in the end: %s", got)
		}
		if entries, err := os.ReadDir(filepath.Dir(h.file)); err != nil || len(entries) != 1 {
			t.Errorf("beside the file stands %v (%v)", entries, err)
		}
	})
}

// The board of another computer of a hall: its records come in one piece when the network is back, with their own
// times.
func TestRecordsThatComeLateAreDueByTheirOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		s := newScript(t)
		s.game(array)
		b := h.Add("12", "12-r4", 1)
		h.read(b, s)
		time.Sleep(40 * time.Minute)
		for ply := range 20 {
			s.at = int64(ply+1) * minute
			s.live(b, s.moveOf(ply+1))
		}
		b.Seen(30 * minute)
		time.Sleep(2 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != san(20, "*") { // 40 minutes have passed here, and so they have there
			t.Errorf("shown: %s", got)
		}
	})
	synctest.Test(t, func(t *testing.T) { // a hall that was started just now, and gets all that was played while it was away
		h := newHall(t, nil)
		s := newScript(t)
		s.game(array)
		b := h.Add("12", "12-r4", 1)
		h.read(b, s)
		time.Sleep(5 * time.Second)
		for ply := range 20 {
			s.at = int64(ply+1) * minute
			s.live(b, s.moveOf(ply+1))
		}
		time.Sleep(2 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != san(5, "*") {
			t.Errorf("shown: %s", got)
		}
		b.Seen(60 * minute)
		time.Sleep(2 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != san(20, "*") {
			t.Errorf("shown: %s", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		s := newScript(t)
		s.game(array)
		s.play(1, 20)
		h.read(h.Add("12", "12-r4", 1), s) // a hall that was started just now: 20 minutes have passed at least
		time.Sleep(2 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != san(5, "*") {
			t.Errorf("shown: %s", got)
		}
	})
}

// A journal that is read again, because another computer was started again after an absence of unknown length, hides
// nothing that the public has seen.
func TestWhatWasShownStaysShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		s := newScript(t)
		s.game(array)
		s.play(1, 10)
		b := h.Add("12", "12-r4", 1)
		h.read(b, s)
		b.Renamed("12-r4--2")                      // its files have another name by now
		time.Sleep(11*time.Minute + 2*time.Second) // 21 minutes: six plies are due
		if got := movesOf([]string{h.text(t)}); got != san(6, "*") {
			t.Fatalf("shown: %s", got)
		}
		s.restart("another run", second, minute)
		b = h.Add("12", "12-r4--2", 1)
		for _, r := range s.all {
			b.Recovered(r)
			if got := movesOf([]string{h.text(t)}); got != san(6, "*") {
				t.Fatalf("while it is read: %s", got)
			}
		}
		b.Ready()
		time.Sleep(2 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != san(6, "*") {
			t.Errorf("when it is read again: %s", got)
		}
		time.Sleep(delay * time.Microsecond)
		if got := movesOf([]string{h.text(t)}); got != san(10, "*") {
			t.Errorf("in the end: %s", got)
		}
		h.read(h.Add("12", "12-r5", 1), newScript(t)) // the next round has nothing of this one
		time.Sleep(2 * time.Second)
		if got := h.text(t); got != "" {
			t.Errorf("the next round begins with %s", got)
		}
	})
}

func TestOneGameWithTroubleStopsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, func(o *Options) { o.Delay = time.Minute })
		scripts := map[string]*script{}
		boards := map[string]*Board{}
		for n := 1; n <= 100; n++ {
			name := fmt.Sprint(n)
			s := newScript(t)
			scripts[name] = s
			if n == 37 {
				s.game("8/8/8/8/8/8/8/8 w - - 0 1") // no game can stand there
				s.say(map[string]any{"type": "game", "game": 1, "fen": "kK6/8/8/8/8/8/8/8 w - - 0 1"})
			} else {
				s.game(array)
			}
			boards[name] = h.Add(name, name+"-r4", 1)
			h.read(boards[name], s)
		}
		boards["37"].Said([]byte("{garbage"))
		for ply := 1; ply <= 4; ply++ {
			for name, s := range scripts {
				s.at = int64(ply) * 10 * second
				m := s.moveOf(ply)
				m.Board = name
				s.live(boards[name], m)
			}
			time.Sleep(10 * time.Second)
		}
		time.Sleep(2 * time.Minute)
		games := strings.SplitAfter(h.text(t), " *\n\n")
		if len(games) != 100 || games[99] != "" {
			t.Fatalf("%d games", len(games)-1)
		}
		for i, g := range games[:99] {
			if got := movesOf([]string{g}); got != san(4, "*") {
				t.Errorf("game %d: %s", i, got)
			}
		}
		if now, _ := h.Text(); now.Games != 99 || now.Plies != 99*4 || now.Trouble != 1 {
			t.Errorf("%d games, %d plies, trouble at %d boards", now.Games, now.Plies, now.Trouble)
		}
		if got := h.of("broadcast-games"); !strings.Contains(got, "37") {
			t.Errorf("told: %q", got)
		}
	})
}

func TestAFailedWriteIsReportedAndRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, func(o *Options) { o.Delay, o.File = 0, filepath.Join(filepath.Dir(o.File), "later", "round.pgn") })
		s := newScript(t)
		s.game(array)
		b := h.Add("12", "12-r4", 1)
		h.read(b, s)
		time.Sleep(10 * time.Second)
		if got := h.of("broadcast-file"); !strings.Contains(got, "it is not there") {
			t.Errorf("told: %q", got)
		}
		s.at = 10 * second
		s.live(b, s.moveOf(1))
		time.Sleep(10 * time.Second)
		if err := os.Mkdir(filepath.Join(filepath.Dir(h.file), "later"), 0o755); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		h.file = filepath.Join(filepath.Dir(h.file), "later", "round.pgn")
		if got := movesOf([]string{h.text(t)}); got != san(1, "*") || h.of("broadcast-file") != "" {
			t.Errorf("then: %s, told %q", got, h.of("broadcast-file"))
		}
		if written, failed := h.Files(); written < 1 || failed < 2 {
			t.Errorf("written %d times, failed %d times", written, failed)
		}
	})
}

// The file of the program that was killed stays until the journals are read.
func TestTheOldFileStaysUntilAllIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		if err := os.WriteFile(h.file, []byte("what stood there"), 0o644); err != nil {
			t.Fatal(err)
		}
		h.Expect("1")
		h.Expect("2")
		time.Sleep(5 * time.Second)
		h.read(h.Add("1", "1-r4", 1), newScript(t))
		time.Sleep(5 * time.Second)
		if b, err := os.ReadFile(h.file); string(b) != "what stood there" {
			t.Errorf("the file has %q (%v)", b, err)
		}
		if _, ok := h.Text(); ok {
			t.Error("the address has a text already")
		}
		s := newScript(t)
		s.game(array)
		s.play(1, 20)
		h.read(h.Add("2", "2-r4", 1), s)
		time.Sleep(2 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != san(5, "*") {
			t.Errorf("then it has %s", got)
		}
	})
}

func TestAResultAtOnceIsWrittenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, func(o *Options) { o.ResultAtOnce = true })
		s := newScript(t)
		s.game(array)
		b := h.Add("12", "12-r4", 1)
		h.read(b, s)
		time.Sleep(time.Minute)
		s.at += minute
		s.live(b, s.moveOf(1))
		time.Sleep(5 * time.Second)
		s.live(b, said.Result{Head: s.head("result"), Result: "1/2-1/2", By: "arbiter", State: "proposed"})
		time.Sleep(2 * time.Second)
		if got := movesOf([]string{h.text(t)}); got != "1/2-1/2" {
			t.Errorf("shown: %s", got)
		}
	})
}

func TestModifiedGoesOnWhereTheWallClockGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hours atomic.Int64 // by which the wall clock was set back
		day := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
		h := newHall(t, func(o *Options) {
			o.Delay, o.Wall = 0, func() time.Time { return day.Add(-time.Duration(hours.Load()) * time.Hour) }
		})
		s := newScript(t)
		s.game(array)
		b := h.Add("12", "12-r4", 1)
		h.read(b, s)
		var last Text
		for ply := 1; ply <= 4; ply++ {
			time.Sleep(10 * time.Second)
			s.at += 10 * second
			s.live(b, s.moveOf(ply))
			hours.Add(1)
			time.Sleep(2 * time.Second)
			h.text(t)
			now, _ := h.Text()
			if !now.Modified.After(last.Modified) || now.ETag == last.ETag {
				t.Errorf("ply %d: modified %v after %v, %s after %s", ply, now.Modified, last.Modified, now.ETag, last.ETag)
			}
			last = now
		}
	})
}

func TestBoardsStandInTheOrderOfTheirNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		for _, name := range []string{"10", "b2", "2", "1", "b10", "b", "007", "7"} {
			h.Add(name, name, 1)
		}
		var got []string
		for _, b := range h.boards {
			got = append(got, b.name)
		}
		if s := strings.Join(got, " "); s != "1 2 007 7 10 b b2 b10" {
			t.Error(s)
		}
	})
}
