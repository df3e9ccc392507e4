package roster

import (
	"cmp"
	"slices"
	"time"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/live"
	"boardwatchd/internal/pairing"
	"boardwatchd/rules/words"
)

// A Computer is a computer of the hall, or the one that makes the list.
type Computer struct {
	Name           string
	Own            bool // it makes the list: other clocks and versions are compared with its own
	Here           bool
	Seen           time.Time // when it was last heard; zero: not since the start
	New            bool      // not heard since it joined
	Joined         time.Time
	Version        string
	Core           string
	Self           wire.Self // as last heard
	Ahead          time.Duration
	AheadKnown     bool     // Ahead is known
	TwoPrograms    bool     // two programs speak with its key
	OnTwoComputers bool     // the two programs are on two computers
	Hosts          []string // the names of their computers
	Boards         []Board
	RefusedBoards  []string // boards of its last beat that the hall does not show
	FreeLimit      int64    // bytes of the disk below which that is reported; 0: never
	TooLarge       string   // a journal with a file that the hall refused for its size
	Mirrored       int64    // bytes of its journals at the hall; of the hall's own computer: of all journals there
	NoRound        NoRound
	Troubles       []Problem // of the computer that makes the list: problems of its own program
	File           string    // of the computer that makes the list: its configuration; "": found without one
	NoRoom         NoRoom    // of the hall's own computer: why it takes no more journals; "": it takes them
	Pairing        []PairingMistake
	// Revoked is when it was revoked. Only its boards that are missing in the round are listed. Zero: it is in the
	// hall.
	Revoked time.Time
}

// NoRound is why a computer does not have the hall's round.
type NoRound struct {
	Why  string // "": it has the round, or is just receiving it
	Disk bool   // its disk did not take the round; it is tried again
}

// NoRoom is why a hall takes no more journals.
type NoRoom string

// The values of NoRoom.
const (
	NoSpace NoRoom = "hall_full"
	NoFiles NoRoom = "hall_files"      // the file system has room for only a few more files
	NoWrite NoRoom = "hall_unwritable" // the state directory takes no file
)

// A Board is a board of a computer.
type Board struct {
	ShownAs string // its name in live.Facts
	Name    string // its own
	Here    bool   // the computer watches it now
	Gone    bool   // the computer can be reached, and has no such board any more
	wire.Place
	Trouble string   // why the disk does not take its journal
	Damage  string   // the part of it that could not be read at the start
	Lost    []string // decisions and reports that its computer has lost
	// StalledSince is since when the hall lacks records that its computer has written; zero: it has all, or is
	// receiving them.
	StalledSince time.Time
	Journal      string // its name
	Was          Home   // where it was before, if it moved
	Home         string // the number of the board that belongs here, if it is known
	Table        string // of a revoked computer: the board's name for people
}

// The levels of a row, the worst first.
const (
	Bad  = "bad"
	Warn = "warn"
	Note = "note" // it works
	Good = "ok"
)

var ranks = map[string]int{Bad: 0, Warn: 1, Note: 2, Good: 3}

// A PairingMistake is what is wrong with the pairing of the round at a board. The computer that makes the list has
// them.
type PairingMistake struct {
	What    string // paired_none, paired_twice, paired_nobody, paired_alone
	ShownAs string // as Board.ShownAs; "": there is no such board
	Seat    string // the pairing's name of the board
	Other   string // the pairing's name of the other board; the player who is alone
}

// A Problem is a state that needs attention, with its remedy.
type Problem struct {
	What      string          `json:"what"` // a word for programs
	Level     string          `json:"level"`
	Text      string          `json:"text"`
	Say       words.Sentence  `json:"say"` // without a Text, so that every language can be made from it
	Detail    string          `json:"detail,omitempty"`
	DetailSay *words.Sentence `json:"detail_say,omitempty"`
	Do        string          `json:"do"`
	DoSay     words.Sentence  `json:"do_say"`
}

