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
	hall           bool
	own            *Computer
	now            time.Time
	facts          map[string]*live.Facts
	boardsOfSerial map[string][]claim // by serial number
	homeOfSerial   map[string]claim   // of all boards, answering or not: where a serial number belongs
	shownAs        map[Home]string    // by computer and board's own name
	named          map[string]int     // how many computers have a board of that own name
	allSilent      bool               // no computer has reached the hall since its start
	rounds         map[live.Word]bool // rounds of the boards that are there
	ownClockOff    time.Duration      // how far most computers are ahead of the list's own clock; 0: they agree
}

// A claim is a board that has a serial number, or is configured to have it.
type claim struct {
	computer, board string // as shown
	answering       bool
	byNumber        bool
}

// byNumber reports whether the board is found by its serial number, and not by a configured port.
func (b *Board) byNumber() bool { return b.Wants != "" || b.Name == "board-"+b.Serial }

// maxClockOffset is the largest difference from the hall's clock that is not reported.
const maxClockOffset = 5 * time.Second

// compare collects what is visible only across several computers.
func (m *maker) compare(computers []Computer) {
	m.boardsOfSerial, m.rounds = map[string][]claim{}, map[live.Word]bool{}
	m.homeOfSerial, m.shownAs, m.named = map[string]claim{}, map[Home]string{}, map[string]int{}
	computers = slices.DeleteFunc(slices.Clone(computers), func(c Computer) bool { return !c.Revoked.IsZero() })
	for i := range computers {
		m.noteNames(&computers[i])
	}
	m.allSilent = !slices.ContainsFunc(computers, func(c Computer) bool { return !c.Own && !c.Seen.IsZero() })
	var ahead []time.Duration
	for i := range computers {
		c := &computers[i]
		if !c.Here {
			continue
		}
		if c.AheadKnown && !c.Own {
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
				m.boardsOfSerial[b.Serial] = append(m.boardsOfSerial[b.Serial], claim{c.Name, b.ShownAs, true, b.byNumber()})
			}
			if b.Wants != "" && b.Wants != b.Serial {
				m.boardsOfSerial[b.Wants] = append(m.boardsOfSerial[b.Wants], claim{c.Name, b.ShownAs, false, true})
			}
		}
	}
	m.ownClockOff = agreedOffset(ahead)
}

// noteNames notes the names of a computer's boards and which boards belong to it.
func (m *maker) noteNames(c *Computer) {
	for _, b := range c.Boards {
		m.shownAs[Home{Computer: c.Name, Board: b.Name}] = b.ShownAs
		if b.Gone {
			continue
		}
		m.named[b.Name]++
		if number := cmp.Or(b.Wants, b.Home); number != "" {
			if _, known := m.homeOfSerial[number]; !known || b.Wants != "" {
				m.homeOfSerial[number] = claim{computer: c.Name, board: b.ShownAs}
			}
		}
	}
}

// nameForPeople is the name of a board for people: its table, if one is known.
func (m *maker) nameForPeople(shown string) string {
	if f := m.facts[shown]; f != nil {
		return cmp.Or(f.Table, f.Name, shown)
	}
	return shown
}

// agreedOffset is the difference on which most of at least three clocks agree, if it is too large: then the list's own
// clock is wrong.
func agreedOffset(ahead []time.Duration) time.Duration {
	if len(ahead) < 3 {
		return 0
	}
	slices.Sort(ahead)
	middle, near := ahead[len(ahead)/2], 0
	for _, a := range ahead {
		if (a - middle).Abs() < maxClockOffset {
			near++
		}
	}
	if middle.Abs() <= maxClockOffset || 2*near <= len(ahead) {
		return 0
	}
	return middle
}

// row begins a row about a computer, or about a board of it. Its remedies name the configuration of this program.
func (m *maker) row(c *Computer, board string) Row {
	return Row{Computer: c.Name, Board: board, file: m.own.File}
}

// computer makes the row of a computer.
func (m *maker) computer(c *Computer) Row {
	r := m.row(c, "")
	r.Own, r.Here, r.Version, r.Core, r.Host = c.Own, c.Here, c.Version, c.Core, c.Self.Host
	if !c.Seen.IsZero() {
		r.SeenMS = c.Seen.UnixMilli()
	}
	if c.AheadKnown {
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
	case c.Seen.IsZero() && m.allSilent:
		r.add(Bad, "silent")
	case c.Seen.IsZero():
		r.add(Bad, "unheard")
	default:
		r.add(Bad, "away", c.Seen.Local().Format("15:04"))
	}
	switch {
	case c.TwoPrograms && c.OnTwoComputers:
		r.add(Bad, "clone", list(c.Hosts, c.Name))
	case c.TwoPrograms:
		r.add(Bad, "double")
	}
	if c.Here || c.Own {
		m.addProblems(c, &r)
	}
	if c.TooLarge != "" {
		r.add(Bad, "too_large", c.TooLarge)
	}
	if all := m.own.Mirrored; !c.Own && m.own.NoRoom == NoSpace && c.Mirrored > all/4 && c.Mirrored > m.own.FreeLimit/2 {
		r.add(Warn, "hall_most", fmt.Sprint(c.Mirrored>>20), fmt.Sprint(all>>20))
	}
	return r.finish()
}

