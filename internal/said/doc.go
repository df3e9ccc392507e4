// Package said has the objects of contract section 3, in the form of a journal, of the output of replay and of the
// wire. Every writer and reader of such an object uses these types.
//
// # What it knows
//
// It knows names, order and types of the fields. The machine writes the objects (Game, Move, Finding …); the order of
// the fields is the order in the bytes. A reader that accepts any object reads Any, which has the fields of all.
//
// # What it does not know
//
// It does not know where an object comes from or what it means: only package watch makes them.
//
// # What it must survive
//
// It survives objects of other programs in an old journal: missing fields stay empty, and unknown fields are skipped.
//
// # Promise
//
// The contract's: fields are changed only by adding. No floating point: times are integers of microseconds here, and
// decimal numbers of seconds in the bytes.
package said
