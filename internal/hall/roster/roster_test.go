package roster

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/live"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

var now = time.Date(2026, 11, 24, 14, 0, 0, 0, time.UTC)

// room is a hall of three computers with one board each, in which nothing is wrong.
func room() (computers []Computer, boards []live.Facts) {
	free := int64(20 << 30)
	own := Computer{Name: "hall", Own: true, Here: true, Seen: now, Version: "1.2", Core: "11", Self: wire.Self{Run: "h", Free: &free}, FreeLimit: 500 << 20}
	for i := range 3 {
		name := fmt.Sprint(i + 1)
		c := Computer{
			Name: "table-" + name, Here: true, Seen: now, Version: "1.2", Core: "11", AheadKnown: true, FreeLimit: 500 << 20,
			Self:   wire.Self{Run: "r" + name, Free: &free},
			Boards: []Board{{ShownAs: name, Name: name, Here: true, Place: wire.Place{Serial: "0270" + name}}},
		}
		computers = append(computers, c)
		boards = append(boards, live.Facts{Summary: live.Summary{Board: name, Watching: true, Health: live.Good, Link: "up", Journal: "ok"}, Reading: "connected"})
	}
	return append(computers, own), boards
}

// problems are those of a list, as "ROW WHAT".
func problems(l List) (list []string) {
	for _, r := range l.Rows {
		for _, p := range r.Problems {
			list = append(list, strings.TrimSuffix(r.Computer+"/"+r.Board, "/")+" "+p.What)
		}
	}
	slices.Sort(list)
	return list
}

