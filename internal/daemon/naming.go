package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"boardwatchd/internal/tables"
)

// A Naming says how people call the boards of journals, by what stands in the state directory of this computer or of the
// hall: two computers of a hall may have a board of one name each, and a pairing program knows tables. It belongs to one
// goroutine.
type Naming struct {
	shown  map[string]func(computer, board string) string // by the directory
	tables map[string]map[string]string                   // likewise, by the board as it is shown
}

// Of is how the board of a journal's file is shown, and the table at which it stands; "": none is known.
func (n *Naming) Of(file, board string) (shown, table string) {
	state := StateOf(file)
	if n.shown[state] == nil {
		n.read(state)
	}
	shown = board
	if abs, err := filepath.Abs(filepath.Dir(file)); err == nil && filepath.Dir(abs) == HallFiles(state).Mirror() {
		shown = n.shown[state](filepath.Base(abs), board)
	}
	return shown, n.tables[state][shown]
}

func (n *Naming) read(state string) {
	if n.shown == nil {
		n.shown, n.tables = map[string]func(string, string) string{}, map[string]map[string]string{}
	}
	n.shown[state] = HallFiles(state).Shown()
	if _, err := os.Stat(MemberFile(state)); !errors.Is(err, fs.ErrNotExist) {
		return // the tables are the hall's
	}
	if s, err := tables.Read(filepath.Join(state, tablesFile)); err == nil { // else boards are called by their names
		n.tables[state] = s.ByBoard()
	}
}
