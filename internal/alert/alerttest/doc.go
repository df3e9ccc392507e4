// Package alerttest holds the conformance test that every alert channel passes: Run, against a receiver on a real socket
// that answers as it is told, breaks off, hangs, or is not there at all.
//
// A channel that starts a program is tested with Helper, which makes the test binary such a program: it posts what it
// reads to the receiver and turns the answer into an exit status.
//
// The test knows what a channel promises (alert.Channel) and nothing of how it does it. What only a channel's own receiver
// can read (where a message replaces an earlier one, what a person sees) the channel's test tells in a Kit.
package alerttest