func TestWhatThePublicSees(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c []Computer, b []live.Facts)
		want   []string
	}{
		"nothing is wrong":           {func([]Computer, []live.Facts) {}, nil},
		"a computer is away":         {func(c []Computer, _ []live.Facts) { c[0].Here = false }, []string{"table-1 away", "table-1/1 computer_away"}},
		"a computer was never heard": {func(c []Computer, _ []live.Facts) { c[0].Here, c[0].Seen, c[0].Boards = false, time.Time{}, nil }, []string{"table-1 unheard"}},
		"no computer has reached the hall": {func(c []Computer, _ []live.Facts) {
			for i := range c[:3] {
				c[i].Here, c[i].Seen, c[i].Boards = false, time.Time{}, nil
			}
		}, []string{"table-1 silent", "table-2 silent", "table-3 silent"}},
		"a board that its computer has no more": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].Here, c[0].Boards[0].Gone, b[0].Watching, b[0].WallMS = false, true, false, now.UnixMilli()
			b[0].Remarks = []live.Remark{{Health: live.Bad, What: "not_watched"}}
			c[0].Boards = append(c[0].Boards, Board{ShownAs: "never read", Name: "9", Gone: true}, Board{ShownAs: "3", Name: "7", Here: true})
			c[1].Boards = append(c[1].Boards, Board{ShownAs: "7", Name: "7", Here: true})
		}, []string{"table-1/1 was_here", "table-1/3 renamed", "table-2/7 journal_read"}},
		"mistakes of the pairing": {func(c []Computer, b []live.Facts) {
			c[3].Pairing = []PairingMistake{
				{What: "paired_none", Seat: "abc"}, {What: "paired_twice", ShownAs: "2", Seat: "2", Other: "abc"}, {What: "paired_nobody", ShownAs: "3"},
				{What: "paired_alone", ShownAs: "3", Other: "Ann"}, {What: "paired_alone", Seat: "x", Other: "Ben"},
			}
			b[0].Health, b[0].Remarks = live.Warn, []live.Remark{{Health: live.Warn, What: "slow_answers"}}
		}, []string{"hall/abc paired_none", "hall/x paired_alone", "table-1/1 slow_answers", "table-2/2 paired_twice", "table-3/3 paired_alone", "table-3/3 paired_nobody"}},
		"one whose journal is not read yet": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].Here, c[0].Boards[0].Gone, b[0].Watching = false, true, false
		}, []string{"table-1 no_board"}},
		"another name, and nobody else's": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].ShownAs, b[0].Board = "9@table-1", "9@table-1"
			c[0].Boards[0].Name = "9"
		}, nil},
		"a part of the record cannot be read": {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Damage = "1.bwj: unreadable" }, []string{"table-1/1 journal_damaged"}},
		"a record that could not be opened":   {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Journal = "1-r4--2" }, []string{"table-1/1 journal_beside"}},
		"boards that were exchanged": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].Place, c[0].Boards[0].Home = wire.Place{Other: "02702"}, "02701"
			c[1].Boards[0].Place = wire.Place{Wants: "02702", Other: "02701"}
			b[0].Remarks = []live.Remark{{Health: live.Bad, What: "wrong_board"}}
		}, []string{"table-1/1 exchanged", "table-2/2 exchanged"}},
		"a board that belongs nowhere": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].Place = wire.Place{Other: "99999"}
			b[0].Remarks = []live.Remark{{Health: live.Bad, What: "wrong_board"}}
		}, []string{"table-1/1 wrong_board"}},
		"its own in another socket": {func(c []Computer, _ []live.Facts) {
			c[0].Boards[0].Place = wire.Place{Port: "/dev/a", Wants: "02701", Stray: "02701", StrayPort: "/dev/b"}
		}, []string{"table-1/1 other_port"}},
		"a strange one in another socket": {func(c []Computer, _ []live.Facts) {
			c[0].Boards[0].Place = wire.Place{Port: "/dev/a", Stray: "99999", StrayPort: "/dev/b"}
		}, []string{"table-1/1 stray"}},
		"likewise, in an earlier round": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].Here, c[0].Boards[0].Gone, b[1].Round, b[2].Round = false, true, "2", "2"
			c[0].Boards = append(c[0].Boards, Board{ShownAs: "3", Name: "3", Here: true})
		}, nil},
		"a computer that was accepted and did not come": {func(c []Computer, _ []live.Facts) {
			c[0].Here, c[0].New, c[0].Seen, c[0].Joined, c[0].Boards = false, true, time.Time{}, now, nil
		}, []string{"table-1 accepted"}},
		"two programs with one key": {func(c []Computer, _ []live.Facts) {
			c[1].TwoPrograms, c[1].OnTwoComputers, c[1].Hosts = true, true, []string{"pi", "pi-2"}
		}, []string{"table-2 clone"}},
		"one program twice":           {func(c []Computer, _ []live.Facts) { c[1].TwoPrograms = true }, []string{"table-2 double"}},
		"boards beyond the bound":     {func(c []Computer, _ []live.Facts) { c[0].RefusedBoards = []string{"300", "301"} }, []string{"table-1 unshown"}},
		"a file that no board writes": {func(c []Computer, _ []live.Facts) { c[0].TooLarge = "1-r1" }, []string{"table-1 too_large"}},
		"a hall without room":         {func(c []Computer, _ []live.Facts) { c[3].NoRoom = NoSpace }, []string{"hall hall_full"}},
		"a hall without room, because of one computer": {func(c []Computer, _ []live.Facts) {
			c[0].Mirrored, c[1].Mirrored, c[3].Mirrored, c[3].NoRoom = 900<<20, 20<<20, 920<<20, NoSpace
		}, []string{"hall hall_full", "table-1 hall_most"}},
		"a hall without room, because of something else": {func(c []Computer, _ []live.Facts) {
			c[0].Mirrored, c[3].Mirrored, c[3].NoRoom = 200<<20, 200<<20, NoSpace
		}, []string{"hall hall_full"}},
		"a hall with room, and much of one computer": {func(c []Computer, _ []live.Facts) {
			c[0].Mirrored, c[3].Mirrored = 900<<20, 900<<20
		}, nil},
		"a hall whose disk takes no more files": {func(c []Computer, _ []live.Facts) {
			c[0].Mirrored, c[3].Mirrored, c[3].NoRoom = 900<<20, 900<<20, NoFiles
		}, []string{"hall hall_files"}},
		"a clock an hour ahead":       {func(c []Computer, _ []live.Facts) { c[0].Ahead = time.Hour }, []string{"table-1 ahead"}},
		"a clock six seconds behind":  {func(c []Computer, _ []live.Facts) { c[0].Ahead = -6 * time.Second }, []string{"table-1 behind"}},
		"a clock four seconds behind": {func(c []Computer, _ []live.Facts) { c[0].Ahead = -4 * time.Second }, nil},
		"a clock that is not known":   {func(c []Computer, _ []live.Facts) { c[0].Ahead, c[0].AheadKnown = time.Hour, false }, nil},
		"the hall's own clock": {func(c []Computer, _ []live.Facts) {
			c[0].Ahead, c[1].Ahead, c[2].Ahead = time.Hour, time.Hour, time.Hour
		}, []string{"hall hall_clock"}},
		"the hall's, and one with it":   {func(c []Computer, _ []live.Facts) { c[0].Ahead, c[1].Ahead = time.Hour, time.Hour }, []string{"hall hall_clock", "table-3 odd_clock"}},
		"another version":               {func(c []Computer, _ []live.Facts) { c[0].Version = "1.1" }, []string{"table-1 version"}},
		"another revision":              {func(c []Computer, _ []live.Facts) { c[0].Core = "10" }, []string{"table-1 core"}},
		"a program that says little":    {func(c []Computer, _ []live.Facts) { c[0].Self = wire.Self{} }, []string{"table-1 older"}},
		"a disk that fills up":          {func(c []Computer, _ []live.Facts) { n := int64(300 << 20); c[0].Self.Free = &n }, []string{"table-1 disk_fills"}},
		"a disk that is full":           {func(c []Computer, _ []live.Facts) { n := int64(0); c[0].Self.Free = &n }, []string{"table-1 disk_full"}},
		"journals that will be removed": {func(c []Computer, _ []live.Facts) { c[0].Self.Due = &wire.Due{Journals: 3, Bytes: 5 << 20, Days: 2} }, []string{"table-1 journals_due"}},
		"no board":                      {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Here = false; c[0].Boards = nil }, []string{"table-1 no_board"}},
		"one number answers twice":      {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Serial = "02702" }, []string{"table-1/1 twice", "table-2/2 twice"}},
		"one number is configured twice": {func(c []Computer, _ []live.Facts) {
			c[0].Boards[0].Place, c[1].Boards[0].Place = wire.Place{Wants: "9"}, wire.Place{Wants: "9"}
		}, []string{"table-1/1 claimed", "table-2/2 claimed"}},
		"a board answers elsewhere":  {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Place = wire.Place{Wants: "02702"} }, []string{"table-1/1 elsewhere"}},
		"one number, its owner away": {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Serial = "02702"; c[1].Here = false }, []string{"table-2 away", "table-2/2 computer_away"}},
		"a board that was elsewhere": {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Was = Home{"02701", "table-3", "7"} }, []string{"table-1/1 moved"}},
		"a board that is named so twice": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].ShownAs, b[0].Board = "2@table-1", "2@table-1"
			c[0].Boards[0].Name = "2"
		}, []string{"table-1/2@table-1 renamed"}},
		"its disk takes nothing": {func(c []Computer, _ []live.Facts) { c[0].Boards[0].Trouble = "no space left on device" }, []string{"table-1/1 journal_degraded"}},
		"its computer has lost decisions": {func(c []Computer, _ []live.Facts) {
			c[0].Boards[0].Lost = []string{"confirm 60:illegal.knight"}
		}, []string{"table-1/1 saved_lost"}},
		"it stands still in the hall": {func(c []Computer, b []live.Facts) {
			c[0].Boards[0].StalledSince, b[0].Remarks = now, []live.Remark{{Health: live.Warn, What: "clock_missing"}}
		}, []string{"table-1/1 stands_still"}},
		"its journal is not read yet": {func(c []Computer, b []live.Facts) { b[0].Board = "x" }, []string{"table-1/1 journal_read"}},
		"what the board says itself": {func(_ []Computer, b []live.Facts) {
			b[0].Remarks = []live.Remark{{Health: live.Warn, What: "clock_missing"}, {Health: live.Bad, What: "link_down", Detail: "/dev/ttyUSB0"}}
		}, []string{"table-1/1 clock_missing", "table-1/1 link_down"}},
		"a program that stood still":          {func(_ []Computer, b []live.Facts) { b[0].LateUS, b[0].LateAt = 60e6, now.Add(-time.Minute) }, []string{"table-1/1 late"}},
		"one that stood still an hour before": {func(_ []Computer, b []live.Facts) { b[0].LateUS, b[0].LateAt = 60e6, now.Add(-time.Hour) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			computers, boards := room()
			c.change(computers, boards)
			l := Make(true, computers, boards, now)
			if got := problems(l); !slices.Equal(got, c.want) {
				t.Errorf("told was %q, want %q", got, c.want)
			}
			for _, r := range l.Rows {
				if (len(r.Problems) == 0) != (r.Level == Good) {
					t.Errorf("%s/%s has the level %s and %d problems", r.Computer, r.Board, r.Level, len(r.Problems))
				}
				for i, p := range r.Problems {
					if p.Text == "" || p.Do == "" || strings.ContainsAny(p.Text+p.Do, "{}") {
						t.Errorf("%s is told as %q, %q", p.What, p.Text, p.Do)
					}
					if ranks[p.Level] < ranks[r.Problems[0].Level] {
						t.Errorf("problem %d is worse than the first", i)
					}
				}
			}
		})
	}
}

