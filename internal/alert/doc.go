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
//	o.Begin(board, journal)        // before a board's journal is opened, also when it is opened again
//	o.Recovered(board, record)     // every record that is read of it, from the first one on; Said what it owed
//	o.Ready(board)                 // it is open. If it cannot be opened, nothing, until the next Begin
//	o.Told(board, record)          // every Instruct and Decide record of the live loop, before its answers are Said
//	o.Said(board, body)            // every Say body of the live loop
//
// All but Run append to a list under a lock and never wait; they may be called before Run. Boards are independent of each
// other.
//
// Between Begin and Ready the board's state is rebuilt from the records of this recovery alone, beside what is shown. What
// is shown does not change, a person can still see it, and nothing is sent, escalated or expired for the board. Ready
// replaces the one by the other; what was done meanwhile, or is in no journal yet, is taken over and written. Of alerts
// that the journal does not have (it is another one) the page is told that they are closed. A board for which there was
// never a Begin is ready after the first Said or Told, or a second without a record.
//
// A decision is told before what the machine says to it. Both together are one change; without an answer the decision
// counts when the next input comes, at the latest after 30 ms.
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
// written behind the deed: a crash between the two makes the deed happen twice, with the same journal, id and version, by
// which a receiver drops the second (webhook: Idempotency-Key; ntfy: sequence_id; Web Push: Topic). Nothing is lost in
// between. What is in force and not on the disk yet (Options.InForce) is not written again; what belongs to a board that is
// not watched at present (Options.Unwatched) waits for it, 1,000 records for each board, and costs no time at the end.
//
// Versions are counted from the records in the order of the journal, so they are the same in every run.
//
// The ids of findings begin anew in each journal, and so an alert's id comes again in the next round. Whatever leaves the
// program has the journal's name in it too: the key of a message, Message.Ref, and the token of a button, which is refused
// when another journal of the board is watched.
//
// # Retry, expiry, escalation
//
// Network errors, 408, 425, 429 and 5xx are tried again after 1, 2, 4 … 30 s, a quarter of it at random, and not before
// Retry-After (at most 30 minutes); any other answer is given up for that version and becomes a notice. A channel that
// fails is tried at once when something new is raised, and on Nudge. While a channel is away its messages keep their order;
// only a message that the receiver alone chokes on (500) lets others pass. It ends when a person has seen the alert, or it
// was decided, or after Expire (10 minutes) since it was raised; a message that only updates lives as long from the update
// on. An alert of level now that nobody has seen for Escalate goes to the channels of step 2 too, and to every Personal
// channel whatever its boards are.
//
// # Limits
//
// 1,000 open alerts, the oldest give way with a notice; 2,000 other findings are remembered, in case they come back; 16 KiB
// of each finding and ruling; every attached channel for one alert, and 512 names out of a journal. One goroutine for the
// outbox, one for each channel, one for each board that has something to be written: a channel, a board or a disk that
// hangs delays no other. A send may last 10 s. An update of a ruling alone is no new version: channels that pass rulings on
// get it with the next one. While a board is opened again, its findings are in memory twice.
//
// # Adding a channel
//
// A file with Name and Send, a row where the configuration's channels are made, and a test that calls alerttest.Run.
package alert
