package retention

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// shelf is a directory of journals and the day.
type shelf struct {
	*testing.T
	dir    string
	today  time.Time
	keeper *Keeper
	limits Limits
}

func newShelf(t *testing.T) *shelf {
	s := &shelf{T: t, dir: t.TempDir(), today: time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC), limits: Limits{Journals: 1 << 40, IsFree: -1}}
	s.restart()
	return s
}

func (s *shelf) restart() { s.keeper = Open(s.dir, func() time.Time { return s.today }) }

func (s *shelf) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

const (
	waits    = `{"type":"finding","id":"1","kind":"illegal.knight","state":"confirmed","alert":"now"}`
	withdraw = `{"type":"finding","id":"1","kind":"illegal.knight","state":"withdrawn","alert":"now"}`
)

// journal makes one of a board that has rested for some days, of about 100 kB, in which the machine has said this.
func (s *shelf) journal(name, board string, rested int, said ...string) {
	s.Helper()
	body := watch.Opening{Format: watch.Format, Journal: name, Segment: 1, Core: watch.Revision, Source: watch.Live, Board: board}.Body()
	w, err := journal.Create(s.dir, name, journal.Options{OpenBody: func(int, string) []byte { return body }})
	s.must(err)
	_, err = w.Append(0, record.Open, body)
	s.must(err)
	for range 50 {
		_, err = w.Append(1, record.Rx, make([]byte, 1000))
		s.must(err)
	}
	for _, text := range said {
		_, err = w.Add(1, record.Say, []byte(text))
		s.must(err)
	}
	w.Flush()
	s.must(w.Close(2, "stop"))
	s.age(name, rested)
}

func (s *shelf) age(name string, rested int) {
	at := s.today.AddDate(0, 0, -rested)
	s.must(os.Chtimes(filepath.Join(s.dir, name+journal.Extension), at, at))
}

// settle lets the keeper have looked a moment before.
func (s *shelf) settle() { s.keeper.before = s.today.Add(-30 * time.Second) }

// look is one day's.
func (s *shelf) look() Outcome {
	s.Helper()
	s.settle()
	o, err := s.keeper.Run(s.Context(), s.limits)
	s.must(err)
	return o
}

// days looks twice on each of several days, with a restart between, and returns what was removed.
func (s *shelf) days(n int) (gone []string) {
	s.Helper()
	for range n {
		for range 2 {
			for _, r := range s.look().Removed {
				gone = append(gone, r.Name)
			}
			s.restart()
		}
		s.today = s.today.AddDate(0, 0, 1)
	}
	return gone
}

func (s *shelf) left() (names []string) {
	s.Helper()
	list, err := journal.List(s.dir)
	s.must(err)
	for _, e := range list {
		names = append(names, e.Name)
	}
	return names
}

func (s *shelf) leaves(names ...string) {
	s.Helper()
	if left := s.left(); !slices.Equal(left, names) {
		s.Errorf("left are %v, want %v", left, names)
	}
}

func dueNames(due []Due) (all []string) {
	for _, d := range due {
		all = append(all, d.Name)
	}
	return all
}

// size is about that of one journal.
const size = 102_000

func TestTheOldestAreRemovedAfterAnnouncementsOnThreeDays(t *testing.T) {
	s := newShelf(t)
	s.journal("b1-r3", "b1", 20)
	s.journal("b1-r1", "b1", 40)
	s.journal("b1-r2", "b1", 30)
	s.journal("b1-r4", "b1", 10)
	s.limits.Journals = 3*size + size/10
	o := s.look()
	if !slices.Equal(dueNames(o.Due), []string{"b1-r1", "b1-r2"}) || o.Left != 3 || len(o.Removed) != 0 || !o.Over {
		t.Errorf("on the first day: %+v", o)
	}
	if gone := s.days(3); gone != nil {
		t.Errorf("removed on the days on which it is announced: %v", gone)
	}
	o = s.look()
	if len(o.Removed) != 1 || o.Removed[0].Name != "b1-r1" || !slices.Equal(dueNames(o.Due), []string{"b1-r2"}) || o.Over {
		t.Errorf("on the fourth day: %+v", o)
	}
	s.leaves("b1-r2", "b1-r3", "b1-r4")
	list, err := Read(s.dir)
	r, ok := list.Lookup("b1-r1")
	if err != nil || !ok || r.Unfinished || r.Bytes < size/2 || r.Seq != 52 || len(r.Chain) != 32 || r.Why != Room || !r.At.Equal(s.today) {
		t.Errorf("noted is %+v, %v, %v", r, ok, err)
	}
	if gone := s.days(10); gone != nil {
		t.Errorf("with room enough %v are removed", gone)
	}
}

