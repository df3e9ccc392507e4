// Package disk describes why a file could not be read or written, as a sentence that the page has in every language,
// and tests whether a directory takes a file.
//
// It knows the causes against which a person can do something. It does not know the purpose of the file, nor the
// remedy, which is in the notice or in the answer. An unknown error is put in unchanged.
package disk
