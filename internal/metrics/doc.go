// Package metrics gives the counts of live.Boards to Prometheus.
//
// It knows names, types and labels. It keeps nothing but the histogram of the alerts' latency: everything else is read
// from there when somebody asks. It does not know who may ask.
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
// A finding changes its state, so a count of findings in a state would go down, which a counter must not. What is
// counted is that a finding has come into a state: boardwatchd_findings_total{kind,state} grows by one when it is
// suspected and by one more when it is confirmed. How many wait for a person now is a gauge, boardwatchd_findings_open.
// What a restart reads back from the journal is not counted again; frames, bytes and hands are, because the machine
// reads all of them again.
//
// # Limits
//
// The labels are bounded: boards are those of the configuration, kinds and states at most 256 pairs, decisions the
// eight words, channels at most 32; what is beyond is "other". With 64 boards an answer has about 1,400 lines, 768 of
// them about hands.
package metrics
