// Package web is the server of the arbiter's page: the files of the page, the JSON of its API, the feed of events,
// pairing, health and metrics, over HTTP on the LAN and over HTTPS with the event's own certificates.
//
// # What it knows
//
// Who may do what (one table, routes.go), which inputs people can make (words.go), which inputs were carried out
// already, and the requirements on a client. It concludes nothing about chess: the shown state comes from
// internal/live, and people's inputs go to Boards, which reports when they are on the disk.
//
// # The caller's loop
//
//	s := web.New(web.Options{Live: boards, Access: store, Boards: stations, …}) // before the stations start
//	for each board: s.Recovered(board, r) for the journal's records, s.Ready(board) after the last one and before Boards
//	    knows the board, s.Entered(board, r) for Instruct and Decide records, before Boards.Instruct or Decide returns
//	go s.Serve(ctx, listener); go s.ServeTLS(ctx, other)
//
// # What a saved answer means
//
// 200 to a decision, a report, a claim or an instruction means that Boards returned nil: it is on the disk. Each
// carries a request id that the phone has made. When it is sent again, even after a restart or from a queue that was
// kept while the phone was offline, it gets the same answer and has no further effect; two at the same moment count as
// one. 1,024 ids are remembered for each board. A decision names the state that the arbiter has seen (as_of: the
// greater number of the finding's and the ruling's record); if that has changed meanwhile the answer is 409 with the
// finding as it is now. At each board people decide one after another. The deciding person is taken from the pairing
// and never from the body.
//
// Each 200 names the head of the board's journal, which is at that record or after it, for the phone to keep
// (heads.go). Where Boards has no such head at that moment it is null; no 503 has one.
//
// If the disk has not answered within 10 s the phone gets 503, and asks again with the same id. An input that was
// accepted is not given to the board a second time: Boards.Saved reports whether that very record is on the disk. A
// later record there would prove nothing, because a gap may come before it. A record that the journal dropped (ErrLost)
// is answered 503 lost, and its id is forgotten: the same request sent again is given to the board anew, although the
// machine has processed it once. An input that may have been accepted is not tried again for 30 s. When a board is
// opened again its journal is read first; inputs that are not in it were lost, and may be sent again. Meanwhile the
// answer is 503 not_watched.
//
// # Cookies
//
// The cookie is boardwatchd over HTTP, and boardwatchd_tls with Secure over HTTPS: a browser does not let an HTTP
// answer replace a Secure cookie, so with one name a phone that was once paired over HTTPS could not be paired over
// HTTP. Over HTTPS the first one is accepted as well, and the answer sets the second: the secure page needs no second
// pairing. HTTP accepts the first one only. Links for pairing lead to HTTP (Base), even from the secure page: the other
// phone does not trust the certificate yet.
//
// # The feed
//
// Each phone has one goroutine that writes to it, and a place in the feed's ring. One write has 5 s; then the phone is
// dropped, and comes back with the id of the last event that it had (Last-Event-ID, or ?after=). A backlog begins with
// its findings, rulings and alerts, without ids, and then has everything in order with ids: a page must tolerate an
// event twice. A page that names its open board (?open=) gets of the other boards only what a list shows, the summaries
// of many in one event. A "ping" event comes every 5 s. A device that is revoked, or gets another role, is cut off at
// once.
//
// For a client that accepts gzip the stream is packed so that every write can be read at once (pack.go): eight boards
// at four times the speed of life are 3.9 kB/s instead of 22. Nothing in it is secret from its reader.
//
// # After the round
//
// Reports, games and journals of this round and earlier ones are for paired devices (rounds.go). One round is read at a
// time while other requests wait, because reading journals must not take the processor from the boards. The result is
// sent after that, so a slow reader does not delay others. Four archives of journals are sent at a time, each for as
// long as its reader accepts 64 KiB in 5 s. The report is a document with its own policy, in which nothing runs. A
// download that breaks off ends the connection, so that a part is not mistaken for the whole.
//
// # The public broadcast
//
// The games of the round, if the configuration allows it (public.go): a text that Options.Public has made and delayed
// before it is requested. At most 16 are sent at a time, and an address gets two a second. No other route has anything
// of a board for unpaired clients.
//
// # Answers to strangers
//
// Checked in this order; the first that applies is the answer. Every refusal is JSON:
// {"error":{"code","message","remedy"}}.
//
//	too many connections                         the longest idle one is closed; see Connections
//	header not complete in 5 s                   closed
//	header larger than 16 KiB                    431; malformed: 400 (both by net/http)
//	a Host that is no IP address, localhost,     421: DNS rebinding
//	  the computer's name or one of http.names
//	address longer than 512 bytes                414
//	%2f, \, //, dot segments, control signs      404, as every unknown address; nothing is listed or redirected
//	a change sent by another page                403 cross_origin; the buttons of notifications (/ack) are let through
//	another method                               405 with Allow; HEAD goes with GET; OPTIONS is not known, so that no
//	                                             preflight of another page succeeds
//	no or unknown cookie                         401; its body is not read
//	a viewer who wants to decide                 403 viewer
//	no application/json                          415
//	body larger than 16 KiB; with a pairing      413
//	  in it, of arbiters only, than 5.6 MB
//	body not complete in 10 s                    408
//	no JSON object, a key twice or unknown,      400 with the key and what it should be
//	  a value of another type or out of range
//	wrong pairing code                           403; typed, beyond 5 of one address (of IPv6 a /64) or 60 of all: 429
//	                                             with Retry-After (internal/access, Guessing)
//	more devices or open codes than there can be 403 too_many_devices, 429 too_many
//	no such board, finding, device, alert        404
//	a finding that has changed meanwhile         409 changed, with the finding
//	acknowledgement of an alert that is over     410
//	the journal's disk has not taken it yet      503 not_saved: it is safe to send it again
//	the journal had to drop it                   503 lost: it has to be sent again
//	in a hall the board is away                  424 unreachable; of a decision 200 with waits: see Waits
//	the board is known, and not watched now, or  503 not_watched: it is safe to send it again
//	  a hall may not have the finding yet
//
// A header that claims another address (X-Forwarded-For) is not believed: /metrics is for connections from this
// computer and for paired devices. Behind a reverse proxy on this computer it is therefore open to every client of the
// proxy. Markup in names comes back as JSON that no browser renders, and the page runs no inline script (headers in
// chain.go). The log has the method, the route's pattern and the IP address of the peer, never a path, query, header or
// body, and so no code, cookie or token. Refused requests are warnings; the given log limits them.
//
// # Connections
//
// There are 512 places (Options.Connections; the other figures are in proportion), over both ports. A new connection
// always gets in, because a paired phone proves itself only with its first request: from then on its place is kept. If
// all are in use, or 256 by one address without pairing (of IPv6 a /64 is one, all of loopback is one), the newcomer
// gets the place of another connection: of the address with most places that are not kept, the one on which no request
// has begun or ended for longest. So an attacker with two addresses loses his own connections, however many he opens.
// To push out a phone's new connection takes hundreds of addresses, and 80 to 500 connections, depending on how many
// are kept, in the time that the phone needs for its first request; or, from the phone's own address, 256.
//
//   - Kept for paired devices: 12 each (a browser opens six at each port), 432 together. They are never taken. Beyond
//     that a device's connections are like all others. A device that is revoked loses them.
//   - Kept for this computer: 16, for health, metrics and a page beside the boards. Behind a reverse proxy on this
//     computer everybody's connections are this computer's, and so is the limit of 256.
//
// Of 1,024 descriptors (budgets.descriptors; the serial library accepts no higher one), 512 are for these places, 6 for
// each of 64 boards, and 12 for the program itself: 908 (counted in /proc/PID/fd with 1 and 4 boards). If all places
// are in use a new connection costs 21 µs more (go test -bench PlacesFull ./internal/web).
//
// # Limits
//
// Files of the page are kept in memory, plain and compressed. A phone costs three goroutines, 2 KiB of what it was
// sent, one write of 32 KiB and one event at most, and 64 KiB of the kernel's memory. Measured with 50 phones on
// loopback, one of which never reads, all in one process on two shared cores, packed and unpacked there (go test -bench
// Phones ./internal/web): from a confirmed finding to its line read by each phone 0.9 ms at the median and 3.0 ms at
// the 99th percentile; without packing 0.6 and 2.3 ms. A first load of the page is 18 answers with 55 kB, their headers
// included (TestFirstLoadIsSmall).
//
// Sources: contract notes, section 5; ecosystem notes, sections 2 and 3; reliability notes, B16, F10, F12, F13.
package web
