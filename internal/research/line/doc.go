// Package line is for whoever measures the program: it reads the plies of a record from what a journal says and compares them with what was played.
// It shares nothing with the program but the grammar of the record (docs/journal.md), so that an error of the program is not repeated here.
package line