func TestWhatStays(t *testing.T) {
	for claim, c := range map[string]struct {
		change func(s *shelf)
		due    bool
	}{
		"an old one goes":                      {func(*shelf) {}, true},
		"one of the last days stays":           {func(s *shelf) { s.age("b1-r1", 2); s.journal("b1-r3", "b1", 0) }, false},
		"one of the future stays":              {func(s *shelf) { s.age("b1-r1", -1); s.age("b1-r2", -2) }, false},
		"the last one of a board stays":        {func(s *shelf) { s.must(os.Remove(filepath.Join(s.dir, "b1-r2.bwj"))) }, false},
		"one of the configured round stays":    {func(s *shelf) { s.limits.Current = func(name string) bool { return name == "b1-r1" } }, false},
		"one with an open finding stays":       {func(s *shelf) { s.remake(waits) }, false},
		"one whose finding was withdrawn goes": {func(s *shelf) { s.remake(waits, withdraw) }, true},
		"a damaged one stays": {func(s *shelf) {
			s.edit(func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}, false},
		"one that lacks its beginning stays": {func(s *shelf) {
			s.edit(func(b []byte) []byte { return bytes.SplitN(b, []byte("\n"), 4)[3] })
			s.must(os.Rename(s.path("b1-r1.bwj"), s.path("b1-r1.2.bwj")))
		}, false},
		"one that is cut off goes":     {func(s *shelf) { s.edit(func(b []byte) []byte { return b[:len(b)-9] }) }, true},
		"one that is no journal stays": {func(s *shelf) { s.edit(func(b []byte) []byte { return []byte("x") }) }, false},
		"an empty one stays":           {func(s *shelf) { s.edit(func(b []byte) []byte { return nil }) }, false},
		"with room enough it stays":    {func(s *shelf) { s.limits.Journals = 1 << 40 }, false},
		"with a free disk it stays":    {func(s *shelf) { s.limits = Limits{Journals: 1 << 40, Free: 1000, IsFree: 2000} }, false},
		"on a full disk it goes":       {func(s *shelf) { s.limits = Limits{Journals: 1 << 40, Free: 1000, IsFree: 900} }, true},
		"on a disk that others fill it stays": {func(s *shelf) {
			s.limits = Limits{Journals: 1 << 40, Free: 10 * size, IsFree: 900}
		}, false},
		"at the end of its time it goes": {func(s *shelf) { s.limits = Limits{Journals: 1 << 40, IsFree: -1, Days: 40} }, true},
		"before that it stays":           {func(s *shelf) { s.limits = Limits{Journals: 1 << 40, IsFree: -1, Days: 50} }, false},
	} {
		t.Run(claim, func(t *testing.T) {
			s := newShelf(t)
			s.journal("b1-r1", "b1", 40)
			s.journal("b1-r2", "b1", 8)
			s.limits.Journals = 1
			c.change(s)
			gone := s.days(5)
			if slices.Contains(gone, "b1-r1") != c.due || len(gone) > 1 || slices.Contains(s.left(), "b1-r1") == c.due {
				t.Errorf("removed are %v, left %v", gone, s.left())
			}
		})
	}
}

func (s *shelf) path(file string) string { return filepath.Join(s.dir, file) }

// Where there is no room and nothing may go, the reasons are counted.
func TestNoRoomAndNothingToRemove(t *testing.T) {
	s := newShelf(t)
	s.journal("b1-r1", "b1", 40, waits)
	s.journal("b1-r2", "b1", 30, waits)
	s.journal("b1-r3", "b1", 20)
	s.journal("b1-r4", "b1", 10)
	body, err := os.ReadFile(s.path("b1-r3.bwj"))
	s.must(err)
	body[len(body)/2] ^= 1
	s.must(os.WriteFile(s.path("b1-r3.bwj"), body, 0o600))
	s.age("b1-r3", 20)
	if o := s.look(); o.Over {
		t.Errorf("with room: %+v", o)
	}
	s.limits.Journals = 1
	if o := s.look(); !o.Over || o.Undecided != 2 || o.Unknown != 1 || len(o.Due) != 0 {
		t.Errorf("%+v", o)
	}
}

// remake and edit change the oldest journal.
func (s *shelf) remake(said ...string) {
	s.must(os.Remove(s.path("b1-r1.bwj")))
	s.journal("b1-r1", "b1", 40, said...)
}

func (s *shelf) edit(change func([]byte) []byte) {
	b, err := os.ReadFile(s.path("b1-r1.bwj"))
	s.must(err)
	s.must(os.WriteFile(s.path("b1-r1.bwj"), change(b), 0o600))
	s.age("b1-r1", 40)
}

// due is a shelf with one journal that can go today.
func dueToday(t *testing.T) *shelf {
	s := newShelf(t)
	s.journal("b1-r1", "b1", 40)
	s.journal("b1-r2", "b1", 8)
	s.limits.Journals = 1
	if gone := s.days(3); gone != nil {
		t.Fatalf("gone are %v", gone)
	}
	return s
}

func TestAnnouncedAndKept(t *testing.T) {
	for claim, change := range map[string]func(s *shelf){
		"it was written to since":                       func(s *shelf) { s.edit(func(b []byte) []byte { return b[:len(b)-9] }) },
		"it was touched since":                          func(s *shelf) { s.age("b1-r1", 39) },
		"it is being written":                           func(s *shelf) { s.lock("b1-r1.lock") },
		"another program just looks":                    func(s *shelf) { s.lock(File + ".lock") },
		"a finding waits by now":                        func(s *shelf) { s.remake(waits) },
		"the budget was raised":                         func(s *shelf) { s.limits.Journals = 1 << 40 },
		"the clock jumped by 5 years":                   func(s *shelf) { s.today = s.today.AddDate(5, 0, 0) },
		"the clock was not set":                         func(s *shelf) { s.today = time.Unix(0, 0) },
		"the clock was set back to a day of announcing": func(s *shelf) { s.today = s.today.AddDate(0, 0, -2) },
		"one file is a link": func(s *shelf) {
			s.must(os.Symlink(s.path("b1-r2.bwj"), s.path("b1-r1.2.bwj")))
		},
	} {
		t.Run(claim, func(t *testing.T) {
			s := dueToday(t)
			change(s)
			s.settle()
			if o, err := s.keeper.Run(s.Context(), s.limits); err != nil || len(o.Removed) != 0 {
				t.Errorf("%+v, %v", o, err)
			}
			if !slices.Contains(s.left(), "b1-r1") {
				t.Error("it is gone")
			}
			if l, err := Read(s.dir); err != nil || len(l.Removed) != 0 {
				t.Errorf("noted as removed: %+v, %v", l.Removed, err)
			}
		})
	}
	s := dueToday(t)
	if o := s.look(); len(o.Removed) != 1 {
		t.Errorf("without any of this: %+v", o)
	}
}

func (s *shelf) lock(file string) {
	release, err := hold(s.path(file))
	s.must(err)
	s.Cleanup(release)
}

// A program that is being ended does not read on, and forgets no announcement; one that is started again does not read
// again what is announced.
func TestLooksAreShort(t *testing.T) {
	s := dueToday(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.settle()
	if o, err := s.keeper.Run(ctx, s.limits); !errors.Is(err, context.Canceled) || len(o.Removed) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	list, err := Read(s.dir)
	s.must(err)
	if len(list.Due) != 1 || len(list.Due[0].Announced) != 3 {
		t.Fatalf("announced is %+v", list.Due)
	}
	s.restart()
	entries, err := journal.List(s.dir)
	s.must(err)
	s.keeper.recall(entries, list.Due)
	if l := s.keeper.contents["b1-r1"]; !l.read || !l.whole || l.board != "b1" || l.chain.String() != list.Due[0].Chain {
		t.Errorf("known is %+v", l)
	}
	if s.keeper.contents["b1-r2"].read {
		t.Error("what is not announced is known")
	}
}

// Journals that cannot be removed and must be read again after a start keep their announcements, and no later journal
// is removed before them.
func TestAnUnreadJournalKeepsItsAnnouncement(t *testing.T) {
	s := newShelf(t)
	for i, name := range []string{"b1-r1", "b1-r2", "b1-r3"} {
		s.journal(name, "b1", 90-i, waits)
	}
	s.journal("b1-r4", "b1", 40)
	s.journal("b1-r5", "b1", 8)
	s.limits.Journals = 1
	s.days(3)
	s.restart()
	s.keeper.maxRead = size + size/2
	for i, unread := range []int{2, 1} {
		o := s.look()
		list, err := Read(s.dir)
		s.must(err)
		if o.Unread != unread || len(o.Removed) > 0 || len(list.Due) != 1 || len(list.Due[0].Announced) != 3 {
			t.Errorf("at look %d: %+v, announced is %+v", i+1, o, list.Due)
		}
	}
	if o := s.look(); o.Unread != 0 || len(o.Removed) != 1 {
		t.Errorf("when all are read: %+v", o)
	}
}

// A clock that is five years ahead for days removes nothing that was not announced on three of them.
func TestAWrongClockIsOneDay(t *testing.T) {
	s := newShelf(t)
	s.journal("b1-r1", "b1", 10)
	s.journal("b1-r2", "b1", 1)
	s.limits.Journals = 1
	for _, jump := range []int{5, -5, 7, -7, 9, -9} {
		if gone := s.days(1); gone != nil {
			t.Fatalf("removed: %v", gone)
		}
		s.today = s.today.AddDate(jump, 0, -1)
	}
	if o := s.look(); len(o.Removed) > 0 {
		t.Fatalf("%+v", o)
	}
}

// A program that ends and is started again and again, with a clock that is another one each time and right only after
// the first look, has announced nothing for days.
func TestAClockThatJumpsAtEachStartRemovesNothing(t *testing.T) {
	s := newShelf(t)
	s.journal("b1-r1", "b1", 10)
	s.journal("b1-r2", "b1", 1)
	s.limits.Journals = 1
	right := s.today
	for _, days := range []int{10, 20, 30, 40, 50, -1, -2, -3, -4, 60} {
		s.restart()
		for _, s.today = range []time.Time{right.AddDate(0, 0, days), right} {
			if o, err := s.keeper.Run(s.Context(), s.limits); err != nil || len(o.Removed) > 0 {
				t.Fatalf("%d days off: %+v, %v", days, o, err)
			}
		}
	}
	list, err := Read(s.dir)
	s.must(err)
	if len(list.Due) != 1 || len(list.Due[0].Announced) > 1 {
		t.Errorf("announced is %+v", list.Due)
	}
}

// A computer that begins each day with the time of its last update, until the network gives it the right one, has no
// more days for that.
func TestAClockThatIsSetBackEachMorningCountsNoDays(t *testing.T) {
	s := newShelf(t)
	s.journal("b1-r1", "b1", 100)
	s.journal("b1-r2", "b1", 1)
	s.limits.Journals = 1
	right := s.today
	s.look()
	for day := range 3 {
		for _, s.today = range []time.Time{right.AddDate(0, 0, -30), right.AddDate(0, 0, day)} {
			if o := s.look(); len(o.Removed) > 0 {
				t.Fatalf("%+v", o)
			}
		}
	}
	list, err := Read(s.dir)
	s.must(err)
	if len(list.Due) != 1 || len(list.Due[0].Announced) != 3 {
		t.Errorf("announced is %+v", list.Due)
	}
}

// Wherever the program ends while it removes, the next start brings it to its end, and the list has it from before the
// first file goes.
func TestRemovalIsFinishedAfterACrash(t *testing.T) {
	s := dueToday(t)
	s.look()
	list, err := Read(s.dir)
	s.must(err)
	list.Removed[0].Unfinished = true
	body, err := list.encode()
	s.must(err)
	s.must(os.WriteFile(s.path(File), body, 0o600))
	for _, file := range []string{"b1-r1.bwj", "b1-r1.2.bwj"} {
		s.must(os.WriteFile(s.path(file), []byte("x"), 0o600))
		s.must(os.Chtimes(s.path(file), list.Removed[0].Written, list.Removed[0].Written))
	}
	s.restart()
	s.limits.Journals = 1 << 40
	s.look()
	s.leaves("b1-r2")
	if list, err = Read(s.dir); err != nil || len(list.Removed) != 1 || list.Removed[0].Unfinished {
		t.Errorf("%+v, %v", list, err)
	}
	s.journal("b1-r1", "b1", 0) // the same round of the next year
	s.restart()
	s.look()
	s.leaves("b1-r1", "b1-r2")
}

// A journal that is announced for tomorrow at the earliest must not be removed today.
func TestNoJournalIsRemovedBeforeTheAnnouncedDay(t *testing.T) {
	s := newShelf(t)
	s.journal("b1-r1", "b1", 40)
	s.journal("b1-r2", "b1", 8)
	for day, want := range []int{3, 2, 1, 0} {
		s.limits.Journals = 2*size + size/10 // early: there is room yet
		if o := s.look(); len(o.Due) != 1 || o.Left != want {
			t.Errorf("on day %d: %+v", day, o)
		}
		list, err := Read(s.dir)
		s.must(err)
		tomorrow := max(want-1, 0)
		if got := list.Left(s.today.AddDate(0, 0, 1)); got != tomorrow {
			t.Errorf("after day %d the list says %d, want %d", day, got, tomorrow)
		}
		s.limits.Journals = 1 // … and in the evening there is none
		if o := s.look(); want > 0 && len(o.Removed) > 0 || want == 0 && len(o.Removed) != 1 {
			t.Errorf("in the evening of day %d: %+v", day, o)
		}
		s.today = s.today.AddDate(0, 0, 1)
	}
}

// A crash before the first file goes leaves a journal that is whole, and its round may be configured again.
func TestARemovalIsNotFinishedInTheConfiguredRound(t *testing.T) {
	s := dueToday(t)
	list, err := Read(s.dir)
	s.must(err)
	body, err := List{Removed: []Removed{{Journal: list.Due[0].Journal, Unfinished: true}}}.encode()
	s.must(err)
	s.must(os.WriteFile(s.path(File), body, 0o600))
	s.limits.Current = func(name string) bool { return name == "b1-r1" }
	s.look()
	s.leaves("b1-r1", "b1-r2")
	s.limits.Current = nil
	s.look()
	s.leaves("b1-r2")
}

// One journal that cannot be removed does not keep the others.
func TestAFailedRemovalStopsNoOther(t *testing.T) {
	s := dueToday(t)
	list, err := Read(s.dir)
	s.must(err)
	list.Removed = []Removed{{Journal: Journal{Name: "no.name", Written: s.today}, Unfinished: true}}
	body, err := list.encode()
	s.must(err)
	s.must(os.WriteFile(s.path(File), body, 0o600))
	s.settle()
	if o, err := s.keeper.Run(s.Context(), s.limits); err == nil || len(o.Removed) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	s.leaves("b1-r2")
}

func TestNoJournalIsRemovedWithoutANote(t *testing.T) {
	s := dueToday(t)
	s.must(os.Mkdir(s.path(File+".new"), 0o700)) // where the next list is written
	s.settle()
	if o, err := s.keeper.Run(s.Context(), s.limits); err == nil || len(o.Removed) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	s.leaves("b1-r1", "b1-r2")
	s.must(os.Remove(s.path(File + ".new")))
	for claim, body := range map[string]string{"no JSON": "{", "a later version": `{"version": 2}`} {
		s.must(os.WriteFile(s.path(File), []byte(body), 0o600))
		if _, err := s.keeper.Run(s.Context(), s.limits); err == nil || !strings.Contains(err.Error(), "mend it, or rename it") {
			t.Errorf("%s: %v", claim, err)
		}
		s.leaves("b1-r1", "b1-r2")
	}
	if _, err := Open(s.path("none"), time.Now).Run(s.Context(), s.limits); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a directory: %v", err)
	}
}
