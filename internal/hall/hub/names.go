package hub

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/secretfile"
)

// A shownName is the name under which a board is shown, for good: phones remember it, and what they send again must
// reach the same board.
type shownName struct {
	Computer string `json:"computer"`
	Board    string `json:"board"` // its name at the computer
	Shown    string `json:"shown"`
}

// names are the shown names of all boards, and their file. The hub's lock guards them.
type names struct {
	path    string
	list    []shownName
	unsaved bool // not in the file yet
	retry   time.Time
}

func openNames(path string) (*names, error) {
	n := &names{path: path}
	err := readJSON(path, &n.list)
	return n, err
}

// of returns the name under which a board is shown: its own, unless a board of another computer has it.
func (n *names) of(computer, board string) string {
	shown := board
	for _, o := range n.list {
		if o.Computer == computer && o.Board == board {
			return o.Shown
		}
	}
	for slices.ContainsFunc(n.list, func(o shownName) bool { return o.Shown == shown }) {
		shown += "@" + computer
	}
	n.list, n.unsaved = append(n.list, shownName{computer, board, shown}), true
	return shown
}

// ShownAs returns a function that gives the name under which the hall shows a board, from the hall's file. For a board
// that is not in the file, the name of its computer is appended if another board is shown under its own name.
func (f Files) ShownAs() func(computer, board string) string {
	n, _ := openNames(f.names()) // without a readable file the boards have their own names
	n.list = slices.Clone(n.list)
	return n.of
}

// maxNames is how many names of boards one computer has: boards change from event to event, and each name stays.
const maxNames = 256

// refuses returns why a computer cannot have a board; "": it can. A computer with maxNames names gives up its oldest
// unused one: that board was not heard since the start, and the hall has no journal of it.
func (n *names) refuses(computer, board string, used func(shown string) bool) string {
	if !isName(board) {
		return "it has a name that no board has"
	}
	count, oldest := 0, -1
	for i, o := range n.list {
		if o.Computer != computer {
			continue
		}
		if o.Board == board {
			return ""
		}
		if count++; oldest < 0 && !used(o.Shown) {
			oldest = i
		}
	}
	switch {
	case count < maxNames:
	case oldest < 0:
		return fmt.Sprintf("the computer has had %d boards, and their journals are still there: remove journals of earlier events there and here, and start the hall again", maxNames)
	default:
		n.list, n.unsaved = slices.Delete(n.list, oldest, oldest+1), true
	}
	return ""
}

// isName reports whether a board can have a name: one that a configuration accepts, or for a board that was found,
// "board-" and its serial number.
func isName(s string) bool {
	rest, found := strings.CutPrefix(s, "board-")
	for i, c := range []byte(rest) {
		if found && c > ' ' && c <= '~' {
			continue
		}
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return s != "" && len(s) <= maxName
}

// maxName is the greatest length of a board's name.
const maxName = 32

// renamed are the boards of each computer that are shown under another name than their own, because another computer of
// the hall has a board of that name. The caller holds the lock.
func (h *Hub) renamed() map[string][]string {
	in, now := map[string]int{}, time.Now() // how many computers of the hall have a board of a name
	for _, o := range h.names.list {
		if h.member(o.Computer) && !h.without(o.Computer, o.Board, now) {
			in[o.Board]++
		}
	}
	list := map[string][]string{}
	for _, o := range h.names.list {
		others, has := in[o.Board], h.member(o.Computer)
		if has && h.without(o.Computer, o.Board, now) {
			continue
		}
		if has {
			others--
		}
		if o.Shown != o.Board && others > 0 {
			list[o.Computer] = append(list[o.Computer], o.Shown)
		}
	}
	return list
}

// without says whether a computer is there and has no board of that name any more. The caller holds the lock.
func (h *Hub) without(computer, board string, now time.Time) bool {
	c := h.computers[computer]
	return c != nil && c.without(board, now)
}

// keepAgain is the pause after the disk did not take a file.
const keepAgain = 10 * time.Second

// keepNames puts new names on the disk.
func (h *Hub) keepNames() {
	h.mu.Lock()
	changed, list := h.names.unsaved && time.Now().After(h.names.retry), slices.Clone(h.names.list)
	h.names.unsaved = h.names.unsaved && !changed
	h.mu.Unlock()
	if !changed {
		return
	}
	b, err := json.MarshalIndent(list, "", " ")
	if err == nil {
		err = secretfile.Replace(h.names.path, append(b, '\n'))
	}
	if err != nil {
		h.opt.Log.Error().Err(err).Msg("the names of the boards are not on the disk: another start may show others")
		h.mu.Lock()
		h.names.unsaved, h.names.retry = true, time.Now().Add(keepAgain)
		h.mu.Unlock()
	}
	h.opt.Changed() // a board may be shown under another name than its own now
}
