// Package replay runs recordings through the machine again: to judge a capture, to look at a journal once more, and to
// compare what is said now with what was said then.
//
// It knows recordings (internal/recording) and the machine (internal/watch). It does not know how anything is shown.
//
// A journal's own opening record configures the machine. A capture has none, so one is made; its records then have the
// sequence numbers 2, 3, …, and an instruction at the end decides what waits for quiet time.
//
// With Options.Rules the same inputs are judged under other rule sets: what if? A journal keeps its own rules
// otherwise, and one that was written before there were rules has none, so that Verify compares like with like.
//
// Games makes PGN of what the machine says. A game whose record is not one row of legal moves becomes several, with the
// tags Part ("2/3") and Remark, which says why it ends or goes on. The result stands in the last one. Moves from a
// position that other readers refuse (package legal: a Refusal) stand in a comment. A move that was pressed has %clk,
// and %emt where the clock ran since the press before it: by the clock's own times where the increment is configured,
// else by the two presses, within a second or so.
//
// Run is a pure function of the recording and of the options: two runs give the same effects, byte for byte. Measured
// speed stands at the benchmarks.
package replay
