// Package daemon watches the boards of one computer and serves the people around them: it is what run and simulate
// start.
//
// # What it knows
//
// How many stations there are, which journal each of them writes, when one is tried again, and how new boards are
// found. What the people get: the arbiter's page over HTTP and HTTPS, the invitation of a phone, the alert channels and
// the metrics, all fed by what the stations tell, and what is due of the games for the public (internal/broadcast). And
// systemd's watchdog, which is fed while every loop goes round.
//
// # What it does not know
//
// Flags, usage texts, exit statuses, standard output: lines for people go to Options.Show. What a record means (station
// and watch do), who may do what on the page (web), how a channel speaks (alert), what is at the other end of a port.
//
// # The caller's loop
//
//	err := daemon.Open(daemon.Options{Config: conf, Dir: dir, Log: log}).Run(ctx) // until ctx ends
//
// or, where the caller says himself what is watched and when:
//
//	d := daemon.Open(options)
//	d.Serve(ctx)                        // the page and the alerts
//	ended, err := d.Watch(ctx, target)  // any number of them, at any time before Close
//	…
//	cancel()
//	err = d.Close()                     // what is not on the disk
//
// Instruct, Decide and Saved hand what people say to a board, whoever passes it on: page and outbox use them. A further
// listener of all boards is added in feed.go.
//
// # Goroutines
//
// Each station has one for its loop, and one that tells it its players; Run adds one for each configured board, which
// tries again, or one that looks for boards, one for the watchdog, one for the descriptors, and one for the disk. Serve
// adds those of the outbox, the network, the devices, Web Push, the printed invitation, the broadcast and two
// listeners. All of them end with the context that they were started with, and Close waits for all. The loops of the
// boards never wait for a reader: page and alerts get it in memory, and Show must not wait.
//
// Nothing of the page keeps a board from being watched: what is wrong is reported in the log and on the page, and a
// port that is taken is tried again.
//
// # Limits
//
// A board that cannot be watched is tried again after 1 s, then after twice as long each time, up to a minute. New
// boards are looked for every 2 s, a taken port and the network every 5 s. A journal without a round that has rested
// for 12 hours is not gone on with; that of a round is, and the page says so. 64 boards were measured (internal/live);
// the supervision itself costs nothing that could be measured.
//
// # Files
//
// Beside the journals, in Options.Dir: devices.json, ca/, alert.key, vapid.json and, while its code is open, pair.html;
// copies of the first four in a second place (ownFiles); and removed.json (internal/retention).
package daemon
