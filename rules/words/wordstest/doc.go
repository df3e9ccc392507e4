// Package wordstest finds what is wrong with a sentence that the program says: it is English only, its key has no text, an argument
// is missing or is said in no language.
//
// It is for the tests of those who say something: each sentence that they meet goes through Faults. That every key has a text in
// every language is held by the tests of package words.
package wordstest