// addProblems adds the problems of a computer that can be reached.
func (m *maker) addProblems(c *Computer, r *Row) {
	switch {
	case c.Own && m.ownClockOff != 0:
		r.add(Warn, "hall_clock", durationText(m.ownClockOff))
	case !c.Own && c.AheadKnown && m.ownClockOff == 0 && c.Ahead > maxClockOffset:
		r.add(Warn, "ahead", durationText(c.Ahead))
	case !c.Own && c.AheadKnown && m.ownClockOff == 0 && c.Ahead < -maxClockOffset:
		r.add(Warn, "behind", durationText(c.Ahead))
	case !c.Own && c.AheadKnown && m.ownClockOff != 0 && (c.Ahead-m.ownClockOff).Abs() > maxClockOffset:
		r.add(Warn, "odd_clock", durationText(c.Ahead-m.ownClockOff))
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
		r.addDiskError(why)
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
		first := m.now.UTC().AddDate(0, 0, due.Days).Format(time.DateOnly) // journals are removed by UTC days
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

// diskFew equals the daemon's limit: 20 boards write this much in less than an hour.
const diskFew = 128 << 20

// durationText is a difference of clocks as text.
func durationText(d time.Duration) string { return d.Abs().Round(time.Second).String() }

// board makes the row of a board.
func (m *maker) board(c *Computer, b *Board) Row {
	r := m.row(c, b.ShownAs)
	r.Here, r.Serial, r.Port = b.Here && c.Here, b.Serial, b.Port
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
		r.Link, r.Clock, r.Journal = "", "", "" // they are out of date
		r.add(Bad, "computer_away", c.Name)
		return r.finish()
	}
	if r.Here {
		m.place(c, b, &r)
	}
	if b.Trouble != "" && (f == nil || f.Journal != "degraded") {
		r.addUnsaved(b.Trouble)
		r.Journal = "degraded"
	}
	r.addStored(b)
	if !b.StalledSince.IsZero() { // everything else that is known of the board is out of date
		r.add(Bad, live.MirrorStalled, b.StalledSince.Local().Format("15:04"))
		return r.finish()
	}
	if f == nil {
		r.add(Note, "journal_read") // its records are coming
		return r.finish()
	}
	for _, o := range f.Remarks {
		level := Warn
		if o.Health == live.Bad {
			level = Bad
		}
		switch {
		case o.What == "wrong_board" && r.has("exchanged"):
			continue // which is more specific
		case o.What == "journal_degraded":
			r.addUnsaved(o.Detail)
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

// gone makes the row of a board that its computer does not have any more, until the other boards are in another round:
// its journal stays readable, and no action is needed.
func (m *maker) gone(c *Computer, b *Board) (r Row, shown bool) {
	f := m.facts[b.ShownAs]
	if f == nil || f.WallMS == 0 || len(m.rounds) > 0 && !m.rounds[f.Round] { // 0: its journal is not read yet
		return r, false
	}
	r = m.row(c, b.ShownAs)
	r.Table, r.Name, r.SeenMS, r.Serial = f.Table, f.Name, f.WallMS, f.Serial
	until := time.UnixMilli(f.WallMS).Local()
	form := "15:04"
	if m.now.Sub(until) > 12*time.Hour {
		form = time.DateTime
	}
	r.add(Note, "was_here", until.Format(form), c.Name)
	return r.finish(), true
}

// missed makes the row of a board whose computer was revoked and that is missing in the round.
func (m *maker) missed(c *Computer, b *Board) Row {
	r := m.row(c, b.ShownAs)
	r.Table = b.Table
	if f := m.facts[b.ShownAs]; f != nil {
		r.SeenMS, r.Serial = f.WallMS, f.Serial
	}
	r.add(Bad, "revoked", c.Name, c.Revoked.Local().Format("15:04"))
	return r.finish()
}

// lateFor is how many seconds of standstill in a round's journal are reported.
const lateFor = 10

// lateReportedFor is how long after the last standstill it is reported: by then the cause is gone. The total stays
// among the facts.
const lateReportedFor = 10 * time.Minute

// place adds the problems of a board that is not where it belongs.
func (m *maker) place(c *Computer, b *Board, r *Row) {
	twice := false
	for _, number := range []string{b.Serial, b.Wants} {
		if number == "" {
			continue
		}
		for _, o := range m.boardsOfSerial[number] {
			if o.computer == c.Name && o.board == b.ShownAs {
				continue
			}
			mine := number == b.Serial
			switch {
			case mine && o.answering:
				level := Note // both are named by their ports, and watched there
				if b.byNumber() || o.byNumber {
					level = Warn
				}
				r.add(level, "twice", number, m.nameForPeople(o.board), o.computer)
				twice = true
			case !mine && !o.answering && o.computer != c.Name:
				r.add(Warn, "claimed", number, m.nameForPeople(o.board), o.computer)
			case !mine && o.answering && o.computer != c.Name:
				r.add(Bad, "elsewhere", number, m.nameForPeople(o.board), o.computer)
			}
		}
		if b.Serial == b.Wants {
			break
		}
	}
	if b.Was.Serial != "" && !twice {
		was := cmp.Or(m.shownAs[Home{Computer: b.Was.Computer, Board: b.Was.Board}], b.Was.Board)
		r.add(Warn, "moved", b.Was.Serial, m.nameForPeople(was), b.Was.Computer)
	}
	if o, known := m.homeOfSerial[b.Other]; known && b.Other != "" && (o.computer != c.Name || o.board != b.ShownAs) {
		r.add(Bad, "exchanged", b.Other, m.nameForPeople(o.board), o.computer)
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
