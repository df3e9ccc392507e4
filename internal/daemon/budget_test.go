package daemon

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
	"boardwatchd/internal/retention"
	"boardwatchd/rules/words"
)

// bare is a daemon without a page that watches nothing.
func bare(t *testing.T) *Daemon {
	t.Helper()
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	return Open(Options{Config: conf, Dir: t.TempDir(), Log: zerolog.Nop(), Getenv: func(string) string { return "" }})
}

// notices are the texts of what the page says of the program.
func notices(d *Daemon) string {
	var all []string
	for _, n := range d.frontend.notices() {
		all = append(all, n.Text)
	}
	return strings.Join(all, "\n")
}

// Boards share what is kept in memory while the disk takes nothing.
func TestBacklog(t *testing.T) {
	d := bare(t)
	for boards, want := range map[int64]int{0: 4 << 20, 1: 4 << 20, 6: 4 << 20, 8: 3328 << 10, 16: 1664 << 10, 64: 416 << 10, 500: 256 << 10} {
		d.used.boards.Store(boards)
		if got := d.backlog(); got != want {
			t.Errorf("each of %d boards may keep %d bytes, want %d", boards, got, want)
		}
	}
}

func found(path, serial string) link.Found {
	return link.Found{Device: link.Device{Path: path}, Identity: link.Identity{Serial: serial}}
}

func TestFoundBoardsWithOneNumberAreNotWatched(t *testing.T) {
	d := bare(t)
	list := d.serials.unique([]link.Found{found("/dev/a", "1"), found("/dev/b", "2"), found("/dev/c", "1")})
	if len(list) != 1 || list[0].Path != "/dev/b" {
		t.Errorf("watched: %+v", list)
	}
	if text := notices(d); !strings.Contains(text, "serial number, 1: /dev/a, /dev/c.") {
		t.Errorf("notices: %s", text)
	}
	if list = d.serials.unique([]link.Found{found("/dev/c", "1")}); len(list) != 1 || notices(d) != "" {
		t.Errorf("when one is left: watched %+v, notices %s", list, notices(d))
	}
}

func TestTwentyBoardsWithOneNumberAreOneNotice(t *testing.T) {
	d := bare(t)
	var all []link.Found
	for i := range 20 {
		all = append(all, found(fmt.Sprintf("/dev/ttyUSB%d", i), "1"))
	}
	for range 3 {
		if list := d.serials.unique(all); len(list) != 0 {
			t.Errorf("watched: %+v", list)
		}
	}
	text := notices(d)
	for _, b := range all {
		if !strings.Contains(text, b.Path) {
			t.Errorf("%s is not named: %s", b.Path, text)
		}
	}
	if strings.Count(text, "serial number, 1") != 1 || !strings.Contains(text, "is not watched") {
		t.Errorf("notices: %s", text)
	}
}

func TestWatchedBoardsWithOneNumberAreReported(t *testing.T) {
	d := bare(t)
	for _, step := range []struct {
		board, serial string
		connected     bool
		told          string // "": nothing
	}{
		{"1", "12345", true, ""},
		{"2", "777", true, ""},
		{"3", "12345", true, "12345: 1, 3."},
		{"2", "12345", true, "12345: 1, 2, 3."},
		{"3", "12345", false, "12345: 1, 2."},
		{"2", "", true, ""},
		{"2", "12345", true, "12345: 1, 2."},
		{"1", "4", true, ""},
	} {
		d.serials.noteSerial(step.board, step.serial, step.connected)
		if text := notices(d); step.told == "" && text != "" || !strings.Contains(text, step.told) {
			t.Errorf("after %+v: %q", step, text)
		}
	}
}

func TestFewDescriptorsAreReported(t *testing.T) {
	for _, c := range []struct{ used, limit, told, want int }{
		{40, 1024, 0, 0}, {991, 1024, 0, 0}, {992, 1024, 0, 1}, {1022, 1024, 0, 2}, {1024, 1024, 1, 2},
		{1000, 1024, 2, 1}, {1010, 1024, 2, 2}, {970, 1024, 1, 1}, {950, 1024, 1, 0},
		{20, 40, 0, 0}, {30, 40, 0, 1}, {38, 40, 0, 2}, {60, 40, 0, 2},
	} {
		if got := descriptorLevel(c.used, c.limit, c.told); got != c.want {
			t.Errorf("%d of %d used, told %d: %d, want %d", c.used, c.limit, c.told, got, c.want)
		}
	}
}

