// Package retention removes journals of closed rounds: for room, or at the end of their time.
//
// It knows which journals may go, in which order, and what was announced on which day. What it removes is kept in a
// list beside the journals, removed.json, so that people and verify --head can tell that it was removed by this
// program. The list is a note and no proof: whoever can remove a file can write into it.
//
//	k := retention.Open(dir, time.Now)
//	for ever { told, err := k.Look(ctx, limits) }
//
// # What is removed
//
// Whole journals, the one that was written last the longest time ago first, until there is room. Never
//
//   - one that is being written, by whatever process (its lock), or of the round of the configuration;
//   - one that was written in the last 7 days, or by the wall clock in the future;
//   - the last one of a board: the next one begins with the scan that it has measured;
//   - one with a finding that waits for a person (live.BoardStats.Open);
//   - one that is damaged, cannot be read, or is no plain file: nothing is known about its findings, and it may be
//     evidence.
//
// # Announced before
//
// A journal goes only when it was announced on three different days on which this program ran, and on a later one. It
// is announced from 7/8 of the budget on, and with half as much again as the free space that is kept, so that there is
// room for these days. A wall clock that is wrong for a day or jumps by years counts as one day; after more than 400
// days without a look, and where the clock was set back, nothing is counted on the first day. Nothing but the first day
// is counted, and nothing goes, at the first look of a program and at one between which and the one before the clock
// was set: a computer that is switched on may not have its time yet.
//
// # After a crash
//
// The list is written before the first file goes, and again when all are gone. What was left between is removed at the
// next look, unless it was written to since. If the list cannot be written, nothing is removed.
//
// # The file
//
//	{"version": 1, "looked": "2026-11-26",
//	 "due": [{"journal": "b1-r2", "bytes": 2104533, "written": "2026-05-03T17:12:09Z", "seq": 41200, "chain": "32 hex digits", "why": "room", "told": ["2026-11-24"]}],
//	 "removed": [{"journal": "b1-r1", "bytes": 1904112, "written": "2026-04-26T16:40:00Z", "seq": 38113, "chain": "…", "why": "age", "at": "2026-11-26T09:00:12Z"}]}
//
// Seq and chain are those of the last record. An entry of "removed" with "unfinished": true has files that are still
// there.
//
// # Limits
//
// 20,000 removed journals are kept in the list, the newest. To look at a journal is to read it once (170 MB/s), and
// again only when it has changed. 64 MB are read at a look, and nothing goes before all that may have to go is read:
// with the daemon's looks, 7 GB in an hour.
package retention
