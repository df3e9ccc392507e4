package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"boardwatchd/internal/pairing"
	"boardwatchd/internal/secretfile"
)

// An Entry assigns a board to a table: by serial number, by a port, or without either by its name.
type Entry struct {
	Table    string `json:"table"`
	Serial   string `json:"serial,omitempty"`
	Computer string `json:"computer,omitempty"` // of Port; "": the only one
	Port     string `json:"port,omitempty"`
	Board    string `json:"board,omitempty"` // its shown name
}

// A Place is the last known place of a board.
type Place struct {
	Board    string `json:"board"` // its shown name
	Computer string `json:"computer,omitempty"`
	Serial   string `json:"serial,omitempty"`
	Port     string `json:"port,omitempty"`
	Was      string `json:"was,omitempty"` // the number before Serial; Note sets it
	Other    string `json:"-"`             // the number of another board that answers there and is not watched
}

// A State is the content of the file.
type State struct {
	Version int     `json:"version"`
	Entries []Entry `json:"entries"`         // in force
	Found   []Entry `json:"found,omitempty"` // learnt from presses and not in force yet
	Places  []Place `json:"places,omitempty"`
}

const (
	version = 1
	maxFile = 2 << 20
	// MaxEntries is the largest number of entries.
	MaxEntries = 2000
)

// Read reads the file. Without a file the State is empty. An error names the remedy.
func Read(path string) (s State, err error) {
	if err := secretfile.ReadJSON(path, maxFile, version, &s); err != nil {
		return State{}, fmt.Errorf("which board stands at which table: %w: find the tables again", err)
	}
	return s, nil
}

// Write writes the state to the disk.
func (s State) Write(path string) error {
	s.Version = version
	return secretfile.WriteJSON(path, s)
}

// Note takes the places of the boards that answer now, and reports whether they are new. It replaces the slices of s
// and does not change them.
func (s *State) Note(now []Place) (changed bool) {
	list := s.Places
	now = s.putBack(now)
	for _, p := range now {
		at := slices.IndexFunc(list, func(o Place) bool { return o.Board == p.Board })
		if p.Serial == "" && p.Port == "" || at >= 0 && list[at].same(p) {
			continue
		}
		if !changed {
			list, changed = slices.Clone(list), true
		}
		if at < 0 {
			at = len(list)
			list = append(list, p)
		}
		if list[at].Computer == p.Computer { // a value that is unknown now was known before
			p.Serial, p.Port = cmp.Or(p.Serial, list[at].Serial), cmp.Or(p.Port, list[at].Port)
		}
		if p.Was = list[at].Was; p.Serial != list[at].Serial {
			p.Was = cmp.Or(list[at].Serial, p.Was)
		}
		list[at] = p
	}
	if !changed {
		return false
	}
	for _, p := range now { // another board has taken a port, or another place has the number
		for i := range list {
			if list[i].Board == p.Board {
				continue
			}
			if p.Port != "" && list[i].Port == p.Port && list[i].Computer == p.Computer && !answers(now, list[i].Board) {
				list[i].Port = ""
			}
			if p.Serial != "" && list[i].Serial == p.Serial && !answers(now, list[i].Board) {
				list[i].Serial, list[i].Was = "", p.Serial
			}
		}
	}
	if len(list) > MaxEntries {
		list = list[len(list)-MaxEntries:]
	}
	same := slices.Equal(s.Places, list)
	s.Places = list
	return !same
}

func (p *Place) same(o Place) bool {
	return p.Board == o.Board && p.Computer == o.Computer && p.Serial == o.Serial && p.Port == o.Port
}

// putBack returns the places as they will be when exchanged cables are put back: of two boards, or of more in a ring,
// of which at least one answers at another one's place and one is not in use. Until then the boards keep their tables.
func (s *State) putBack(now []Place) []Place {
	list, known := slices.Clone(now), map[string]Place{}
	for _, p := range s.Places {
		known[p.Board] = p
	}
	for i := range list {
		list[i].Other = ""
	}
	for i, p := range now {
		if p.Other == "" {
			continue
		}
		chain := exchangeRing(now, known, i)
		if !slices.ContainsFunc(chain, func(j int) bool { return now[j].Serial != "" }) {
			continue
		}
		for k, j := range chain {
			list[j].Serial = now[chain[(k+1)%len(chain)]].number()
		}
	}
	return list
}

