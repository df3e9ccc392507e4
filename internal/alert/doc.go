// Package alert brings findings that need an arbiter to the arbiter's phone: a durable outbox, the channels, and the
// state of each alert.
//
// # What it knows
//
// There is one alert for each finding whose state is confirmed and whose class is now or advise (contract, section 3).
// It keeps its id for ever and changes in place, with a higher version: seen, escalated, decided, withdrawn, expired,
// raised anew. A channel that has received an alert gets its newest state, never a superseded one, and one last message
// when no attention is needed any more. If the opponent answered before any message was delivered, the alert is not
// dropped but reports that.
//
// It does not know the Laws, the board, or the players: it looks at a finding's id, kind, state, class, articles and
// decision. The lock screen shows "Board 12: please look" and nothing else; with the wording "full" the offence's name
// and its articles, but never a side, a player or, for a hint, the offence.
//
// # The caller's loop
//
//	o := alert.New(options)
//	go o.Run(ctx)                  // ends a few seconds after ctx at most
//	o.Begin(board, journal)        // before a board's journal is opened, also when it is opened again
//	o.Recovered(board, record)     // every record that is read of it, from the first one on; Said for unwritten effects
//	o.Ready(board)                 // it is open. If it cannot be opened, no call until the next Begin
//	o.Entered(board, record)          // every Instruct and Decide record of the live loop, before its answers are Said
//	o.Said(board, body)            // every Say body of the live loop
//
// All but Run append to a list under a lock and never wait; they may be called before Run. Boards are independent of
// each other.
//
// Between Begin and Ready the board's state is rebuilt from the records of this recovery alone, separately from the
// state shown. The state shown does not change, a person can still mark alerts as seen, and nothing is sent, escalated
// or expired for the board. Ready replaces the old state by the new one; actions taken meanwhile, or in no journal yet,
// are taken over and written. Alerts that the journal does not contain (it is another one) are reported to the page as
// closed. A board for which there was never a Begin is ready after the first Said or Entered, or a second without a
// record.
//
// The age of an alert in a journal follows from the journal's time line, never from the clock of its opening records,
// which may have been wrong: an alert that was not delivered must not be over for that reason. Only raised_ms of a
// record below is taken as it is.
//
// A decision is reported before the machine's answer to it. Both together are one change; without an answer the
// decision counts when the next input comes, at the latest after 30 ms.
//
// # Data and their place
//
// Only the journals of the boards are kept: the state is a function of their Say, Decide and Instruct records. The
// outbox's own actions are in them as Instruct records that the core ignores:
//
//	{"do":"alert","finding":"961:illegal.knight","event":"sent","channel":"hall","version":1,"raised_ms":…,"wall_ms":…}
//
// event is sent, seen, escalated, expired or given_up; by names the person who has seen it, error the reason why it was
// given up. Keys may be added; none is ever removed or given another meaning. "seen" is on the disk before it is
// acknowledged. The others are written after the action: a crash between the two repeats the action, with the same
// journal, id and version, by which a receiver drops the second (webhook: Idempotency-Key; ntfy: sequence_id; Web Push:
// Topic). Nothing is lost in between. A record in force but not on the disk yet (Options.InForce) is not written again.
// Records of a board that is not watched at present (Options.Unwatched) wait for it, 1,000 records for each board, and
// cost no time at the end.
//
// Versions are counted from the records in the order of the journal, so they are the same in every run.
//
// The ids of findings begin again in each journal, so an alert's id may occur again in the next round. Everything sent
// out of the program therefore contains the journal's name too: the key of a message, Message.Ref, and the token of a
// button, which is refused when another journal of the board is watched.
//
// # Retry, expiry, escalation
//
// Network errors, 408, 425, 429 and 5xx are tried again after 1, 2, 4 … 30 s, a quarter of it at random, and not before
// Retry-After (at most 30 minutes); any other answer is given up for that version and becomes a notice. A channel that
// fails is tried at once when a new alert is raised, and on Nudge. While a channel is unreachable its messages keep
// their order; only a message that the receiver alone rejects (500) lets others pass. Retrying ends when a person has
// seen the alert, or it was decided, or after Expire (10 minutes) since it was raised; a message that is only an update
// is tried as long from the update on. An alert of level now that no person has seen for Escalate goes to the channels
// of step 2 too, and to every Personal channel whatever its boards are.
//
// # Limits
//
// At most 1,000 open alerts, beyond which the oldest are dropped with a notice; 2,000 other findings are remembered, in
// case they are raised again; 16 KiB of each finding and ruling; every attached channel for one alert, and 512 names
// out of a journal. One goroutine for the outbox, one for each channel, one for each board with records to write: a
// channel, a board or a disk that hangs delays no other. A send may last 10 s. An update of a ruling alone is no new
// version: channels that pass rulings on get it with the next one. While a board is opened again, its findings are in
// memory twice.
//
// # Adding a channel
//
// A file with Name and Send, a row where the configuration's channels are made, and a test that calls alerttest.Run.
package alert
