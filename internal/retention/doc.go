// Package retention removes journals of closed rounds, to make room or because they are old.
//
// It knows which journals may be removed, in which order, and which were announced on which day. Removed journals are
// kept in a list beside the journals, removed.json, so that people and verify --head can see that this program removed
// them. The list is a note and no proof: a person who can remove a file can also write into it.
//
//	k := retention.Open(dir, time.Now)
//	for ever { told, err := k.Look(ctx, limits) }
//
// # What is removed
//
// It removes whole journals, beginning with the one whose last record is the oldest, until there is room. It never
// removes
//
//   - one that is being written, by any process (its lock), or that belongs to the round of the configuration;
//   - one that was written in the last 7 days, or by the wall clock in the future;
//   - the last one of a board, because the next one begins with the scan that it has measured;
//   - one with a finding that waits for a person (live.BoardStats.Open);
//   - one that is damaged, cannot be read, or is not a regular file: its findings are not known, and it may be
//     evidence.
//
// # Announced before
//
// A journal is removed only if it was announced on three different days on which this program ran, and then on a later
// day. It is announced from 7/8 of the budget on, and with half as much again as the free space to keep, so that there
// is room for these days. A wall clock that is wrong for a day or jumps by years counts as one day. After more than 400
// days without a look, or if the clock was set back, nothing is counted on the first day. At the first look of a
// program, and if the clock was set since the look before, only a first day is counted and nothing is removed: a
// computer that was just switched on may not have its time yet.
//
// # After a crash
//
// The list is written before the first file is removed, and again when all are removed. Journals in between are removed
// at the next look, unless they were written to since. If the list cannot be written, nothing is removed.
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
// The list keeps 20,000 removed journals, the newest. A look at a journal reads it once (170 MB/s), and again only when
// it has changed. A look reads 64 MB, and nothing is removed before all journals that may have to be removed were read:
// with the daemon's looks, 7 GB in an hour.
package retention
