// Package legaltest reads positions for the tests of other packages: a test names a board by its FEN, and has no use
// for an error. It knows nothing that package legal does not know.
package legaltest
