package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"boardwatchd/internal/pairing"
	"boardwatchd/internal/tables"
)

// A Naming says how people call the boards of journals, by what stands in the state directory of this computer or of the
// hall: two computers of a hall may have a board of one name each, and a pairing program knows tables. It belongs to one
// goroutine.
type Naming struct {
	shownAs map[string]func(computer, board string) string // by the directory
	tables  map[string]map[string]string                   // likewise, by the board as it is shown
	taken   map[string]map[string]bool                     // likewise, the tables
}

// Of is how the board of a journal's file is shown, and the table at which it stands; "": none is known.
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
		shown = apart(shown, computer)
	}
	return shown, table
}

func (n *Naming) read(state string) {
	if n.shownAs == nil {
		n.shownAs, n.tables, n.taken = map[string]func(string, string) string{}, map[string]map[string]string{}, map[string]map[string]bool{}
	}
	n.shownAs[state] = HallFiles(state).ShownAs()
	if _, err := os.Stat(MemberFile(state)); !errors.Is(err, fs.ErrNotExist) {
		return // the tables are the hall's
	}
	if s, err := tables.Read(filepath.Join(state, tablesFile)); err == nil { // else boards are called by their names
		n.tables[state] = s.ByBoard()
		n.taken[state] = tableKeys(n.tables[state])
	}
}
