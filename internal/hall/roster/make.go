package roster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/live"
)

// maker makes one list.
type maker struct {
	hall    bool
	own     *Computer
	now     time.Time
	facts   map[string]*live.Facts
	claims  map[string][]claim // by serial number
	owners  map[string]claim   // of boards that answer or not: where a serial number belongs
	shownAs map[Home]string    // by computer and board's own name
	named   map[string]int     // how many computers have a board of an own name
	silent  bool               // no computer has reached the hall since its start
	rounds  map[live.Word]bool // those of the boards that are there
	astray  time.Duration      // how far most computers are ahead of the one that makes the list; 0: they are not
}

// A claim is a board that has, or is to have, a serial number.
type claim struct {
	computer, board string // as shown
	answers         bool
	byNumber        bool
}

// byNumber says whether the board is found by its serial number, and not by the port that the configuration names.
func (b *Board) byNumber() bool { return b.Wants != "" || b.Name == "board-"+b.Serial }

// wrongBy is how far a clock may be from the hall's.
const wrongBy = 5 * time.Second

// compare finds what no computer shows alone.
func (m *maker) compare(computers []Computer) {
	m.claims, m.rounds = map[string][]claim{}, map[live.Word]bool{}
	m.owners, m.shownAs, m.named = map[string]claim{}, map[Home]string{}, map[string]int{}
	computers = slices.DeleteFunc(slices.Clone(computers), func(c Computer) bool { return !c.Revoked.IsZero() })
	for i := range computers {
		m.know(&computers[i])
	}
	m.silent = !slices.ContainsFunc(computers, func(c Computer) bool { return !c.Own && !c.Seen.IsZero() })
	var ahead []time.Duration
	for i := range computers {
		c := &computers[i]
		if !c.Here {
			continue
		}
		if c.Clocked && !c.Own {
			ahead = append(ahead, c.Ahead)
		}
		for _, b := range c.Boards {
			if !b.Here {
				continue
			}
			if f := m.facts[b.ShownAs]; f != nil {
				m.rounds[f.Round] = true
			}
			if b.Serial != "" {
				m.claims[b.Serial] = append(m.claims[b.Serial], claim{c.Name, b.ShownAs, true, b.byNumber()})
			}
			if b.Wants != "" && b.Wants != b.Serial {
				m.claims[b.Wants] = append(m.claims[b.Wants], claim{c.Name, b.ShownAs, false, true})
			}
		}
	}
	m.astray = common(ahead)
}

// know notes what the boards of a computer are called, and which of them belong to it.
func (m *maker) know(c *Computer) {
	for _, b := range c.Boards {
		m.shownAs[Home{Computer: c.Name, Board: b.Name}] = b.ShownAs
		if b.Gone {
			continue
		}
		m.named[b.Name]++
		if number := cmp.Or(b.Wants, b.Home); number != "" {
			if _, known := m.owners[number]; !known || b.Wants != "" {
				m.owners[number] = claim{computer: c.Name, board: b.ShownAs}
			}
		}
	}
}

// called is how people call a board: by its table, where one is known.
func (m *maker) called(shown string) string {
	if f := m.facts[shown]; f != nil {
		return cmp.Or(f.Table, f.Name, shown)
	}
	return shown
}

// common is what most of at least three clocks agree on, if it is wrong: then it is the list's own clock that is wrong.
func common(ahead []time.Duration) time.Duration {
	if len(ahead) < 3 {
		return 0
	}
	slices.Sort(ahead)
	middle, near := ahead[len(ahead)/2], 0
	for _, a := range ahead {
		if (a - middle).Abs() < wrongBy {
			near++
		}
	}
	if middle.Abs() <= wrongBy || 2*near <= len(ahead) {
		return 0
	}
	return middle
}

// computer makes the row of a computer.
func (m *maker) computer(c *Computer) Row {
	r := Row{Computer: c.Name, Own: c.Own, Here: c.Here, Version: c.Version, Core: c.Core, Host: c.Self.Host, file: m.own.File}
	if !c.Seen.IsZero() {
		r.SeenMS = c.Seen.UnixMilli()
	}
	if c.Clocked {
		ms := c.Ahead.Milliseconds()
		r.AheadMS = &ms
	}
	if c.Self.Free != nil {
		mb := *c.Self.Free >> 20
		r.FreeMB = &mb
	}
	for _, b := range c.Boards {
		if b.Here {
			r.Boards++
		}
	}
	switch {
	case c.Here || c.Own:
	case c.New:
		r.add(Warn, "accepted", c.Joined.Local().Format("15:04"))
	case c.Seen.IsZero() && m.silent:
		r.add(Bad, "silent")
	case c.Seen.IsZero():
		r.add(Bad, "unheard")
	default:
		r.add(Bad, "away", c.Seen.Local().Format("15:04"))
	}
	switch {
	case c.Two && c.Apart:
		r.add(Bad, "clone", list(c.Hosts, c.Name))
	case c.Two:
		r.add(Bad, "double")
	}
	if c.Here || c.Own {
		m.present(c, &r)
	}
	if c.TooLarge != "" {
		r.add(Bad, "too_large", c.TooLarge)
	}
	if all := m.own.Mirrored; !c.Own && m.own.NoRoom == NoSpace && c.Mirrored > all/4 && c.Mirrored > m.own.FreeLimit/2 {
		r.add(Warn, "hall_most", fmt.Sprint(c.Mirrored>>20), fmt.Sprint(all>>20))
	}
	return r.finish()
}

