// Package record is one record of a journal and its canonical line of text.
//
// Every input of the core is a record: bytes of a board, a timer that fired, an arbiter's decision. Every output of the
// core is a record too. A journal is a sequence of such lines, and replaying them gives the same answers
// (docs/architecture.md, fact 5).
//
// The package writes, reads, checks and chains records. It does not know files (internal/journal), nor the meaning of a
// body (internal/watch).
//
// # The line
//
//	SEQ AT KIND BODY CHAIN CRC\n
//
//	SEQ    sequence number, decimal, from 1, dense within a journal
//	AT     microseconds on the journal's own time line, decimal, from 0, never decreasing
//	KIND   open rx up down wake gap late wall decide instruct close (inputs), tx say (effects)
//	BODY   rx, tx: the raw bytes in lower-case hexadecimal;
//	       other kinds: one JSON object in compact form; "-" if empty
//	CHAIN  first 16 bytes of SHA-256 over the previous line's CHAIN as text
//	       (32 zeros before the first line), followed by this line up to and
//	       including BODY;
//	       32 lower-case hexadecimal digits
//	CRC    CRC-32C (Castagnoli) of this line up to and including CHAIN;
//	       8 lower-case hexadecimal digits
//
// Fields are separated by exactly one space. An example, the first two lines
// of a journal:
//
//	1 0 open {"format":1} 8c6aaa57f88b8c482aa2d218286bb69f ee9d0324
//	2 1500 rx 8e00053400 e39af75ab6c68dcb9d4b9f713db9bc1c df4b51c9
//
// CRC does not depend on the line before, so every line after a damaged one can still be checked. CHAIN ties each line
// to all lines before it: after a change, removal or insertion of a line all later lines must be rewritten. Neither is
// a signature: anybody with the file and this page can rewrite all of it. To detect that, a CHAIN must be kept
// elsewhere: internal/journal, Heads.
//
// A body of text is valid UTF-8, begins with "{", ends with "}" and has no control character (below 20 hexadecimal,
// 7f). The writer is responsible for valid JSON: this package checks the form and not the grammar.
//
// The form is canonical. There is exactly one line for a record and its
// predecessor: no sign, no leading zero, no upper case, no second space. A
// line that [Parser.Parse] accepts is re-encoded by [AppendLine] to the same
// bytes, and anything else is refused.
//
// # Input it must survive
//
// It survives any bytes of any length: torn, flipped, hostile. Parsing never panics, is linear in the length of the
// line and keeps nothing after the line. A line is at most [MaxLine] bytes long, its newline included.
//
// # Cost
//
// AppendLine allocates nothing when dst has room, Parser.Parse and Verify
// nothing for lines of ordinary length. Measured on one core of a 2-core
// virtual machine with a clock message (84 bytes of line): append 270 ns, parse
// 115 ns, verify 195 ns; encoding/json needs 1,500 ns for the same record
// without checksum and chain (go test -bench . ./internal/record).
//
// # Compatibility promise
//
// Lines of this form stay readable for ever by every later boardwatchd. New kinds and new keys inside bodies may be
// added; a field is never removed, reordered or given another meaning. A reader that finds an unknown kind refuses that
// line by name and goes on with the next one. Should the form of the line ever have to change, the new form will not
// begin with a digit, so that no reader can confuse the two.
package record
