package metrics

import "github.com/prometheus/client_golang/prometheus"

// Broadcast is the state of the broadcast of the games.
type Broadcast struct {
	Games, Plies, Trouble int
	Files, FilesFailed    int64
	Pushes, PushesFailed  int64
}

var (
	publicGames   = desc("broadcast_games", "Games that the public gets now.")
	publicPlies   = desc("broadcast_plies", "Plies of these games, as far as they are due.")
	publicTrouble = desc("broadcast_boards_in_trouble", "Boards of which something cannot be broadcast.")
	publicSent    = desc("broadcast_sent_total", "Times that the games were written to the file or pushed to lichess since the start, or that it failed.", "to", "outcome")
)

type broadcasts func() Broadcast

// Broadcast adds the broadcast; now is called for each scrape.
func (m *Metrics) Broadcast(now func() Broadcast) { m.registry.MustRegister(broadcasts(now)) }

// Describe sends all descriptions.
func (broadcasts) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range [...]*prometheus.Desc{publicGames, publicPlies, publicTrouble, publicSent} {
		ch <- d
	}
}

// Collect sends all values.
func (b broadcasts) Collect(ch chan<- prometheus.Metric) {
	n := b()
	for _, g := range [...]struct {
		desc  *prometheus.Desc
		value int
	}{{publicGames, n.Games}, {publicPlies, n.Plies}, {publicTrouble, n.Trouble}} {
		ch <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, float64(g.value))
	}
	for _, s := range [...]struct {
		to, outcome string
		value       int64
	}{{"file", "ok", n.Files}, {"file", "failed", n.FilesFailed}, {"lichess", "ok", n.Pushes}, {"lichess", "failed", n.PushesFailed}} {
		ch <- prometheus.MustNewConstMetric(publicSent, prometheus.CounterValue, float64(s.value), s.to, s.outcome)
	}
}
