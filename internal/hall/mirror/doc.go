// Package mirror keeps copies of the journals of other computers, file for file and byte for byte.
//
// # What it knows
//
// Pieces of files: their places, whether they are there already, whether they agree. It does not know where pieces come
// from, and reads no record: a torn or damaged segment of a board is copied as it is, because it is evidence.
//
//	j, err := store.Journal("table-7", "7-r3")
//	out, err := j.Put(segment, offset, data, final)
//	    out.Fresh  what was appended
//	    out.Hole   nothing was done: the bytes before it are missing
//	    out.Lost   what was there differed, and was set aside
//
// # What differs
//
// The board's journal is the truth. If a piece differs from the mirror, or a segment ends earlier, the board has lost
// bytes that it had sent before they were on its disk (a power cut), or the mirror is damaged. The file is renamed to
// NAME.bwj.lost-N, and the board's bytes replace it. A program that removes a journal removes these files with it
// (SetAside).
//
// # Input it must survive
//
// Any pieces in any order. At most one piece is in memory. A file that cannot be written is an error, and the caller
// asks for the piece again later; until then it puts nothing that comes after the piece (Ended).
//
// # Limits
//
// A Journal is used by one goroutine, and keeps one file open. Files are synced at the end of a segment and by Close
// only: after a power cut Sum shows what is missing, and it is fetched again.
package mirror
