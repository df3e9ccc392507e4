// Package kinds knows what a finding can be: the machine names of contract section 3, and one row of a table for each, with
// its family, its articles, what may be decided about it, how it is told, and the sentence about it.
//
// # What it knows
//
// Names and the data that belong to a name alone. Every other package asks the table and compares with the constants; no
// package spells a name or looks at its first letters.
//
// # What it does not know
//
// Positions, cases, rule sets and rulings: package rules makes a ruling of a row.
//
// # What it must survive
//
// A name of another revision, which a journal or a decision may bring. It has no row of its own; the word before its point
// says the family, and the rest is empty.
//
// # Promise
//
// Names are part of the compatibility promise: they are in journals, in files of profiles and on the wire. The table is data
// that never changes while the program runs.
package kinds