func TestDescriptorsAreCounted(t *testing.T) {
	c, err := openDescriptors()
	if err != nil {
		t.Skip(err)
	}
	defer c.list.Close()
	before, limit, err := c.count()
	if err != nil || before < 3 || limit < before {
		t.Fatalf("%d of %d, %v", before, limit, err)
	}
	for range 10 {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
	if now, _, err := c.count(); err != nil || now < before+10 {
		t.Errorf("%d, then %d with ten more, %v", before, now, err)
	}
}

func TestANoticeIsLoggedOnceAndEnds(t *testing.T) {
	var log strings.Builder
	d := bare(t)
	d.opt.Log = zerolog.New(&log)
	for range 3 {
		d.frontend.setNotice("x", words.Verbatim("It is so."), words.Verbatim("Mend it."))
	}
	d.frontend.endNotice("y")
	if n := strings.Count(log.String(), "It is so."); n != 1 || !strings.Contains(notices(d), "It is so.") {
		t.Errorf("told %d times; notices %s", n, notices(d))
	}
	d.frontend.endNotice("x")
	d.frontend.endNotice("x")
	if notices(d) != "" || strings.Count(log.String(), "this is over") != 1 {
		t.Errorf("notices %s, log %s", notices(d), log.String())
	}
}

func TestAFillingDiskIsReportedBeforeItIsFull(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		free       int64
		told, want int
	}{
		{4096 * mb, 0, 0}, {1024 * mb, 0, 0}, {1023 * mb, 0, 1}, {1100 * mb, 1, 1}, {1300 * mb, 1, 0},
		{127 * mb, 0, 2}, {127 * mb, 1, 2}, {200 * mb, 2, 2}, {300 * mb, 2, 1}, {9000 * mb, 2, 0}, {0, 0, 2},
	} {
		if got := diskLevel(c.free, 1<<30, c.told); got != c.want {
			t.Errorf("%d MB free, told %d: %d, want %d", c.free/mb, c.told, got, c.want)
		}
	}
	d := bare(t)
	d.frontend.diskIs(2, "/d", diskUse{free: 5 << 20, journals: 7 << 20})
	if text := notices(d); !strings.Contains(text, "5 MB are free, the journals take 7 MB (/d)") {
		t.Errorf("notices: %s", text)
	}
	var log strings.Builder
	d.opt.Log = zerolog.New(&log)
	d.frontend.diskIs(2, "/d", diskUse{free: 0, journals: 7 << 20})
	if text := notices(d); !strings.Contains(text, "nearly full: 0 MB are free") || log.Len() > 0 {
		t.Errorf("another number is the same notice: %s, log %s", text, log.String())
	}
	d.frontend.diskIs(1, "/d", diskUse{free: 900 << 20, journals: 7 << 20})
	if text := notices(d); !strings.Contains(text, "900 MB") || strings.Count(text, "MB are free") != 1 || log.Len() == 0 {
		t.Errorf("another level is another notice: %s, log %s", text, log.String())
	}
	d.frontend.diskIs(0, "/d", diskUse{})
	if text := notices(d); text != "" {
		t.Errorf("notices: %s", text)
	}
	if u := measureDisk(d.opt.Dir); !u.known || u.free < 0 {
		t.Errorf("%+v", u)
	}
}

func TestRemovalsOfJournalsAreReported(t *testing.T) {
	d := bare(t)
	told := func(o retention.Outcome, err error, want ...string) {
		t.Helper()
		d.frontend.retention(o, err, "/d")
		text := notices(d)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is not told: %s", w, text)
			}
		}
		if len(want) == 0 && text != "" {
			t.Errorf("told is %s", text)
		}
	}
	one := retention.Journal{Name: "b1-r1", Bytes: 1 << 20, Written: time.Now(), Why: retention.Room}
	told(retention.Outcome{}, nil)
	told(retention.Outcome{Due: []retention.Due{{Journal: one}}, Left: 3, Over: true}, nil, "that will be removed to make room", "b1-r1")
	told(retention.Outcome{Over: true, Undecided: 2, Unread: 1}, nil) // why none may go is known when all are read
	told(retention.Outcome{Over: true, Undecided: 2, Unknown: 1}, nil, "none may be removed: 2 have findings that nobody has decided, 1 are damaged")
	told(retention.Outcome{}, errors.New("no room for the list"), "Journals that are to make room cannot be removed: no room for the list.")
	told(retention.Outcome{}, nil)
	told(retention.Outcome{Removed: []retention.Removed{{Journal: one}}}, nil, "Journals removed to make room, as announced: 1 (b1-r1).")
	told(retention.Outcome{}, nil, "Journals removed") // until the end
}

func TestJournalsOfTheRoundAreKnown(t *testing.T) {
	d := bare(t)
	for _, c := range []struct {
		round, name string
		want        bool
	}{
		{"", "b1-r1", false}, {"1", "b1-r1", true}, {"1", "b1-r1--2", true}, {"1", "b1-r10", false}, {"1", "b1-r2", false}, {"1", "b1-20261123-101010", false},
		{"open 3.1", "7-ropen_3_1", true}, {"1", "-r1", false},
	} {
		d.opt.Config.Round = c.round
		if got := d.isCurrent(c.name); got != c.want {
			t.Errorf("round %q, journal %s: %v", c.round, c.name, got)
		}
	}
}

func TestTheSameLineDoesNotFillTheLog(t *testing.T) {
	var out strings.Builder
	now := time.Unix(1000, 0)
	var leftOut atomic.Int64
	log := zerolog.New(&out).Hook(&logLimit{perMinute: 10, leftOut: &leftOut, now: func() time.Time { return now }, seen: map[string]*logged{}})
	for i := range 36_000 { // an hour, ten a second
		now = now.Add(100 * time.Millisecond)
		log.Warn().Int("n", i).Msg("board lost")
		log.Debug().Msg("detail")
	}
	log.Warn().Msg("something else")
	text := out.String()
	if n := strings.Count(text, "board lost"); n < 600 || n > 611 {
		t.Errorf("%d lines of 36,000", n)
	}
	if n := strings.Count(text, `"more_since":59`); n < 590 {
		t.Errorf("those left out are counted %d times", n)
	}
	if strings.Count(text, "detail") != 36_000 || strings.Count(text, "something else") != 1 {
		t.Error("another line is left out")
	}
	if n := int64(strings.Count(text, "board lost")) + leftOut.Load(); n != 36_000 {
		t.Errorf("written and left out are %d", n)
	}
}
