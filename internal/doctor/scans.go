package doctor

import (
	"context"
	"os"
	"slices"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/watch"
)

// Bounds of what is read: the newest journals, and the end of each.
const (
	maxScans  = 8
	scanBytes = 32 << 20
)

// scans tells what the newest journals say about how the boards scan, and whether their timing is judged for two hands.
func scans(_ context.Context, v *visit) {
	list, err := journal.List(v.path(v.dir))
	if v.dir == "" || err != nil {
		list = nil // the check of the state directory has said so
	}
	before := len(v.lines)
	defer func() {
		if len(v.lines) == before {
			v.ok("no board has told yet how it scans its squares; that takes eight to fifty moves")
		}
	}()
	slices.SortStableFunc(list, func(a, b journal.Entry) int { return b.LastWrite.Compare(a.LastWrite) })
	for _, e := range list[:min(len(list), maxScans)] {
		v.scan(e)
	}
}

// toldScan is the health line about the scan.
type toldScan struct {
	Detail, Verdict string
}

func (v *visit) scan(e journal.Entry) {
	for _, f := range slices.Backward(e.Segments) {
		data, err := end(f.Path)
		if err != nil {
			return
		}
		var s toldScan
		switch at := watch.LastHealth(data, "scan", &s); {
		case at < 0 || s.Detail == "":
			continue
		case s.Verdict == "not_judged":
			v.warn("a cable instead of a radio link, and no other program between; else two hands are a matter of eyes", "%s: %s", e.Name, printable(s.Detail))
		default:
			v.ok("%s: %s", e.Name, printable(s.Detail))
		}
		return
	}
}

// end is the last part of a file.
func end(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if len(data) > scanBytes {
		data = data[len(data)-scanBytes:]
	}
	return data, err
}
