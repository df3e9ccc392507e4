package metrics

import "github.com/prometheus/client_golang/prometheus"

// Budgets are the limits of resources, and their use.
type Budgets struct {
	Journals, Free, Garbage       int64 // bytes: of all journals, to stay free, of garbage a day and board
	Due                           int   // journals whose removal is announced
	Removed                       int64 // journals, since the start
	Memory, MemoryLimit           int64
	Descriptors, DescriptorsLimit int
	LogLines                      int // a minute and board
	LogLinesLeftOut               int64
}

// budgets collects them from the daemon at each scrape.
type budgets func() Budgets

var (
	journalsLimit    = desc("journals_limit_bytes", "Bytes that all journals may take before closed rounds are removed.")
	freeLimit        = desc("disk_free_limit_bytes", "Bytes of the disk of the journals that are kept free.")
	journalsDue      = desc("journals_due", "Journals of which it is announced that they will be removed.")
	journalsRemoved  = desc("journals_removed_total", "Journals that were removed since the start, for room or at the end of their time.")
	garbageLimit     = desc("garbage_limit_bytes", "Bytes a day and board of what is part of no message that the journal has in full.")
	memoryUsed       = desc("memory_bytes", "Bytes of memory as the limit counts them: all of the runtime's but what it has given back.")
	memoryLimit      = desc("memory_limit_bytes", "Bytes of memory that the runtime tries to stay below.")
	descriptorsUsed  = desc("descriptors", "Files, ports and connections that are open; 0 where that cannot be seen.")
	descriptorsLimit = desc("descriptors_limit", "Files, ports and connections that may be open.")
	logLimit         = desc("log_lines_limit", "Lines of the log that may be the same but for their values, a minute and board.")
	logLeftOut       = desc("log_lines_left_out_total", "Lines of the log that were left out since the start because they were the same as others.")
)

// Budgets adds the budgets; now is called for each scrape.
func (m *Metrics) Budgets(now func() Budgets) { m.registry.MustRegister(budgets(now)) }

// Describe sends all descriptions.
func (budgets) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range [...]*prometheus.Desc{
		journalsLimit, freeLimit, journalsDue, journalsRemoved, garbageLimit, memoryUsed, memoryLimit, descriptorsUsed, descriptorsLimit, logLimit, logLeftOut,
	} {
		ch <- d
	}
}

// Collect sends all values.
func (b budgets) Collect(ch chan<- prometheus.Metric) {
	n := b()
	for _, v := range [...]struct {
		desc  *prometheus.Desc
		kind  prometheus.ValueType
		value int64
	}{
		{journalsLimit, prometheus.GaugeValue, n.Journals},
		{freeLimit, prometheus.GaugeValue, n.Free},
		{journalsDue, prometheus.GaugeValue, int64(n.Due)},
		{journalsRemoved, prometheus.CounterValue, n.Removed},
		{garbageLimit, prometheus.GaugeValue, n.Garbage},
		{memoryUsed, prometheus.GaugeValue, n.Memory},
		{memoryLimit, prometheus.GaugeValue, n.MemoryLimit},
		{descriptorsUsed, prometheus.GaugeValue, int64(n.Descriptors)},
		{descriptorsLimit, prometheus.GaugeValue, int64(n.DescriptorsLimit)},
		{logLimit, prometheus.GaugeValue, int64(n.LogLines)},
		{logLeftOut, prometheus.CounterValue, n.LogLinesLeftOut},
	} {
		ch <- prometheus.MustNewConstMetric(v.desc, v.kind, float64(v.value))
	}
}
