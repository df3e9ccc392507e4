// Package replay runs recordings through the machine again: to judge a capture, to look at a journal once more, and to
// compare what is said now with what was said then.
//
// It knows recordings (internal/recording) and the machine (internal/watch). It does not know how anything is shown.
//
// A journal's own opening record configures the machine. A capture has none, so one is made; its records then have the
// sequence numbers 2, 3, …, and an instruction at the end decides what waits for quiet time.
//
// With Options.Rules the same inputs are judged under other rule sets: what if? A journal keeps its own rules otherwise, and
// one that was written before there were rules has none, so that Verify compares like with like.
//
// Run is a pure function of the recording and of the options: two runs give the same effects, byte for byte. Measured
// speed stands at the benchmarks.
package replay
