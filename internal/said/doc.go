// Package said has the objects of contract section 3, as they stand in a journal, in the output of replay and on the
// wire: whoever writes or reads one uses these.
//
// # What it knows
//
// Names, order and types of the fields. The machine writes the objects (Game, Move, Finding …); the order of the fields
// is the order in the bytes. A reader that takes whatever comes reads Any, which has the fields of all.
//
// # What it does not know
//
// Where an object comes from and what it means: package watch says them, and nobody else.
//
// # What it must survive
//
// Objects of other programs in an old journal: fields that are missing stay empty, fields that are not known are passed
// over.
//
// # Promise
//
// The contract's: fields are changed only by adding. No floating point: times are integers of microseconds here, and
// decimal numbers of seconds in the bytes.
package said
