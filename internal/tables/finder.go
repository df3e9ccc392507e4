package tables

import (
	"slices"
	"strconv"
	"strings"

	"boardwatchd/internal/pairing"
)

// SettleUS is how long the Finder waits for another clock: one that was pressed at the same moment may report it that
// much later.
const SettleUS = 2_500_000

// A Finder learns from presses of clocks which board is at a table. The caller passes the readings of the clocks, and
// asks for the result.
type Finder struct {
	Table string // the table whose clock is to be pressed

	levers      map[string]string // the side that was up, by board
	movedLevers []string          // boards with a moved lever since the last answer
	movedSince  int64             // time of the first of these movements
}

// Results of Answer.
const (
	Nothing = ""
	Learnt  = "learnt"
	Several = "several" // levers moved at more than one board: press again
	Already = "already" // the board was learnt for another table
	InPlay  = "in_play" // the board has a game in progress
)

// Begin waits for a table: earlier presses do not count.
func (f *Finder) Begin(table string) { f.Table, f.movedLevers = table, nil }

// Lever takes the side on which the lever of a board's clock is up; "": unknown at the moment. Now is in microseconds
// of any clock.
func (f *Finder) Lever(board, up string, now int64) {
	if f.levers == nil {
		f.levers = map[string]string{}
	}
	old := f.levers[board]
	f.levers[board] = up
	if old == "" || up == "" || old == up || f.Table == "" {
		return
	}
	if len(f.movedLevers) == 0 {
		f.movedSince = now
	}
	if !slices.Contains(f.movedLevers, board) {
		f.movedLevers = append(f.movedLevers, board)
	}
}

// Waits reports whether a lever has moved and its result is still open.
func (f *Finder) Waits() bool { return len(f.movedLevers) > 0 }

// Settle returns the boards with moved levers, once no other clock can have been pressed at the same moment.
func (f *Finder) Settle(now int64) (boards []string) {
	if len(f.movedLevers) == 0 || now-f.movedSince < SettleUS {
		return nil
	}
	boards, f.movedLevers = f.movedLevers, nil
	return boards
}

// Answer returns the meaning of presses at boards. InPlay reports a game in progress; found is what was learnt before.
// There is an entry only with Learnt.
func (f *Finder) Answer(boards []string, inPlay func(board string) bool, found []Entry, places []Place) (what, board, table string, e Entry) {
	idle := slices.DeleteFunc(slices.Clone(boards), inPlay)
	switch {
	case len(boards) == 0:
		return Nothing, "", "", e
	case len(idle) == 0:
		return InPlay, boards[0], "", e
	case len(idle) > 1:
		return Several, strings.Join(idle, ", "), "", e
	}
	board = idle[0]
	if was := byBoard(found, places)[board]; was != "" {
		return Already, board, was, e
	}
	return Learnt, board, f.Table, EntryOf(board, f.Table, places)
}

// Next is the next free table after one: 8 after 7, B8 after B7. "": tables are not numbered.
func Next(table string, taken []Entry) string {
	head := strings.TrimRight(table, "0123456789")
	n, err := strconv.ParseUint(table[len(head):], 10, 32)
	if err != nil {
		return ""
	}
	for range MaxEntries + 1 {
		n++
		next := head + strconv.FormatUint(n, 10)
		if !slices.ContainsFunc(taken, func(e Entry) bool { return sameTable(e.Table, next) }) {
			return next
		}
	}
	return ""
}

func sameTable(a, b string) bool { return pairing.BoardKey(a) == pairing.BoardKey(b) }
