package doctor

import (
	"context"
	"strconv"
	"strings"
)

// tellLate is how many seconds of standstill are worth a line.
const tellLate = 10

// budgets asks the running boardwatchd what it has used of what is limited.
func budgets(ctx context.Context, v *visit) {
	if v.running == "" {
		v.ok("no boardwatchd is running that could tell what it uses")
		return
	}
	status, body, err := v.Get(ctx, "http://"+v.running+"/metrics")
	if err != nil || status != 200 {
		v.ok("the running boardwatchd does not tell what it uses (http.metrics, status %d)", status)
		return
	}
	before := len(v.lines)
	m := readings(string(body))
	for _, s := range m["boardwatchd_garbage_left_out_bytes_total"] {
		if s.value > 0 {
			v.warn("check its cable, adapter and port; boardwatchd decode shows what is kept",
				"board %s has sent %s of garbage, which the journal has by its number only", printable(s.label), megabytes(int64(s.value)))
		}
	}
	for _, s := range m["boardwatchd_late_seconds_total"] {
		if s.value >= tellLate {
			v.warn("end what keeps this computer busy, and switch its power saving off",
				"this computer was busy or suspended: for %.0f s of its journal board %s had to wait", s.value, printable(s.label))
		}
	}
	used, limit := first(m["process_open_fds"]), first(m["process_max_fds"])
	if limit > 0 && used > limit*4/5 {
		v.warn("LimitNOFILE=1024 in the unit, or ulimit -n, and start it again; close what holds connections", "%.0f of %.0f descriptors are used", used, limit)
	}
	if len(v.lines) == before {
		v.ok("no line is full of garbage; %.0f of %.0f descriptors are used", used, limit)
	}
}

// A reading is a value with its first label.
type reading struct {
	label string
	value float64
}

// readings reads the text of Prometheus; what cannot be read is left out.
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