// A command for the hall's computer names the hall's configuration: without it the command is about another hall.
func TestCommandsNameTheConfiguration(t *testing.T) {
	for what, want := range map[string]string{"unheard": "sudo boardwatchd hall revoke -c /etc/hall.yaml table-1", "too_large": "sudo boardwatchd hall revoke -c /etc/hall.yaml table-1", "revoked": "sudo boardwatchd hall invite -c /etc/hall.yaml table-1"} {
		computers, boards := room()
		for i := range computers {
			if computers[i].Own {
				computers[i].File = "/etc/hall.yaml"
			}
		}
		switch c := &computers[0]; what {
		case "unheard":
			c.Here, c.Seen, c.Boards = false, time.Time{}, nil
		case "too_large":
			c.TooLarge = "1-r1"
		case "revoked":
			c.Revoked = now
		}
		for _, r := range Make(true, computers, boards, now).Rows {
			for _, p := range r.Problems {
				if p.What == what && !strings.Contains(p.Do, want) {
					t.Errorf("%s: %q does not say %q", what, p.Do, want)
				}
			}
		}
	}
}

func TestTheWorstIsFirst(t *testing.T) {
	computers, boards := room()
	for i := range 12 {
		b := boards[0]
		b.Board = fmt.Sprint(20 - i)
		b.Remarks = []live.Remark{{Health: live.Warn, What: "clock_missing"}}
		boards = append(boards, b)
		computers[2].Boards = append(computers[2].Boards, Board{ShownAs: b.Board, Name: b.Board, Here: true, Place: wire.Place{Serial: "9" + b.Board}})
	}
	computers[1].Here = false
	computers[0].Core = "10"
	l := Make(true, computers, boards, now)
	var order []string
	for _, r := range l.Rows {
		order = append(order, r.Level+" "+r.Computer+"/"+r.Board)
	}
	want := []string{"bad table-2/", "bad table-2/2"}
	for i := 9; i <= 20; i++ {
		want = append(want, fmt.Sprintf("warn table-3/%d", i))
	}
	want = append(want, "note table-1/", "ok hall/", "ok table-3/", "ok table-1/1", "ok table-3/3")
	if !slices.Equal(order, want) {
		t.Errorf("the order is\n%s\nwant\n%s", strings.Join(order, "\n"), strings.Join(want, "\n"))
	}
}

