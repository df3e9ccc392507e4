// Package arch holds no code, only the tests that keep the layout of the project true: which room may import which, and
// what the core may not use. The table is the one of docs/architecture.md, and a test compares the two. Two more check
// the documents: every path that they name exists, and their lines end at column 100.
package arch
