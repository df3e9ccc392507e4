// Package kinds lists everything that a finding can be: the machine names of contract section 3, and one row of a table
// for each, with its family, its articles, what may be decided about it, how the arbiter is alerted, and the sentence
// about it.
//
// # What it knows
//
// It knows names and the data that belong to a name alone. Every other package uses the table and compares with the
// constants; no package spells a name or looks at its first letters.
//
// # What it does not know
//
// Positions, cases, rule sets and rulings: package rules turns a row into a ruling.
//
// # What it must survive
//
// A journal or a decision may contain a name of another revision. Such a name has no row of its own: the word before
// its dot gives the family, and the rest is empty.
//
// # Promise
//
// Names are part of the compatibility promise: they are in journals, in files of profiles and on the wire. The table is
// data that never changes while the program runs.
package kinds
