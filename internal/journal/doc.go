// Package journal keeps records in files: it appends them, makes them durable,
// reads them back, and says what became of a file.
//
// It knows files, and the line that package record makes of a record. It does
// not know what records mean: whoever appends an open record decides what is in
// it.
//
// # The files
//
// A journal NAME is a row of segments in one directory, NAME.bwj, NAME.2.bwj,
// NAME.3.bwj …, and nothing else. A segment is lines, without a header that
// would have to agree with them. Sequence numbers are dense over the whole
// journal, and each line is chained to the one before it, across segments.
//
// A segment begins with an open record and ends, when all is well, with a
// close record. A new one begins
//
//   - at every start of the daemon (Create, Continue): no old file is ever
//     appended to;
//   - at 16 MiB: the writer puts {"reason":"rotate"} and an open record, only
//     ever before an input, so that a step is never parted;
//   - after an error of the file system, see below.
//
// NAME.lock is locked while a writer is at work. A segment that is finished may
// be compressed (NAME.2.bwj.zst); OpenWith reads those.
//
// # Writing
//
//	w, err := journal.Create(dir, "board-1", journal.Options{OpenBody: …})
//	w.Append(at, record.Open, …)
//	for each input {
//		seq, err := w.Append(at, kind, body) // in the file before Step sees it
//		effects := machine.Step(…)
//		for each effect { w.Add(at, kind, body) }
//		w.Flush()                            // in the file before it is carried out
//	}
//	w.Close(at, "stop")
//
// What Append has written survives the end of the process. It survives a power
// cut once it is synced: at most 25 ms after the first unsynced record the disk
// is asked, once for all that came until then, or at once when somebody calls
// WaitDurable, which is how an arbiter's decision is confirmed. Durable tells
// how far the disk is.
//
// A slow sync does not delay appending. A disk that does not answer at all
// holds Append up once for 100 ms, then records wait in memory. These are of the
// call itself: a busy computer that lets this program wait says nothing about the disk.
//
// # Heads
//
// Head is the newest record that is on the disk, by its chain. Kept outside the
// computer it tells later whether the journal was cut, or written anew with good
// checksums and chain, which no reader can tell from the file alone
// (internal/replay, Heads). It never names a record that is only in memory, and
// the name with it is that of the files.
//
// # After a failure
//
// A failed write or sync ends the segment. It is never synced again after a
// failed sync, because Linux may have dropped the pages and would then report
// success. All records that are not durable yet are written again, byte for
// byte, to a new segment, followed by an open record that names the error. So
// two segments may hold the same lines; the later ones count, and a reader
// passes over the earlier ones whatever became of them ("superseded").
//
// While no new segment can be written the records stay in memory, 4 MiB of
// them, and Degraded says why. The writer tries again after 100 ms, 200 ms …
// 10 s without being called. When memory is full the youngest records are
// dropped; a gap record with their first and last number takes the place of the
// last one as soon as there is room:
//
//	300 … gap {"cause":"journal: …","from":201,"to":300} …
//
// A journal may begin so, with a disk that takes no file: Create and Continue do not fail for that. If another journal of its name
// comes to light later, it is NAME--2, NAME--3 … on the disk.
//
// A file that somebody removes or replaces while it is written is noticed at the next sync, before that is called durable. What it
// held is copied from the open file to a new one of the same name, or of the next number where another file stands there, and an
// open record says so.
//
// One thing is beyond this: a sync that fails, a kill before the records are
// written again (milliseconds), and a power cut after the next start. The page
// cache may then have shown that start records which the disk never had. They
// are missing from the file afterwards, and it is corrupt, not silently short.
//
// # Reading
//
// A Reader gives every record that can be read and says what cannot
// (Damage). Nothing is ever repaired in place. The verdict of a segment:
//
//	closed    all there, the last record is a close record
//	unclosed  all there up to the end of a line; a last segment that ends with a rotation is, too: GoesOn
//	torn      the last line is cut off, or the file ends in NUL bytes: a power cut
//	corrupt   something before the end is damaged or missing: a bad line, a hole
//	          in the numbers, a line that does not follow the one before it
//
// A random tail is corrupt as soon as it holds a newline: loud is the safe side.
// The verdict of a journal is corrupt if that of any segment is, and that of its
// last segment otherwise. A missing segment makes it corrupt as well.
//
// Going on after a crash is reading to the end and Continue:
//
//	r, err := journal.Open(path)
//	for { rec, err := r.Next(); …Step(rec)… }
//	w, err := journal.Continue(dir, name, r.Last(), options)
//
// # Input it must survive
//
// Any file: cut at any byte, filled with NUL or random bytes, with flipped
// bits, of another journal, hostile. A record is never invented: what Next
// gives stands in the file with its checksum. Reading is linear and keeps at
// most one line (1 MiB) and a thousand damages in memory.
//
// # Limits
//
// Measured on a 2-core virtual machine with clock messages: append 4.5 µs, or
// 1.0 µs when ten records share one Flush; reading with checksum and chain 0.48 µs
// a record, 2.1 million records or 170 MB a second, 3.2 to 3.8 times as fast as
// encoding/json reads the same records without checksums (go test -bench .
// ./internal/journal).
//
// # Compatibility promise
//
// That of package record; and the names of segments, the order in which they
// are read, and the body of the gap record stay as they are here.
//
// Source: reliability notes, sections 1, 3.2, 3.3, L1 to L3, F05 to F08 and F21;
// ecosystem notes, section 4.
package journal
