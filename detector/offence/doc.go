// Package offence classifies a press that no legal move explains: an illegal move, a promotion that was not finished, a
// second piece that was moved, pieces that were displaced. It is a pure function of a View, which is one turn as the
// board has shown it. Nothing is remembered here and nobody is accused; package detector decides when to call it, what
// to wait for, and whether the record can be trusted.
//
// A file is a family of offences, and the comment at its head names the innocent situations that look alike. The order
// of the checks (offence.go) decides between the readings of one placement.
package offence
