package tables

import (
	"slices"
	"strconv"
	"strings"

	"boardwatchd/internal/pairing"
)

// SettleUS is how long the Finder waits for another clock: one that was pressed at the same moment may tell it so much
// later.
const SettleUS = 2_500_000

// A Finder learns from presses of clocks which board stands at a table. The caller gives it the readings, and asks what
// came of them.
type Finder struct {
	Table string // whose clock is to be pressed

	levers map[string]string // the side that was up, by board
	moved  []string          // boards at which a lever moved since the last answer
	since  int64             // when the first of them did
}

// What Settle tells.
const (
	Nothing = ""
	Learnt  = "learnt"
	Several = "several" // levers moved at more than one board: press again
	Already = "already" // the board was learnt as another table
	InPlay  = "in_play" // the board has a game in progress
)

// Begin asks for a table anew: what was pressed until now does not count.
func (f *Finder) Begin(table string) { f.Table, f.moved = table, nil }

// Lever takes on which side the lever of a board's clock is up; "": that is not known at this moment. Microseconds of
// any clock.
func (f *Finder) Lever(board, up string, now int64) {
	if f.levers == nil {
		f.levers = map[string]string{}
	}
	old := f.levers[board]
	f.levers[board] = up
	if old == "" || up == "" || old == up || f.Table == "" {
		return
	}
	if len(f.moved) == 0 {
		f.since = now
	}
	if !slices.Contains(f.moved, board) {
		f.moved = append(f.moved, board)
	}
}

// Waits says whether a lever has moved, and what came of it is not known yet.
func (f *Finder) Waits() bool { return len(f.moved) > 0 }

// Settle returns the boards at which levers were moved, when no other clock can have been pressed at that moment.
func (f *Finder) Settle(now int64) (boards []string) {
	if len(f.moved) == 0 || now-f.since < SettleUS {
		return nil
	}
	boards, f.moved = f.moved, nil
	return boards
}

// Answer says what presses at boards mean: in play are those with a game in progress, found what was learnt before.
// Only for Learnt there is an entry.
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

// Next is the table after one: 8 after 7, B8 after B7, of those that are not taken. "": tables are not numbered.
func Next(table string, taken []Entry) string {
	head := strings.TrimRight(table, "0123456789")
	n, err := strconv.ParseUint(table[len(head):], 10, 32)
	if err != nil {
		return ""
	}
	for range Most + 1 {
		n++
		next := head + strconv.FormatUint(n, 10)
		if !slices.ContainsFunc(taken, func(e Entry) bool { return sameTable(e.Table, next) }) {
			return next
		}
	}
	return ""
}

func sameTable(a, b string) bool { return pairing.BoardKey(a) == pairing.BoardKey(b) }
