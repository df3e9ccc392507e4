// Package tables keeps the boards' tables, and learns them from presses of clocks.
//
// # What it knows
//
// Entries, which assign a board to a table by its serial number, by a port of a computer, or by its name; the last
// place of each board; the file tables.json beside the journals; a list as people write it; the words of the printed
// sheet. The table is the board's name on the page, in alerts and in a pairing. The board's own name, in journals and
// files, stays.
//
// It does not know games, HTTP, or when a change is allowed: package daemon decides that.
//
//	s, err := tables.Read(path)          // the zero State where there is no file
//	changed := s.Note(places)            // where the boards are now
//	table := s.ByBoard()["board-02718"]
//	f := tables.Finder{Table: "7"}
//	f.Lever("board-02718", "left", now)  // at each reading of a clock
//	told := f.Settle(now)                // often: what was learnt
//
// # Promises
//
//   - An entry by serial number holds wherever the board is plugged in; one by a port for whichever board is there,
//     where no entry has its number. A board that is unplugged keeps its table until another one takes its place.
//   - The Finder learns a table from one board only: where levers moved at two within SettleUS, it asks again.
//   - State.Write replaces the file as a whole and returns when it is on the disk.
//
// # Limits
//
// 2,000 entries and as many places; a file above 2 MiB is refused. A clock may report the movement of its lever up to
// two seconds late, so presses closer together than SettleUS, 2.5 s, count as simultaneous.
package tables
