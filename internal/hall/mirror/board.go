package mirror

import (
	"os"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/watch"
)

// BoardOf is the board of a journal, by the first record of a segment: the first one may be torn; "" where none can be
// read.
func BoardOf(e journal.Entry) string {
	for _, s := range e.Segments {
		if board := boardIn(s.Path); board != "" {
			return board
		}
	}
	return ""
}

func boardIn(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() // read only
	r, err := journal.NewReader(f).Next()
	if err != nil {
		return ""
	}
	o, err := watch.ParseOpening(r.Body)
	if err != nil {
		return ""
	}
	return o.Board
}
