// Package words holds the texts that the program shows, in every language: names of kinds, and sentences as data.
//
// # What it knows
//
// A Sentence is a key and its arguments. A package builds each message once, as a Sentence; the English in the output
// and every language of the page are made from it. The texts are files, texts/LANGUAGE.txt.
//
// # What it does not know
//
// It does not know which sentence is shown, when and to whom, nor moves in the notation of a language (the page puts
// the letters in).
//
// # What it must survive
//
// An unknown language gives English, and an unknown key gives the key itself. Placeholders inside arguments are not
// expanded.
//
// # Promise
//
// Keys and the order of their arguments are on the wire: they may be added to and not changed. No clock, no map, no
// floating point.
package words