// A Row is a row of the list: a computer, or a board.
type Row struct {
	Computer string    `json:"computer"`
	Board    string    `json:"board"` // "": the row is the computer's
	Table    string    `json:"table,omitempty"`
	Name     string    `json:"name,omitempty"` // as live.Summary.Name
	Own      bool      `json:"own,omitempty"`
	NoBoard  bool      `json:"no_board,omitempty"` // Board is a name of the pairing, and no board is called so
	Level    string    `json:"level"`
	Problems []Problem `json:"problems"` // the worst first
	Here     bool      `json:"here"`
	SeenMS   int64     `json:"seen_ms"` // 0: not known
	// The fields below are of a computer.
	Version string `json:"version,omitempty"`
	Core    string `json:"core,omitempty"`
	Host    string `json:"host,omitempty"`
	AheadMS *int64 `json:"ahead_ms,omitempty"`
	FreeMB  *int64 `json:"free_mb,omitempty"`
	Boards  int    `json:"boards,omitempty"`
	// The fields below are of a board.
	Link         string  `json:"link,omitempty"`
	Clock        string  `json:"clock,omitempty"`         // connected, missing, unknown
	ClockBattery string  `json:"clock_battery,omitempty"` // low; otherwise unknown
	Battery      string  `json:"battery,omitempty"`       // of the board, likewise
	ScanMS       int     `json:"scan_ms,omitempty"`
	Journal      string  `json:"journal,omitempty"` // ok, degraded
	LateS        float64 `json:"late_s"`
	Serial       string  `json:"serial,omitempty"`
	Port         string  `json:"port,omitempty"`

	file string // the configuration of the program that makes the list
}

// A Newcomer waits to be accepted.
type Newcomer struct {
	Code    string `json:"code"`
	Host    string `json:"host"`
	Name    string `json:"name"` // a free name for it
	AskedMS int64  `json:"asked_ms"`
}

// A Stranded decision waits for a board whose computer is not in the hall any more: the board cannot get it.
type Stranded struct {
	Computer string `json:"computer"`
	Board    string `json:"board"` // as shown
	Finding  string `json:"finding"`
	Decision string `json:"decision"`
	By       string `json:"by"`
	Request  string `json:"request"`
	WallMS   int64  `json:"wall_ms"`
}

// A List is the operator's list.
type List struct {
	Hall      bool       `json:"hall"` // false: of one computer
	Version   string     `json:"version"`
	Core      string     `json:"core"`
	NowMS     int64      `json:"now_ms"`
	Rows      []Row      `json:"rows"`
	Newcomers []Newcomer `json:"newcomers"`
	Stranded  []Stranded `json:"stranded"`
}

// Make makes the list.
func Make(hall bool, computers []Computer, boards []live.Facts, now time.Time) List {
	m := maker{facts: map[string]*live.Facts{}, now: now, hall: hall}
	for i := range boards {
		m.facts[boards[i].Board] = &boards[i]
	}
	for i := range computers {
		if computers[i].Own {
			m.own = &computers[i]
		}
	}
	if m.own == nil {
		m.own = &Computer{}
	}
	m.compare(computers)
	l := List{Hall: hall, Version: m.own.Version, Core: m.own.Core, NowMS: now.UnixMilli(), Rows: []Row{}, Newcomers: []Newcomer{}, Stranded: []Stranded{}}
	for i := range computers {
		c := &computers[i]
		if !c.Revoked.IsZero() {
			for _, b := range c.Boards {
				l.Rows = append(l.Rows, m.missed(c, &b))
			}
			continue
		}
		l.Rows = append(l.Rows, m.computer(c))
		for j := range c.Boards {
			if b := &c.Boards[j]; !b.Gone {
				l.Rows = append(l.Rows, m.board(c, b))
			} else if r, shown := m.gone(c, b); shown {
				l.Rows = append(l.Rows, r)
			}
		}
	}
	l.Rows = m.addPairing(l.Rows)
	slices.SortStableFunc(l.Rows, worse)
	return l
}

// addPairing adds the mistakes of the pairing to the rows of their boards, and rows for boards that are not there.
func (m *maker) addPairing(rows []Row) []Row {
	of, lost := map[string]int{}, map[string]bool{}
	for i, r := range rows {
		if r.Board == "" {
			continue
		}
		of[r.Board] = i
		if r.has("revoked") || r.has("was_here") {
			lost[pairing.BoardKey(cmp.Or(r.Table, r.Name, r.Board))] = true
		}
	}
	for _, p := range m.own.Pairing {
		if p.What == "paired_none" && lost[pairing.BoardKey(p.Seat)] {
			continue // its row says where the board is
		}
		i, known := of[p.ShownAs]
		if !known {
			i = len(rows)
			r := m.row(m.own, cmp.Or(p.ShownAs, p.Seat))
			r.NoBoard = p.ShownAs == ""
			rows = append(rows, r)
		}
		level := Bad
		if p.What == "paired_nobody" || p.What == "paired_alone" {
			level = Warn
		}
		r := &rows[i]
		r.add(level, p.What, cmp.Or(p.Other, p.Seat))
		r.finish()
	}
	return rows
}

// worse orders rows: by their level, computers before boards, by name in natural order.
func worse(a, b Row) int {
	kind := func(r Row) int {
		if r.Board == "" {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(ranks[a.Level], ranks[b.Level]), cmp.Compare(kind(a), kind(b)), pairing.Natural(a.Board, b.Board), pairing.Natural(a.Computer, b.Computer))
}
