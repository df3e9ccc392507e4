// Package broadcast publishes the games of a round: as a PGN file that is rewritten at each move, as the same text for
// a URL, and by pushes to lichess, all of it with a delay.
//
// # What it knows
//
// A Tape is the part of a board's journal on which games depend, with the time that has really passed between its
// records. What is due of it at a moment is a pure function (Tape.Due), which knows no clock. A Caster keeps the tapes
// of all boards, updates each when something of it becomes due, and passes the text to a file, to its callers
// (Caster.Text) and to a Pusher.
//
// It does not know findings, rulings, claims, reports and decisions: such objects are not kept. It does not know HTTP
// routes or rights.
//
// # What is due
//
// Every record counts from its own time in the journal: a move, a clock time, a name and a result are shown when the
// delay has passed since the record was made, and a move that was taken back is removed when the delay has passed since
// then. A ply that was taken back or replaced before it was due is never shown. A result may be shown at once, but then
// without further moves. Of a game only the legal prefix is shown, without the reason why it ends.
//
// # Time
//
// No wall clock is read. While the program runs, time is that of the journal, which is monotonic, and the present is
// known from the latest record and the monotonic time since it arrived. It is a lower bound, so nothing is shown too
// early: a record that comes late from another computer of a hall has its own time. Between two starts, the opening
// records show how long the same run of the computer's clock has gone on (watch.Opening, Boot and Uptime). If they do
// not (the computer was started again, the journal is of an older program), the absence counts as no time at all: what
// was not due before is then later by as much, and never earlier.
//
// # The callers' loop
//
//	b := caster.Add("12", rate)                  // the journal is about to be read
//	b.Recovered(r) for each record, then b.Ready()
//	b.Seen(view.At), b.Entered(r), b.Said(body)     // live, as a station tells them; none of them waits
//	go caster.Run(ctx)
//
// # Input it must survive
//
// Any bytes as body. A game that cannot be written is left out and reported (Status), and the others are written.
//
// # Limits
//
// The text is written at most once a second. A text of more than MaxText bytes is cut after a whole game, which is
// reported.
//
// Sources: contract notes, section 1 (pgn); the public description of lichess' interface (https://lichess.org/api,
// Broadcasts).
package broadcast
