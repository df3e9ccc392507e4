// Package replay runs recordings through the machine again: to judge a capture, to examine a journal again, and to
// compare the present effects with the recorded ones.
//
// It knows recordings (internal/recording) and the machine (internal/watch). It does not know how anything is shown.
//
// A journal's own opening record configures the machine. A capture has none, so one is made; its records then have the
// sequence numbers 2, 3, …, and an instruction at the end triggers the decisions that wait for quiet time.
//
// With Options.Rules the same inputs are judged under other rule sets: what if? Otherwise a journal keeps its own
// rules, and a journal from before there were rules has none, so that Verify compares like with like.
//
// Games makes PGN of the machine's effects. A game whose record is not one row of legal moves becomes several, with the
// tags Part ("2/3") and Remark, which says why it ends or continues. The last one has the result. Moves from a position
// that other readers refuse (package legal: a Refusal) are in a comment. A move that was pressed has %clk, and %emt if
// the clock ran since the press before it: by the clock's own times if the increment is configured, otherwise by the
// two presses, within a second or so.
//
// Run is a pure function of the recording and of the options: two runs give the same effects, byte for byte. The
// benchmarks state the measured speed.
package replay
