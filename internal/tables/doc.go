// Package tables keeps which board stands at which table, and learns it from presses of clocks.
//
// # What it knows
//
// Entries, which say of a board by its serial number, by a port of a computer, or by its name that it stands at a
// table; where each board was last; the file tables.json beside the journals; a list as people write it; the words of
// the printed sheet. A table is how a board is called on the page, in alerts and in a pairing. The board's own name,
// which journals and files have, stays.
//
// It does not know games, HTTP, or when a change is allowed: package daemon says that.
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
// 2,000 entries and as many places; a file above 2 MiB is refused. A clock tells that its lever was moved up to two
// seconds late, so that presses closer together than SettleUS, 2.5 s, count as at once.
package tables