// present says what is wrong with a computer that is there.
func (m *maker) present(c *Computer, r *Row) {
	switch {
	case c.Own && m.astray != 0:
		r.add(Warn, "hall_clock", clockText(m.astray))
	case !c.Own && c.Clocked && m.astray == 0 && c.Ahead > wrongBy:
		r.add(Warn, "ahead", clockText(c.Ahead))
	case !c.Own && c.Clocked && m.astray == 0 && c.Ahead < -wrongBy:
		r.add(Warn, "behind", clockText(c.Ahead))
	case !c.Own && c.Clocked && m.astray != 0 && (c.Ahead-m.astray).Abs() > wrongBy:
		r.add(Warn, "odd_clock", clockText(c.Ahead-m.astray))
	}
	r.Problems = append(r.Problems, c.Troubles...)
	if c.Own && c.NoRoom != "" {
		r.add(Bad, string(c.NoRoom))
	}
	switch why := c.NoRound.Why; {
	case !c.Own && c.Self.Run == "":
		r.add(Bad, "older")
	case why != "" && c.NoRound.Disk:
		r.add(Bad, "round_unsaved")
		r.against(why)
	case why != "":
		r.add(Bad, "round_refused", why)
	}
	if len(c.RefusedBoards) > 0 {
		r.add(Bad, "unshown", strings.Join(c.RefusedBoards, ", "))
	}
	if free := c.Self.Free; free != nil {
		switch {
		case *free < diskFew:
			r.add(Bad, "disk_full", fmt.Sprint(*free>>20))
		case *free < c.FreeLimit:
			r.add(Warn, "disk_fills", fmt.Sprint(*free>>20))
		}
	}
	if due := c.Self.Due; due != nil {
		first := m.now.UTC().AddDate(0, 0, due.Days).Format(time.DateOnly) // days are those of UTC
		r.add(Warn, "journals_due", fmt.Sprint(due.Journals), fmt.Sprint((due.Bytes+1<<20-1)>>20), first)
	}
	works := !c.Own && c.Self.Run != ""
	if works && c.Version != m.own.Version {
		r.add(Note, "version", c.Version, m.own.Version)
	}
	if works && c.Core != m.own.Core {
		r.add(Note, "core", c.Core, m.own.Core)
	}
	if !(c.Own && m.hall) && r.Boards == 0 {
		r.add(Warn, "no_board")
	}
}

// diskFew is as the daemon has it: 20 boards write this in less than an hour.
const diskFew = 128 << 20

// clockText is a difference of clocks for people.
func clockText(d time.Duration) string { return d.Abs().Round(time.Second).String() }

// board makes the row of a board.
func (m *maker) board(c *Computer, b *Board) Row {
	r := Row{Computer: c.Name, Board: b.ShownAs, Here: b.Here && c.Here, Serial: b.Serial, Port: b.Port, file: m.own.File}
	f := m.facts[b.ShownAs]
	if f != nil {
		r.Table, r.Name = f.Table, f.Name
		r.Link, r.Clock, r.Journal, r.LateS, r.SeenMS = f.Link, f.Reading, f.Journal, float64(f.LateUS/1e5)/10, f.WallMS
		if f.ClockLow {
			r.ClockBattery = "low"
		}
		if f.BoardLow {
			r.Battery = "low"
		}
		if f.Scan != nil {
			r.ScanMS = f.Scan.PeriodMS
		}
		if r.Serial == "" {
			r.Serial = f.Serial
		}
	}
	if r.Here {
		r.SeenMS = m.now.UnixMilli()
	}
	if !c.Here && m.hall {
		r.Link, r.Clock, r.Journal = "", "", "" // they were so
		r.add(Bad, "computer_away", c.Name)
		return r.finish()
	}
	if r.Here {
		m.place(c, b, &r)
	}
	if b.Trouble != "" && (f == nil || f.Journal != "degraded") {
		r.unsaved(b.Trouble)
		r.Journal = "degraded"
	}
	r.stored(b)
	if !b.StalledSince.IsZero() { // all else that is known of the board is out of date
		r.add(Bad, live.MirrorStalled, b.StalledSince.Local().Format("15:04"))
		return r.finish()
	}
	if f == nil {
		r.add(Note, "journal_read") // it comes
		return r.finish()
	}
	for _, o := range f.Remarks {
		level := Warn
		if o.Health == live.Bad {
			level = Bad
		}
		switch {
		case o.What == "wrong_board" && r.has("exchanged"):
			continue // which says more
		case o.What == "journal_degraded":
			r.unsaved(o.Detail)
		default:
			r.add(level, o.What)
		}
		p := &r.Problems[len(r.Problems)-1]
		p.Detail, p.DetailSay = o.Detail, o.Say
	}
	if r.LateS > lateFor && m.now.Sub(f.LateAt) < lateReportedFor {
		r.add(Note, "late", fmt.Sprintf("%.0f", r.LateS))
	}
	return r.finish()
}

