// Package recording opens the files for the commands replay, decode, pgn, report and verify, and yields their records
// one by one.
//
// It knows four formats, which it recognises by their content and not by their
// names, plain or compressed with gzip or zstd, from a file or from standard
// input:
//
//	journal          lines of a daemon (package record), with all segments of the
//	                 journal when a file is named, alone from standard input
//	timed capture    {"t":seconds,"dir":"rx"|"tx","hex":"8e00053400"} per line, rx
//	                 from the board, t from any origin; a first line without t
//	                 is a header with keys of its writer's
//	untimed capture  hexadecimal text, one message per line, # before a comment
//	raw bytes        what the board sent, as it came
//
// It does not know the meaning of bytes, except that it takes the time of the untimed formats from the ticks of the
// board's clock, because they have no other.
//
// # The caller's loop
//
//	src, err := recording.Open(path, os.Stdin)
//	for {
//		it, err := src.Next()
//		if err == io.EOF { break }
//		if err != nil { … } // what came before is good
//		machine.Step(it.Record)
//	}
//	src.Close()
//
// A journal's records come as they are, inputs and effects. Records of a capture
// are Rx and Tx, numbered from 2: an open record, and a close record at the end,
// are the caller's.
//
// # Times
//
// A timed capture begins at 0. The difference to its first t is computed from the decimal digits without floating
// point, and cut to microseconds. A time that runs backwards is replaced by the one before it and counted (Clamped). In
// an untimed capture a second passes when the running side loses one.
//
// # Input it must survive
//
// Any file. An unknown kind, a directory, an empty or truncated file is one clear error; a bad line of a capture ends
// it with a LineError that names file and line, after everything before it. A damaged journal is read as far as
// possible, see package journal. A line has at most 1 MiB, a .zst at most a window of 128 MiB; otherwise memory does
// not grow with the file.
//
// # Writing
//
// CaptureWriter writes a timed capture, for emulators and for bug reports.
//
// # Compatibility promise
//
// The formats above stay readable. Keys may be added to the lines of a timed capture; unknown ones are skipped.
//
// Source: the contract, section 2; DGT protocol notes, sections 5.4 and 12.
package recording
