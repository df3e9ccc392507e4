// Package line is for measurements of the program: it reads the plies of a record from a journal and compares them with
// the plies played. It shares nothing with the program but the grammar of the record (internal/record/doc.go), so that
// an error of the program is not repeated here.
package line
