// Package alert brings what needs an arbiter to the arbiter's phone: a durable outbox, the channels, and what became of
// each alert.
//
// # What it knows
//
// One alert for each finding whose state is confirmed and whose class is now or advise (contract, section 3). It keeps its
// id for ever and changes in place, with a higher version: seen, escalated, decided, withdrawn, expired, raised anew. A
// channel that was told gets the newest state, never a state that is superseded, and one last message when nobody is needed
// any more. If the opponent answered before any word got through, the alert is not dropped but says so.
//
// It does not know the Laws, the board, or who plays: it looks at a finding's id, kind, state, class, articles and
// decision. On the lock screen stands "Board 12: please look" and nothing else; with the wording "full" the offence's name
// and its articles, but never a side, a player or, for a hint, the offence.
//
// # The caller's loop
//
//	o := alert.New(options)
//	go o.Run(ctx)                  // ends a few seconds after ctx at most
//	o.Recovered(board, record)     // every record of a journal that is read after a start, in order
//	o.Ready(board)                 // may be left out: the first Said or Told ends the recovery too, or a second of silence
//	o.Said(board, body)            // every Say body of the live loop
//	o.Told(board, record)          // every Instruct and Decide record of the live loop, after its answers were Said
//
// All but Run append to a list under a lock and never wait; they may be called before Run.
//
// # What is kept, and where
//
// Nothing but the journals of the boards: the state is a function of their Say, Decide and Instruct records. What the
// outbox did is in them as Instruct records that the core ignores:
//
//	{"do":"alert","finding":"961:illegal.knight","event":"sent","channel":"hall","version":1,"raised_ms":…,"wall_ms":…}
//
// event is sent, seen, escalated, expired or given_up; by says who has seen it, error why it was given up. Keys may be
// added; none is ever taken away or given another meaning. "seen" is on the disk before it is acknowledged. The others are
// written behind the deed: a crash between the two makes the deed happen twice, with the same id and version, by which a
// receiver drops the second (webhook: Idempotency-Key; ntfy: sequence_id; Web Push: Topic). Nothing is lost in between.
//
// Versions are counted from the records in the order of the journal, so they are the same in every run.
//
// # Retry, expiry, escalation
//
// Network errors, 408, 425, 429 and 5xx are tried again after 1, 2, 4 … 30 s, a quarter of it at random, and not before
// Retry-After (at most 30 minutes); any other answer is given up for that version and becomes a notice. A channel that
// fails is tried at once when something new is raised, and on Nudge. While a channel is away its messages keep their order;
// only a message that the receiver alone chokes on (500) lets others pass. It ends when a person has seen the alert, or it
// was decided, or after Expire (10 minutes) since it was raised; a message that only updates lives as long from the update
// on. An alert of level now that nobody has seen for Escalate goes to the channels of step 2 too.
//
// # Limits
//
// 1,000 open alerts, the oldest give way with a notice; 2,000 other findings are remembered, in case they come back; 16 KiB
// of each finding and ruling; 64 channels for one alert. One goroutine for the outbox, one for each channel, one for each
// board that has something to be written: a channel, a board or a disk that hangs delays no other. A send may last 10 s.
// An update of a ruling alone is no new version: channels that pass rulings on get it with the next one.
//
// # Adding a channel
//
// A file with Name and Send, a row where the configuration's channels are made, and a test that calls alerttest.Run.
package alert
