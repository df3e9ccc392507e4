package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"boardwatchd/internal/live"
)

// A collector reads the counts of the boards once for each scrape.
type collector struct{ boards *live.Boards }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("boardwatchd_"+name, help, labels, nil)
}

var (
	boards    = desc("boards", "Boards by how well they are watched.", "state")
	frames    = desc("frames_total", "Messages that a board has sent, those of its journal included.", "board")
	garbage   = desc("garbage_bytes_total", "Bytes from a board that were part of no message, those of its journal included.", "board")
	leftOut   = desc("garbage_left_out_bytes_total", "Bytes from a board that were part of no message and came so fast that the journal has only their number.", "board")
	late      = desc("late_seconds_total", "Seconds for which this program stood still or had no time for a board, in standstills of a second or more, those of its journal included.", "board")
	losses    = desc("link_losses_total", "Times that the link to a board was lost since the start.", "board")
	degraded  = desc("journal_degraded", "1 while the journal of a board cannot be written to its disk.", "board")
	waiting   = desc("findings_open", "Findings of a board that wait for a person.", "board")
	findings  = desc("findings_total", "Times that a finding has come into a state since the start.", "kind", "state")
	decisions = desc("decisions_total", "Decisions of arbiters since the start.", "decision")
	hands     = desc("hands_total", "Captures, castlings and promotions whose timing was judged for two hands, by how far it looks like them, those of its journal included.", "board", "kind", "level")
	followers = desc("followers", "Readers that follow the feed of events.")
	events    = desc("events_total", "Durable events of the feed since the start.")

	connected = desc("connections", "Connections to the page, by whom they are kept for.", "of")
	budget    = desc("connections_limit", "Connections to the page that there may be.")
	reclaimed = desc("connections_reclaimed_total", "Connections to the page that were closed since the start because there was no place for a new one.")
)

// states are always all present: a state that is missing from a scrape would look unknown.
var states = [...]string{"ok", "warn", "bad", "unwatched"}

// Describe sends all descriptions.
func (*collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range [...]*prometheus.Desc{
		boards, frames, garbage, leftOut, late, losses, degraded, waiting, findings, decisions, hands, followers, events,
	} {
		ch <- d
	}
}

// Collect sends all values.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	s := c.boards.Stats()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, valid(labels)...)
	}
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, valid(labels)...)
	}
	number := map[string]int{}
	for i := range s.Boards {
		b := &s.Boards[i]
		number[state(b)]++
		counter(frames, float64(b.Frames), b.Board)
		counter(garbage, float64(b.Garbage), b.Board)
		counter(leftOut, float64(b.LeftOut), b.Board)
		counter(late, float64(b.LateUS)/1e6, b.Board)
		counter(losses, float64(b.Losses), b.Board)
		gauge(degraded, truth(b.Degraded), b.Board)
		gauge(waiting, float64(b.Open), b.Board)
		for _, n := range b.Hands {
			for _, level := range levels(n) {
				counter(hands, float64(level.n), b.Board, n.Kind, level.name)
			}
		}
	}
	for _, word := range states {
		gauge(boards, float64(number[word]), word)
	}
	for _, f := range s.Findings {
		counter(findings, float64(f.N), f.Kind, f.State)
	}
	for _, d := range s.Decisions {
		counter(decisions, float64(d.N), d.Decision)
	}
	gauge(followers, float64(s.Followers))
	counter(events, float64(s.Events))
}

// connections count the page's connections.
type connections func() Connections

// Describe sends all descriptions.
func (connections) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range [...]*prometheus.Desc{connected, budget, reclaimed} {
		ch <- d
	}
}

// Collect sends all values.
func (c connections) Collect(ch chan<- prometheus.Metric) {
	n := c()
	ch <- prometheus.MustNewConstMetric(connected, prometheus.GaugeValue, float64(n.Paired), "paired")
	ch <- prometheus.MustNewConstMetric(connected, prometheus.GaugeValue, float64(n.Local), "local")
	ch <- prometheus.MustNewConstMetric(connected, prometheus.GaugeValue, float64(n.Others), "others")
	ch <- prometheus.MustNewConstMetric(budget, prometheus.GaugeValue, float64(n.Limit))
	ch <- prometheus.MustNewConstMetric(reclaimed, prometheus.CounterValue, float64(n.Reclaimed))
}

type level struct {
	name string
	n    int
}

// levels are the results of the timing of one kind; each manipulation is in one of them.
func levels(n live.HandsCount) [4]level {
	between := max(n.Unusual-n.Advisory, 0) // with an advisory threshold that is the lower one, nothing is between
	return [4]level{{"usual", n.Judged - n.Advisory - between}, {"unusual", between}, {"suspected", n.Advisory - n.Held}, {"held_back", n.Held}}
}

func state(b *live.BoardStats) string {
	if !b.Watching {
		return "unwatched"
	}
	return string(b.Health)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// valid makes labels valid UTF-8, which they must be.
func valid(labels []string) []string {
	for i := range labels {
		labels[i] = strings.ToValidUTF8(labels[i], "\ufffd")
	}
	return labels
}
