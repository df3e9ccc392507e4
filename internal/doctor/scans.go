package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"

	"boardwatchd/internal/journal"
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
		s, ok := lastScan(data)
		switch {
		case !ok:
			continue
		case s.Verdict == "not_judged":
			v.warn("a cable instead of a radio link, and no other program between; else two hands are a matter of eyes", "%s: %s", e.Name, printable(s.Detail))
		default:
			v.ok("%s: %s", e.Name, printable(s.Detail))
		}
		if h, ok := lastHeld(data); ok && h.Held {
			v.warn("decide the suspicions that were told; boardwatchd lab --evaluate on its journals says how often the board suspects whom",
				"%s: %s", e.Name, printable(h.Detail))
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

// lastScan finds the last health line about the scan among the records.
func lastScan(data []byte) (s toldScan, ok bool) {
	return lastHealth(data, "scan", func(s toldScan) bool { return s.Detail != "" })
}

// toldHeld is the health line about suspicions that are held back.
type toldHeld struct {
	Detail, Scope string
	Held          bool
}

// lastHeld finds the last one about the whole board: what is held back of a player ends with his game.
func lastHeld(data []byte) (h toldHeld, ok bool) {
	return lastHealth(data, "hands_held", func(h toldHeld) bool { return h.Detail != "" && h.Scope == "board" })
}

// lastHealth finds the last health line with that word that is wanted.
func lastHealth[T any](data []byte, word string, wanted func(T) bool) (none T, ok bool) {
	for len(data) > 0 {
		at := bytes.LastIndex(data, []byte(`"what":"`+word+`"`))
		if at < 0 {
			break
		}
		var line T
		from := bytes.LastIndex(data[:at], []byte(`{"type":"health"`))
		if from >= 0 && json.NewDecoder(bytes.NewReader(data[from:])).Decode(&line) == nil && wanted(line) {
			return line, true
		}
		data = data[:at]
	}
	return none, false
}
