package config

// Budgets are limits of resources. Page, log, metrics and doctor report which of them is exceeded.
type Budgets struct {
	Journals    int64 // bytes of all journals together; beyond, closed rounds are removed
	Free        int64 // bytes that stay free on the disk of the journals, likewise
	Garbage     int64 // bytes of garbage a day and board, in no message, that the journal keeps in full
	Connections int   // to the page, both ports together
	Memory      int64 // limit of the runtime's memory in bytes, unless $GOMEMLIMIT is set
	Descriptors int   // of this process, as far as the system allows
	LogLines    int   // lines a minute and board that differ only in their values
}

// DefaultMemory is the default of Memory.
const DefaultMemory = 65 << 20

// minDescriptors is the number of descriptors left by connections to 64 boards, six for each, and to the page's own
// files (internal/web/doc.go).
const minDescriptors = 448

var budgetKeys = []key{
	{name: "journals", kind: size, def: "1024GiB", min: 1 << 20, max: 1 << 50,
		doc: "All journals together; beyond, closed rounds are removed, the oldest first, and that is announced on three days before.",
		set: func(c any, v value) { cfg(c).Budgets.Journals = v.number }},
	{name: "free", kind: size, def: "1GiB", max: 1 << 40,
		doc: "Free space on the disk of the journals: with less a notice appears, and closed rounds are removed likewise while all journals together take more than this.",
		set: func(c any, v value) { cfg(c).Budgets.Free = v.number }},
	{name: "garbage", kind: size, def: "5MiB", min: 64 << 10, max: 1 << 30,
		doc: "Bytes a day from a board that are part of no message and kept in full; of more, the number, the first bytes and the time are kept.",
		set: func(c any, v value) { cfg(c).Budgets.Garbage = v.number }},
	{name: "connections", kind: integer, def: "512", min: 128, max: 1024 - minDescriptors,
		doc: "Connections to the page: all but 80 can be kept for paired devices, 16 for this computer, and one address gets at most half.",
		set: func(c any, v value) { cfg(c).Budgets.Connections = int(v.number) }},
	{name: "memory", kind: size, def: "65MiB", min: 32 << 20, max: 64 << 30,
		doc: "Memory that the program tries to stay below, unless $GOMEMLIMIT says it; boardwatchd hall takes 224MiB where this is 65MiB.",
		set: func(c any, v value) { cfg(c).Budgets.Memory = v.number }},
	{name: "descriptors", kind: integer, def: "1024", min: 128 + minDescriptors, max: 1024,
		doc: "Files, ports and connections that may be open, as far as the system allows; the serial library cannot use more than 1024.",
		set: func(c any, v value) { cfg(c).Budgets.Descriptors = int(v.number) }},
	{name: "log_lines", kind: integer, def: "10", min: 1, max: 600,
		doc: "Lines of the log a minute that are the same but for their values, of each board; the next one says how many were left out.",
		set: func(c any, v value) { cfg(c).Budgets.LogLines = int(v.number) }},
}

// budgets checks limits that contradict one another.
func (w *walker) budgets() {
	b := w.config.Budgets
	if b.Connections > b.Descriptors-minDescriptors {
		w.problem(w.place("budgets.connections", "budgets.descriptors"), "budgets", "connections (%d) must leave %d of the descriptors (%d) for boards and files: write at most %d connections",
			b.Connections, minDescriptors, b.Descriptors, b.Descriptors-minDescriptors)
	}
}
