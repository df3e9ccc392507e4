package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"boardwatchd/internal/pairing"
	"boardwatchd/internal/tables"
)

// A Naming finds the names of boards for people, from the state directory of the journals. Two computers of a hall may
// each have a board of one name, and a pairing program knows tables. It belongs to one goroutine.
type Naming struct {
	shownAs map[string]func(computer, board string) string // by the directory
	tables  map[string]map[string]string                   // likewise, by the shown name of the board
	taken   map[string]map[string]bool                     // likewise, the tables in use
}

// Of returns the shown name of a journal's board, and its table; "": none is known.
func (n *Naming) Of(file, board string) (shown, table string) {
	state := StateOf(file)
	if n.shownAs[state] == nil {
		n.read(state)
	}
	shown, computer := board, hostName()
	if abs, err := filepath.Abs(filepath.Dir(file)); err == nil && filepath.Dir(abs) == HallFiles(state).Mirror() {
		computer = filepath.Base(abs)
		shown = n.shownAs[state](computer, board)
	}
	if table = n.tables[state][shown]; table == "" && n.taken[state][pairing.BoardKey(shown)] {
		shown = nameWithComputer(shown, computer)
	}
	return shown, table
}

func (n *Naming) read(state string) {
	if n.shownAs == nil {
		n.shownAs, n.tables, n.taken = map[string]func(string, string) string{}, map[string]map[string]string{}, map[string]map[string]bool{}
	}
	n.shownAs[state] = HallFiles(state).ShownAs()
	if _, err := os.Stat(MemberFile(state)); !errors.Is(err, fs.ErrNotExist) {
		return // the hall's computer has the tables
	}
	if s, err := tables.Read(filepath.Join(state, tablesFile)); err == nil { // otherwise boards have their own names
		n.tables[state] = s.ByBoard()
		n.taken[state] = tableKeys(n.tables[state])
	}
}
