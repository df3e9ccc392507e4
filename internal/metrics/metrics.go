package metrics

import (
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"boardwatchd/internal/live"
)

// Metrics are the values for Prometheus. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	latency  *prometheus.HistogramVec

	free, journals prometheus.Gauge

	mu       sync.Mutex
	channels map[string]bool
}

// maxChannels bounds the label; a configuration has a handful.
const maxChannels = 32

// New returns the collectors over the boards, in a registry of their own.
func New(boards *live.Boards, version, revision string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "boardwatchd_alert_latency_seconds",
			Help:    "Time from a finding's alert until a channel had taken it.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"channel"}),
		free:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "boardwatchd_disk_free_bytes", Help: "Bytes that are free for the journals."}),
		journals: prometheus.NewGauge(prometheus.GaugeOpts{Name: "boardwatchd_journals_bytes", Help: "Bytes that all journals of the state directory take."}),
		channels: map[string]bool{},
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "boardwatchd_build_info", Help: "Always 1; what is running is in the labels.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "goversion": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(
		&collector{boards}, m.latency, build, m.free, m.journals,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Registry is the registry of all collectors; another room may add its own.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// Connections is the use of the page's connections.
type Connections struct {
	Paired, Local, Others, Limit int
	Reclaimed                    int64
}

// Connections adds the page's connections; count is called for each scrape.
func (m *Metrics) Connections(count func() Connections) { m.registry.MustRegister(connections(count)) }

// Disk sets the free space on the disk of the journals, and the size of all journals.
func (m *Metrics) Disk(free, journals int64) {
	m.free.Set(float64(free))
	m.journals.Set(float64(journals))
}

// Handler answers GET in the text format of Prometheus, compressed if the client accepts that.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// AlertSent notes that a channel has sent an alert, and how long after it was raised.
func (m *Metrics) AlertSent(channel string, d time.Duration) {
	m.latency.WithLabelValues(m.known(channel)).Observe(max(d, 0).Seconds())
}

func (m *Metrics) known(channel string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.channels[channel] {
		if len(m.channels) == maxChannels {
			return "other"
		}
		m.channels[channel] = true
	}
	return channel
}
