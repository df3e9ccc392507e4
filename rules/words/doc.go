// Package words knows what is said, in every language: names of kinds, and sentences as data.
//
// # What it knows
//
// A Sentence is a key and what is put in. Whoever has something to say says it once, as a Sentence; the English beside it in
// the output and every language of the page are made of it. The texts are files, texts/LANGUAGE.txt.
//
// # What it does not know
//
// What is said, when and to whom; moves in the notation of a language (the page puts the letters in).
//
// # What it must survive
//
// A language or a key that there is none of: English, then the key. Arguments are never expanded themselves.
//
// # Promise
//
// Keys and the order of their arguments are on the wire: they are changed only by adding. No clock, no map, no floating point.
package words
