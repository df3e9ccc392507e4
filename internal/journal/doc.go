// Package journal keeps records in files: it appends them, makes them durable, reads them back, and judges the state of
// a file.
//
// It knows files, and the line that package record makes of a record. It does not know the meaning of records: the
// caller that appends an open record decides its content.
//
// # The files
//
// A journal NAME is a sequence of segments in one directory, NAME.bwj, NAME.2.bwj, NAME.3.bwj …, and nothing else. A
// segment consists of lines, without a header that could contradict them. Sequence numbers are dense over the whole
// journal, and each line is chained to the one before it, across segments.
//
// A segment begins with an open record and ends, when all is well, with a
// close record. A new one begins
//
//   - at every start of the daemon (Create, Continue): no old file is ever
//     appended to;
//   - at 16 MiB: the writer puts {"reason":"rotate"} and an open record, only
//     before an input, so that a step is never divided;
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
// A record that Append has written survives the end of the process. It survives a power cut once it is synced: at most
// 25 ms after the first unsynced record one sync is requested for all records so far, or at once by WaitDurable, which
// confirms an arbiter's decision. Durable returns the last record on the disk.
//
// A slow sync does not delay appending. A disk that does not answer delays Append once for 100 ms; then records wait in
// memory. The 100 ms count only the call itself: time in which a busy computer does not run this program is not counted
// against the disk.
//
// # Heads
//
// Head is the newest record that is on the disk, by its chain. A copy of it outside the computer shows later whether
// the journal was cut, or rewritten with correct checksums and chain, which no reader can detect from the file alone
// (internal/replay, Heads). It never names a record that is only in memory, and its name is the name of the files.
//
// # After a failure
//
// A failed write or sync ends the segment. The segment is never synced again after a failed sync, because Linux may
// have dropped the pages and would then report success. All records that are not durable yet are written again, byte
// for byte, to a new segment, followed by an open record that names the error. So two segments may hold the same lines;
// the later ones count, and a reader skips the earlier ones in whatever state they are ("superseded").
//
// While no new segment can be written the records stay in memory, 4 MiB of them, and Degraded returns the reason. The
// writer tries again after 100 ms, 200 ms … 10 s without being called. When memory is full the youngest records are
// dropped; a gap record with their first and last number takes the place of the last one as soon as there is room:
//
//	300 … gap {"cause":"journal: …","from":201,"to":300} …
//
// A journal may also begin in memory, if no file can be created: Create and Continue do not fail for that. If another
// journal of its name appears later, it becomes NAME--2, NAME--3 … on the disk.
//
// The removal or replacement of a file that is being written is noticed at the next sync, before its records are
// reported durable. The content is copied from the open file to a new one of the same name, or of the next number if
// another file has that name, and an open record says so.
//
// One sequence of events is not covered: a sync that fails, a kill before the records are written again (milliseconds),
// and a power cut after the next start. The page cache may then have shown records to that start which were never on
// the disk. They are missing from the file afterwards, and it is corrupt, not silently short.
//
// # Reading
//
// A Reader returns every record that can be read and reports the rest (Damage). Nothing is ever repaired in place. A
// place that the disk does not return is damage too: reading continues after it, 4 KiB or more later, or with the next
// segment, as it does after a segment that cannot be opened. Next returns an error only when the rest of the last
// segment is given up, which is after 64 such places, and at once in a stream or a compressed file.
//
// A disk may return today a place that it did not return when the journal was continued. Then a later segment begins
// with an open record that follows, by its chain, a record in the middle of an earlier one. The later segment counts,
// because the records written and acknowledged since follow from it, and the rest of the earlier one is damage ("left
// out"). So all readers return the same records, whether the place can be read or not.
//
// The verdict of a segment:
//
//	closed    complete, the last record is a close record
//	unclosed  complete up to the end of a line; also a last segment that ends with a rotation: GoesOn
//	torn      the last line is cut off, or the file ends in NUL bytes: a power cut
//	corrupt   something before the end is damaged or missing: a bad line, a hole
//	          in the numbers, a line that does not follow the one before it
//
// A random tail is corrupt as soon as it contains a newline: a warning too many is the safe side. The verdict of a
// journal is corrupt if that of any segment is, and that of its last segment otherwise. A missing segment makes it
// corrupt as well.
//
// To continue after a crash, read to the end and call Continue:
//
//	r, err := journal.Open(path)
//	for { rec, err := r.Next(); …Step(rec)… }
//	w, err := journal.Continue(dir, name, r.Last(), options)
//
// # Input it must survive
//
// It survives any file: cut at any byte, filled with NUL or random bytes, with flipped bits, of another journal,
// hostile. A record is never invented: every record that Next returns is in the file with its checksum. Reading is
// linear and keeps at most one line (1 MiB) and a thousand damages in memory.
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
// The promise is that of package record; also, the names of segments, the order in which they are read, and the body of
// the gap record stay as they are here.
//
// Source: reliability notes, sections 1, 3.2, 3.3, L1 to L3, F05 to F08 and F21;
// ecosystem notes, section 4.
package journal
