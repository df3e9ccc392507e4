// Package daemon watches the boards of one computer and serves the people around them. The commands run and simulate
// start it.
//
// # What it knows
//
// How many stations there are, which journal each of them writes, when a board is tried again, and how new boards are
// found. The services for people: the arbiter's page over HTTP and HTTPS, the invitation of a phone, the alert channels
// and the metrics, all fed by the stations, and the broadcast to the public (internal/broadcast). And systemd's
// watchdog, which is fed while every loop makes progress.
//
// # What it does not know
//
// Flags, usage texts, exit statuses, standard output: lines for people go to Options.Show. What a record means (station
// and watch), the rights on the page (web), how a channel works (alert), what is at the other end of a port.
//
// # The caller's loop
//
//	err := daemon.Open(daemon.Options{Config: conf, Dir: dir, Log: log}).Run(ctx) // until ctx ends
//
// or, if the caller determines what is watched and when:
//
//	d := daemon.Open(options)
//	d.Serve(ctx)                        // the page and the alerts
//	ended, err := d.Watch(ctx, target)  // any number of them, at any time before Close
//	…
//	cancel()
//	err = d.Close()                     // what is not on the disk
//
// Instruct, Decide and Saved hand people's inputs to a board, for the page and the outbox. A further listener of all
// boards is added in feed.go.
//
// # Goroutines
//
// Each station has one for its loop, and one that sends it its players. Run adds one for each configured board, which
// tries again, or one that looks for boards, one for the watchdog, one for the descriptors, and one for the disk. Serve
// adds those of the outbox, the network, the devices, Web Push, the printed invitation, the broadcast and two
// listeners. All of them end with the context that they were started with, and Close waits for all. The loops of the
// boards never wait for a reader: page and alerts get their data in memory, and Show must not wait.
//
// No part of the page keeps a board from being watched: problems are reported in the log and on the page, and a port
// that is in use is tried again.
//
// # Limits
//
// A board that cannot be watched is tried again after 1 s, then after twice as long each time, up to a minute. New
// boards are looked for every 2 s; a port in use and the network are tried every 5 s. A journal without a round that
// has rested for 12 hours is not continued; the journal of a round is, and the page reports it. 64 boards were measured
// (internal/live); the supervision itself costs nothing that could be measured.
//
// # Files
//
// Beside the journals, in Options.Dir: devices.json, ca/, alert.key, vapid.json and, while its code is open, pair.html;
// copies of the first four in a second place (ownFiles); and removed.json (internal/retention).
package daemon
