// Package wire is what the two ends of a hall must agree on: the hall's computer, and the computers at the boards.
//
// # What it knows
//
// Subjects, the headers of a chunk of a journal, the objects of beats and questions, the token of an invitation, and
// how a message is sealed. It does not know connections, files, or what a record means.
//
// # Seals
//
// Each chunk and each beat is signed with the computer's key, each question with the hall's (Ed25519, by nkeys as in
// NATS), over the subject and all that is sent. The server's permissions keep a computer from publishing on another
// one's subjects. But a client that may ask a server a question chooses the subject of the answer, and could so have a
// message put on any subject. A seal has no time: an old chunk that is sent again has an offset that is already there,
// and an old question has an id that was answered already.
//
// # Input it must survive
//
// Any message of any computer that has joined, and any text as token. A refused message is an error and changes
// nothing.
//
// # Compatibility promise
//
// The token begins with its version. Words may be added; none is removed or gets another meaning: testdata/words.txt
// has them all. The oldest program that is promised to work with this one is named in docs/hall.md.
//
// Source: docs/hall.md.
package wire
