package mirror

import (
	"os"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/watch"
)

// BoardOf is the board of a journal, from the first readable record at the beginning of a segment, because the first
// segment may be torn; "" if there is none.
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
