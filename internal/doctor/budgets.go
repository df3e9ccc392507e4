package doctor

import (
	"context"
	"math"
	"strconv"
	"strings"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/retention"
	texts "boardwatchd/internal/web/page"
)

// reportLate is the number of seconds of standstill from which a line is reported.
const reportLate = 10

// budgets asks the running boardwatchd for its use of limited resources.
func budgets(ctx context.Context, v *visit) {
	v.journals()
	if v.running == "" {
		v.ok("no boardwatchd is running that could tell what it uses")
		return
	}
	status, body, err := v.Get(ctx, "http://"+v.running+"/metrics")
	if err != nil || status != 200 {
		v.ok("the running boardwatchd does not tell what it uses (http.metrics, status %d)", status)
		return
	}
	m := readings(string(body))
	v.garbage(m)
	for _, s := range m["boardwatchd_late_seconds_total"] {
		if s.value >= reportLate {
			v.warn("end what keeps this computer busy, and switch its power saving off",
				"this computer was busy or suspended: for %.0f s of its journal board %s had to wait", s.value, printable(s.label))
		}
	}
	v.descriptors(m)
	v.connections(m)
	if used, limit := first(m["boardwatchd_memory_bytes"]), first(m["boardwatchd_memory_limit_bytes"]); limit >= math.MaxInt64 {
		v.ok("memory: %s are used; GOMEMLIMIT switches the limit off", megabytes(int64(used)))
	} else if limit > 0 && used > limit {
		v.warn("raise budgets.memory, or GOMEMLIMIT where that is set, and MemoryMax= of the unit above it", "memory: %s are used, and the limit is %s",
			megabytes(int64(used)), megabytes(int64(limit)))
	} else if limit > 0 {
		v.ok("memory: %s of %s are used", megabytes(int64(used)), megabytes(int64(limit)))
	}
	if limit := first(m["boardwatchd_log_lines_limit"]); limit > 0 {
		v.ok("log: %.0f lines that were like others were left out (%.0f a minute and board are written)", first(m["boardwatchd_log_lines_left_out_total"]), limit)
	}
}

// journals reports the space taken by journals, and which of them will be removed.
func (v *visit) journals() {
	if v.dir == "" {
		return
	}
	entries, err := journal.List(v.path(v.dir))
	if err != nil {
		return // the directory does not exist yet, or its own line reports its problem
	}
	var taken int64
	for _, e := range entries {
		taken += e.Size
	}
	b := v.Config.Budgets
	v.mirrored(b)
	list, err := retention.Read(v.path(v.dir))
	switch told := texts.English(retention.Announcement(list.Due, list.Left(v.Now()), v.Now())); {
	case err != nil:
		v.fail("mend or rename the file that is named", "journals: none can be removed: %v", err)
	case told != "":
		v.warn(texts.English(retention.Remedy(v.dir, list.Due)), "journals: %s", told)
	case taken > b.Journals:
		v.warn("copy old ones to another computer and delete them here, or raise budgets.journals", "journals: they take %s of %s", megabytes(taken), megabytes(b.Journals))
	default:
		v.ok("journals: they take %s of %s; %s of the disk are kept free; %s removed so far", megabytes(taken), megabytes(b.Journals), megabytes(b.Free),
			retention.Number(len(list.Removed), "was", "were"))
	}
}

func (v *visit) garbage(m map[string][]reading) {
	many := false
	for _, s := range m["boardwatchd_garbage_left_out_bytes_total"] {
		if s.value > 0 {
			many = true
			v.warn("check its cable, adapter and port; boardwatchd decode shows what is kept",
				"board %s has sent %s of garbage, which the journal has by its number only", printable(s.label), megabytes(int64(s.value)))
		}
	}
	if !many {
		v.ok("garbage: no line is full of it (%s a day and board are kept in full)", megabytes(int64(first(m["boardwatchd_garbage_limit_bytes"]))))
	}
}

func (v *visit) descriptors(m map[string][]reading) {
	used, limit := first(m["boardwatchd_descriptors"]), first(m["boardwatchd_descriptors_limit"])
	if limit > 0 && used > limit*4/5 {
		v.warn("LimitNOFILE=1024 in the unit, ulimit -n, or budgets.descriptors, and start it again; close what holds connections",
			"descriptors: %.0f of %.0f are used", used, limit)
	} else if limit > 0 {
		v.ok("descriptors: %.0f of %.0f are used", used, limit)
	}
}

func (v *visit) connections(m map[string][]reading) {
	limit, reclaimed, used := first(m["boardwatchd_connections_limit"]), first(m["boardwatchd_connections_reclaimed_total"]), 0.0
	for _, s := range m["boardwatchd_connections"] {
		used += s.value
	}
	switch {
	case limit == 0: // there is no page
	case reclaimed > 0:
		v.warn("end the program on the network that holds them; paired phones and this computer keep their places",
			"connections: %.0f of %.0f are open, and %.0f idle ones were closed since the start to let others in", used, limit, reclaimed)
	default:
		v.ok("connections: %.0f of %.0f are open", used, limit)
	}
}

// A reading is a value with its first label.
type reading struct {
	label string
	value float64
}

// readings reads the text format of Prometheus; unreadable lines are left out.
func readings(text string) map[string][]reading {
	m := map[string][]reading{}
	for _, line := range strings.Split(text, "\n") {
		name, rest, labelled := strings.Cut(line, "{")
		label := ""
		if labelled {
			end := strings.LastIndex(rest, "} ")
			if end < 0 {
				continue
			}
			_, label, _ = strings.Cut(rest[:end], "=")
			if quoted, err := strconv.QuotedPrefix(label); err == nil {
				label, _ = strconv.Unquote(quoted)
			}
			rest = rest[end+2:]
		} else if name, rest, labelled = strings.Cut(line, " "); !labelled {
			continue
		}
		if n, err := strconv.ParseFloat(rest, 64); err == nil && !strings.HasPrefix(name, "#") {
			m[name] = append(m[name], reading{label, n})
		}
	}
	return m
}

func first(list []reading) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[0].value
}