// A single computer has no hall to be compared with.
func TestOneComputer(t *testing.T) {
	_, boards := room()
	own := Computer{Name: "pi", Own: true, Here: true, Seen: now, Version: "1", Core: "11", Boards: []Board{{ShownAs: "1", Name: "1", Here: true}}}
	if got := problems(Make(false, []Computer{own}, boards[:1], now)); len(got) > 0 {
		t.Errorf("told was %q", got)
	}
	own.Boards = nil
	if got := problems(Make(false, []Computer{own}, nil, now)); !slices.Equal(got, []string{"pi no_board"}) {
		t.Errorf("told was %q", got)
	}
}

// Every word with which a board's health is lowered has a sentence that says what to do.
func TestEveryWordOfHealthHasARemedy(t *testing.T) {
	for _, what := range []string{
		"link_down", "gap", "no_answer", "wrong_board", "not_identified", "not_watched", "journal_read", "not_connected", "journal_degraded", "clock_missing",
		"board_disturbed", "board_mismatch", "flood", "record_broken", "not_known", "cannot_judge", "updates_lost", "noise", "battery_low",
		"unreachable", "clock_set", "slow_answers", "setup_otherwise", "played_on",
	} {
		if !has("hall."+what+".do") || !has("health."+what) {
			t.Errorf("%s has no sentence", what)
		}
	}
}

