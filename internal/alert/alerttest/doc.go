// Package alerttest holds the conformance test that every alert channel passes: Run, against a receiver on a real
// socket that answers as instructed, breaks off, hangs, or is not there at all.
//
// A channel that starts a program is tested with Helper, which turns the test binary into such a program: it posts what
// it reads to the receiver and turns the answer into an exit status.
//
// The test knows the promises of a channel (alert.Channel) and not its implementation. The channel's test supplies in a
// Kit the facts that only its own receiver can read (which message replaces an earlier one, the text that a person
// sees).
package alerttest
