// Package disk says why a file could not be read or written, as a sentence that the page has in every language, and
// tries whether a directory takes one.
//
// It knows the causes that a person can do something about. It does not know which file it is for, nor what helps against
// the cause: that stands in the notice or in the answer. An error of which it knows nothing is put in as it stands.
package disk