// The arguments of a sentence are numbered in the order of add, in every language.
func TestWhatIsPutIn(t *testing.T) {
	for _, lang := range words.Languages() {
		b, ok := page.GroupTexts("hall", lang)
		texts := map[string]string{}
		if err := json.Unmarshal(b, &texts); err != nil || !ok {
			t.Fatal(lang, err)
		}
		for key := range texts {
			if what, is := strings.CutSuffix(key, ".do"); is && !has(what) && !has("health."+strings.TrimPrefix(what, "hall.")) && what != "hall.look" {
				t.Errorf("%s: %s has a remedy for nothing", lang, key)
			}
		}
	}
}

// beats are runs that are heard one after another, two seconds apart.
func beats(r *Runs, at *time.Time, runs string) {
	for _, run := range runs {
		*at = at.Add(2 * time.Second)
		r.Hear(wire.Self{Run: string(run), Host: "pi-" + string(run)}, *at)
	}
}

func TestACopiedCard(t *testing.T) {
	for _, c := range []struct {
		why, runs string
		two       bool
	}{
		{"one program", "aaaaaaaa", false},
		{"it was started again", "aaabbb", false},
		{"it was started again and again", "abcdef", false},
		{"a beat of the old run was on its way when the new one began", "aaababbbb", false},
		{"two at once", "ababa", true},
		{"two at once, one of which beats more often", "aaabaaaba", true},
		{"three at once", "abcabc", true},
		{"an older program says nothing", "", false},
	} {
		var r Runs
		at := now
		beats(&r, &at, c.runs)
		if c.runs == "" {
			for range 9 {
				r.Hear(wire.Self{}, at)
			}
		}
		if got := r.TwoAtOnce(at); got != c.two {
			t.Errorf("%s (%s): %v", c.why, c.runs, got)
		}
		if c.two && (len(r.Hosts()) != 2 || !slices.IsSorted(r.Hosts()) || !r.Apart()) {
			t.Errorf("%s: hosts %v", c.why, r.Hosts())
		}
	}
	var r Runs
	for i := range 9 {
		r.Hear(wire.Self{Run: fmt.Sprint(i % 2), Boot: "the same"}, now)
	}
	if !r.TwoAtOnce(now) || r.Apart() {
		t.Error("the same computer, where the program runs twice")
	}
}

