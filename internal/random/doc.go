// Package random draws numbers that are the same on every machine and for ever,
// from one seed.
//
// It knows integers and shapes of durations. It does not know what is drawn with
// it, and draws nothing that should be a secret. Input of any value is survived.
package random
