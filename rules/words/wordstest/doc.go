// Package wordstest finds faults in a sentence of the program: it is in English only, its key has no text, or an
// argument is missing or has no translation.
//
// It is for the tests of packages that build sentences: each sentence that they meet goes through Faults. The tests of
// package words check that every key has a text in every language.
package wordstest