// After the copy was removed it is no longer reported some time later. Two returns that are far apart are no copy.
func TestACopiedCardIsTakenAway(t *testing.T) {
	var r Runs
	at := now
	beats(&r, &at, "abababab")
	if !r.TwoAtOnce(at) {
		t.Fatal("it is not told")
	}
	beats(&r, &at, strings.Repeat("b", 20))
	if r.TwoAtOnce(at) {
		t.Error("it is told for ever")
	}
	at = at.Add(time.Hour)
	beats(&r, &at, "a")
	if r.TwoAtOnce(at) {
		t.Error("one return long after the others is told")
	}
}

func TestTheOffsetOfAClock(t *testing.T) {
	var o Offset
	hear := func(ahead, late time.Duration) { o.Hear(now.Add(ahead-late).UnixMilli(), now) }
	if _, known := o.Known(); known {
		t.Error("known before anything was heard")
	}
	hear(0, 8*time.Second)
	hear(0, 10*time.Millisecond)
	hear(0, 9*time.Second)
	if ahead, known := o.Known(); !known || ahead.Abs() > time.Second {
		t.Errorf("beats that came late make the clock %v ahead", ahead)
	}
	late := o // a start of the hall
	o = Offset{}
	for range offsetsBehind - 1 {
		hear(0, 6*time.Second)
		if ahead, known := o.Known(); known {
			t.Fatalf("beats of a start that all come late make the clock %v ahead", ahead)
		}
	}
	o = late
	for range offsetsBehind - 2 {
		hear(0, 17*time.Second)
	}
	if ahead, known := o.Known(); !known || ahead.Abs() > maxClockOffset {
		t.Errorf("beats that all come late, because the hall has much to do, make the clock %v ahead", ahead)
	}
	for range offsetsBehind {
		hear(-time.Minute, 0)
	}
	if ahead, _ := o.Known(); (ahead + time.Minute).Abs() > time.Second {
		t.Errorf("a clock a minute behind is %v ahead", ahead)
	}
	for range offsets {
		hear(time.Minute, 0)
	}
	for range offsets {
		hear(0, time.Second)
	}
	if ahead, _ := o.Known(); ahead != 0 {
		t.Errorf("a clock that was put right is %v ahead", ahead)
	}
	o = Offset{}
	o.Hear(0, now)
	o.Hear(0, now)
	if _, known := o.Known(); known {
		t.Error("known of a program that says nothing")
	}
}

func TestWhereABoardBelongs(t *testing.T) {
	in := map[string]bool{"table-1": true, "table-2": true}
	member := func(c string) bool { return in[c] }
	h := OpenHomes(nil)
	at := func(computer, board string) bool {
		here := Home{"02718", computer, board}
		h.Hear(here, member)
		_, moved := h.Moved(here)
		return moved
	}
	if at("table-1", "board-02718") {
		t.Error("the first time")
	}
	if at("table-1", "board-02718") {
		t.Error("unplugged and plugged again")
	}
	if at("table-1", "7") {
		t.Error("it was given a name")
	}
	if !at("table-2", "7") || !at("table-1", "8") {
		t.Error("another computer, or another name, is not told")
	}
	if at("table-1", "7") {
		t.Error("it is back")
	}
	h.Accept(Home{"02718", "table-2", "7"})
	if at("table-2", "7") || !at("table-1", "7") {
		t.Error("what was accepted")
	}
	delete(in, "table-2")
	if at("table-1", "7") {
		t.Error("its computer is not in the hall any more")
	}
	again := OpenHomes(h.List)
	if was, moved := again.Moved(Home{"02718", "table-1", "9"}); !moved || was.Board != "7" {
		t.Error("it is not remembered")
	}
	for i := range maxHomes + 10 {
		h.Hear(Home{fmt.Sprint("x", i), "table-1", "1"}, member)
	}
	if len(h.List) != maxHomes || len(h.of) != maxHomes {
		t.Errorf("%d are remembered", len(h.List))
	}
}