// exchangeRing returns the places, beginning with one, each of whose boards answers at the next place, and the last
// one's at the first. A board is recognised by its present or previous number. It returns nil if there is no ring.
func exchangeRing(now []Place, known map[string]Place, first int) []int {
	at := map[int]int{} // where the board of a place answers
	for todo := []int{first}; len(todo) > 0; todo = todo[1:] {
		here, number := todo[0], now[todo[0]].number()
		for i, p := range now {
			k := known[p.Board]
			if _, found := at[i]; found || i == here || number == "" || k.Serial != number && k.Was != number {
				continue
			}
			at[i] = here
			todo = append(todo, i)
		}
	}
	next, found := at[first]
	if !found {
		return nil
	}
	list := []int{first}
	for ; next != first; next = at[next] {
		list = append(list, next)
	}
	return list
}

// number is the number of the board that answers at a place, watched or not.
func (p *Place) number() string { return cmp.Or(p.Serial, p.Other) }

// Elsewhere is the place where the board with a number answers, if that is the place of another board.
func Elsewhere(now []Place, serial, board string) (at Place, found bool) {
	i := slices.IndexFunc(now, func(o Place) bool {
		return serial != "" && o.Board != board && (o.Serial == serial || o.Other == serial)
	})
	if i < 0 || slices.ContainsFunc(now, func(o Place) bool { return o.Board == board && o.Serial == serial }) {
		return at, false
	}
	return now[i], true
}

func answers(now []Place, board string) bool {
	return slices.ContainsFunc(now, func(p Place) bool { return p.Board == board && p.Serial != "" })
}

// ByBoard are the tables of the boards.
func (s *State) ByBoard() map[string]string { return byBoard(s.Entries, s.Places) }

// EntriesAfterUse returns Entries and Found together, as they will be after Use.
func (s *State) EntriesAfterUse() []Entry { return Join(s.Entries, s.Found, s.Places) }

func byBoard(entries []Entry, places []Place) map[string]string {
	of, known := map[string]string{}, map[string]bool{}
	for _, p := range places {
		known[p.Board] = true
	}
	give := func(matches func(e *Entry, p *Place) bool) {
		for i := range entries {
			var board string
			for j := range places {
				if matches(&entries[i], &places[j]) && of[places[j].Board] == "" {
					if board != "" {
						board = "" // two boards answer with one number: it identifies neither
						break
					}
					board = places[j].Board
				}
			}
			if board != "" && !slices.Contains(slices.Collect(maps.Values(of)), entries[i].Table) {
				of[board] = entries[i].Table
			}
		}
	}
	give(func(e *Entry, p *Place) bool { return e.Serial != "" && e.Serial == p.Serial })
	give(func(e *Entry, p *Place) bool {
		return e.Serial == "" && e.Port != "" && e.Port == p.Port && e.Computer == p.Computer
	})
	for _, e := range entries {
		if e.Board != "" && e.Serial == "" && e.Port == "" && of[e.Board] == "" {
			of[e.Board] = e.Table
		}
	}
	return of
}

// Join adds entries to others. They replace earlier entries of the same table, and of the same board.
func Join(old, more []Entry, places []Place) []Entry {
	gone := byBoard(more, places)
	list := slices.Clone(more)
	for _, e := range old {
		if slices.ContainsFunc(more, func(o Entry) bool { return sameTable(o.Table, e.Table) || o.key() == e.key() }) {
			continue
		}
		taken := false
		for board := range byBoard([]Entry{e}, places) {
			taken = taken || gone[board] != ""
		}
		if !taken {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return pairing.Natural(a.Table, b.Table) })
	return list
}

// key is the part of an entry that identifies its board.
func (e Entry) key() Entry { e.Table = ""; return e }

// EntryOf makes an entry that identifies a board by its number, unless another board has it too, or by its port, or by
// its name.
func EntryOf(board, table string, places []Place) Entry {
	at := slices.IndexFunc(places, func(p Place) bool { return p.Board == board })
	if at < 0 {
		return Entry{Table: table, Board: board}
	}
	p := places[at]
	twice := slices.ContainsFunc(places, func(o Place) bool { return o.Board != board && o.Serial == p.Serial })
	switch {
	case p.Serial != "" && !twice:
		return Entry{Table: table, Serial: p.Serial}
	case p.Port != "":
		return Entry{Table: table, Computer: p.Computer, Port: p.Port}
	}
	return Entry{Table: table, Board: board}
}