// gone makes the row of a board that its computer does not have any more, until the others are in another round: what
// it wrote stays readable, and nothing is to be done.
func (m *maker) gone(c *Computer, b *Board) (r Row, shown bool) {
	f := m.facts[b.ShownAs]
	if f == nil || f.WallMS == 0 || len(m.rounds) > 0 && !m.rounds[f.Round] { // 0: its journal is not read yet
		return r, false
	}
	r = Row{Computer: c.Name, Board: b.ShownAs, Table: f.Table, Name: f.Name, SeenMS: f.WallMS, Serial: f.Serial, file: m.own.File}
	until := time.UnixMilli(f.WallMS).Local()
	form := "15:04"
	if m.now.Sub(until) > 12*time.Hour {
		form = time.DateTime
	}
	r.add(Note, "was_here", until.Format(form), c.Name)
	return r.finish(), true
}

// missed makes the row of a board whose computer was revoked, and that is missed in the round.
func (m *maker) missed(c *Computer, b *Board) Row {
	r := Row{Computer: c.Name, Board: b.ShownAs, Table: b.Table, file: m.own.File}
	if f := m.facts[b.ShownAs]; f != nil {
		r.SeenMS, r.Serial = f.WallMS, f.Serial
	}
	r.add(Bad, "revoked", c.Name, c.Revoked.Local().Format("15:04"))
	return r.finish()
}

// lateFor is for how many seconds a program may stand still in the journal of a round before it is told.
const lateFor = 10

// lateReportedFor is how long a standstill is reported after the last one: what was wrong with the computer is over
// then. How long it stood still in all stays among the facts.
const lateReportedFor = 10 * time.Minute

// place says whether the board is where it belongs.
func (m *maker) place(c *Computer, b *Board, r *Row) {
	twice := false
	for _, number := range []string{b.Serial, b.Wants} {
		if number == "" {
			continue
		}
		for _, o := range m.claims[number] {
			if o.computer == c.Name && o.board == b.ShownAs {
				continue
			}
			mine := number == b.Serial
			switch {
			case mine && o.answers:
				level := Note // each is named by its port, and watched there
				if b.byNumber() || o.byNumber {
					level = Warn
				}
				r.add(level, "twice", number, m.called(o.board), o.computer)
				twice = true
			case !mine && !o.answers && o.computer != c.Name:
				r.add(Warn, "claimed", number, m.called(o.board), o.computer)
			case !mine && o.answers && o.computer != c.Name:
				r.add(Bad, "elsewhere", number, m.called(o.board), o.computer)
			}
		}
		if b.Serial == b.Wants {
			break
		}
	}
	if b.Was.Serial != "" && !twice {
		was := cmp.Or(m.shownAs[Home{Computer: b.Was.Computer, Board: b.Was.Board}], b.Was.Board)
		r.add(Warn, "moved", b.Was.Serial, m.called(was), b.Was.Computer)
	}
	if o, known := m.owners[b.Other]; known && b.Other != "" && (o.computer != c.Name || o.board != b.ShownAs) {
		r.add(Bad, "exchanged", b.Other, m.called(o.board), o.computer)
	}
	switch {
	case b.Stray == "" || b.Serial != "":
	case b.Stray == cmp.Or(b.Wants, b.Home):
		r.add(Bad, "other_port", b.Stray, b.StrayPort, b.Port)
	default:
		r.add(Bad, "stray", b.Stray, b.StrayPort, b.Port)
	}
	if b.Name != b.ShownAs && b.Name != "" && m.named[b.Name] > 1 {
		r.add(Note, "renamed", b.Name)
	}
}