// TestTheRemedyIsThatOfTheError: room does not help where the disk is read-only.
func TestTheRemedyIsThatOfTheError(t *testing.T) {
	for trouble, want := range map[string]string{
		"write 1.bwj: no space left on device":     "Make room on the disk of table-1",
		"open 1.lock: read-only file system":       "can only be read",
		"sync 1.bwj: input/output error":           "can only be read",
		"open 1.lock: permission denied":           "the state directory of table-1",
		"the journal's directory is not there":     "the reason is named here",
		"write 1.bwj: disk quota exceeded (quota)": "Make room on the disk of table-1",
	} {
		for name, change := range map[string]func(c []Computer, b []live.Facts){
			"beat": func(c []Computer, _ []live.Facts) { c[0].Boards[0].Trouble = trouble },
			"board": func(_ []Computer, b []live.Facts) {
				b[0].Remarks = []live.Remark{{Health: live.Bad, What: "journal_degraded", Detail: trouble}}
			},
		} {
			computers, boards := room()
			change(computers, boards)
			p := Make(true, computers, boards, now).Rows[0].Problems
			if len(p) != 1 || p[0].Detail != trouble || !strings.Contains(p[0].Do, want) || p[0].DoSay.Args[0].Text != "table-1" {
				t.Errorf("%s, by the %s: %+v, want %q", trouble, name, p, want)
			}
		}
	}
}

// Boards are called by their tables, also in a line about another board.
func TestATableIsNamed(t *testing.T) {
	computers, boards := room()
	computers[0].Boards[0].Place, boards[0].Table, boards[1].Table = wire.Place{Other: "02702"}, "46", "47"
	computers[1].Boards[0].Place = wire.Place{Wants: "02702"}
	rows := Make(true, computers, boards, now).Rows
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Table == "46" })
	if i < 0 {
		t.Fatal("no row has its table")
	}
	if want := "The board that answers here, serial number 02702, belongs to board 47 at table-2."; len(rows[i].Problems) != 1 || rows[i].Problems[0].Text != want {
		t.Errorf("it says %+v", rows[i].Problems)
	}
}

// A computer that was revoked has no row; its boards that are missed in the round have one each.
func TestAComputerThatWasRevoked(t *testing.T) {
	computers, boards := room()
	left := Computer{Name: "table-9", Revoked: now, Boards: []Board{{ShownAs: "9", Name: "9", Table: "11"}}}
	boards = append(boards, live.Facts{Summary: live.Summary{Board: "9", WallMS: 5}})
	computers[3].Pairing = []PairingMistake{{What: "paired_none", Seat: "11"}} // which the row of the table explains
	l := Make(true, append(computers, left), boards, now)
	if got := problems(l); !slices.Equal(got, []string{"table-9/9 revoked"}) {
		t.Errorf("told was %q", got)
	}
	r := l.Rows[0]
	if want := "Its computer table-9 was revoked at " + now.Local().Format("15:04"); r.Table != "11" || r.SeenMS != 5 || !strings.HasPrefix(r.Problems[0].Text, want) || !strings.Contains(r.Problems[0].Do, "hall invite table-9 here") {
		t.Errorf("%+v", r)
	}
}

// A round that the disk of a computer did not take has the remedy against the disk; one that it refuses, another.
func TestARoundThatIsNotTaken(t *testing.T) {
	for _, c := range []struct {
		no       NoRound
		what, do string
	}{
		{NoRound{Why: "write round.json: no space left on device", Disk: true}, "round_unsaved", "Make room on the disk of table-1"},
		{NoRound{Why: "no such rule set"}, "round_refused", "package on table-1"},
		{NoRound{Why: ""}, "older", "package on it now"},
	} {
		computers, boards := room()
		if c.what == "older" {
			computers[0].Self.Run = ""
		}
		computers[0].NoRound = c.no
		r := Make(true, computers, boards, now).Rows[0]
		if p := r.Problems; len(p) != 1 || p[0].What != c.what || p[0].Level != Bad || !strings.Contains(p[0].Do, c.do) || !strings.Contains(p[0].Text+p[0].Detail, c.no.Why) {
			t.Errorf("%+v: %+v", c.no, p)
		}
	}
}
