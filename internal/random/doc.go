// Package random draws numbers that are the same on every machine and for ever,
// from one seed.
//
// It knows integers and shapes of durations. It does not know the use of the numbers, and they must not be used for
// secrets. It survives any input.
package random
