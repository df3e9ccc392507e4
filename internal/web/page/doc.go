// Package page is the arbiter's page for a phone, as files: HTML, CSS, JavaScript modules, icons and texts, embedded
// into the program. Nothing is built or fetched from elsewhere. The replay is also a file: Bundle makes one script of
// its modules.
//
// # What it knows
//
// How the boards, a board and an alert are shown, announced and answered on a phone: live over server-sent events, by
// touch, keyboard and screen reader, in light and dark, in the six languages of rules/words.
//
// # What it does not know
//
// The Laws, legal positions, rights: the server decides about them (package web). Before the arbiter has decided the
// page blames no player: its wording is a question or an observation.
//
// # What it must survive
//
// Lost and half-open connections, a phone that slept, a restarted server (another epoch), missing answers: the
// arbiter's decision is kept on the phone under its request id until the server has answered "saved". A board that is
// not watched at the moment keeps its decision waiting, and delays no other board. An input that would be about another
// move if it came late (a report, a claim, a result) is sent at once or not at all, and the person is informed. Markup
// in names, notes and reasons: everything is set as text, and the page runs under a policy without inline code or
// style.
//
// # The page's modules
//
//	app.js       start, routes, keys; loads a screen when it is first opened
//	store.js     what the server has said: boards, alerts, the open board; applies events
//	feed.js      the event stream: heartbeat, resume, back-off
//	api.js       requests and their errors
//	outbox.js    decisions that are not saved yet, or were not taken
//	signal.js    sound, vibration, title, screen lock; prefs.js: what this phone is set to
//	i18n.js      texts, times, names of things
//	dom.js       elements and small patches; sheets
//	diagram.js   the SVG board; pieces.js: the six outlines, drawn for this program
//	frame.js     the parts of every screen: head, connection, unsaved decisions, alerts elsewhere, actions
//	decided.js   what was decided about a finding, and what has changed since it was looked at
//	round.js     the round in one place, with texts/round
//	rounds.js    after the round: reports, games and journals, and a search
//	heads.js     the heads of journals that this phone keeps; headlist.js: their screen
//	mine.js      which boards are those of this device
//	boards.js board.js alert.js (with steps.js and timeline.js) report.js pair.js settings.js devices.js secure.js: the screens;
//	             boards.js has the notices about the program, with texts/notice
//	tables.js    the boards' tables, with texts/tables
//	computers.js the operator's list, loaded with computers.css and texts/hall; membership.js: in which hall this
//	             computer is
//	replay.js    the replay as a screen, loaded with replay.css and texts/replay; replayfile.js: as a file
//	theatre.js   of both: which game, and what other rules would change; player.js: the game; scrub.js: the time lines;
//	             track.js: the state at a moment
//	sw.js        push notifications and the shell without connection; in secure contexts only
//
// # A push message
//
// sw.js takes the JSON object {"id","title","body","url","closed","quiet"}: id is the notification's tag, closed
// removes it, quiet makes no sound (without it a notification that is already shown sounds again), url is opened when
// it is touched.
//
// # Limits
//
// First paint, with all files and texts that the list of boards needs: below 50 KiB as they are sent, compressed (a
// test). All that is sent in the first ten seconds: below 80 kB (a test). The other screens and their texts,
// texts/rest, come later, or when one is opened. One timer for the clocks: once a second, four times when a running
// clock that is shown is under ten seconds.
package page
