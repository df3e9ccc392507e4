// Package metrics gives the counts of live.Boards to Prometheus.
//
// It knows names, types and labels. It keeps only the histogram of the alerts' latency: everything else is read from
// live.Boards at each scrape. It does not know the rights of clients.
//
//	m := metrics.New(boards, version, revision)
//	mux.Handle("GET /metrics", m.Handler())
//	m.AlertSent("ntfy", time.Since(raised))
//	m.Connections(count) // once, where there is a page
//	m.Budgets(now)       // once
//	m.Broadcast(now)     // once, where something is public
//
// # Names
//
// A finding changes its state, so the number of findings in a state can decrease, which a counter must not. Therefore
// the changes into a state are counted: boardwatchd_findings_total{kind,state} grows by one when a finding is suspected
// and by one more when it is confirmed. The number that waits for a person now is a gauge, boardwatchd_findings_open.
// After a restart the findings in the journal are not counted again; frames, bytes and hands are, because the machine
// reads all of them again.
//
// # Limits
//
// The labels are bounded: boards are those of the configuration, kinds and states at most 256 pairs, decisions the
// eight words, channels at most 32; everything beyond is "other". With 64 boards an answer has about 1,400 lines, 768
// of them about hands.
package metrics
