package daemon

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"boardwatchd/internal/journal"
)

// copied marks, by their first files, the journals of a round that are the beginning of a journal from a computer of
// another name: a computer that was renamed, perhaps only for a while, sends one journal under both names. Of two equal
// ones the one written last counts.
func (r *rounds) copied(list []journal.Entry) map[string]bool {
	copies := map[string]bool{}
	if !r.mirror {
		return copies
	}
	byName := map[string][]journal.Entry{}
	for _, e := range list {
		for _, o := range byName[e.Name] {
			short, long := e, o
			if e.Size > o.Size || e.Size == o.Size && e.LastWrite.After(o.LastWrite) {
				short, long = o, e
			}
			if path := short.Segments[0].Path; !copies[path] && r.isBeginning(short, long) {
				copies[path] = true
			}
		}
		byName[e.Name] = append(byName[e.Name], e)
	}
	return copies
}

// isBeginning reports whether a journal that is not empty is the beginning of another one, or equal to it. The result
// is kept until one of them has grown.
func (r *rounds) isBeginning(short, long journal.Entry) bool {
	pair := short.Segments[0].Path + "\n" + long.Segments[0].Path
	state := fmt.Sprint(short.Size, short.LastWrite, long.Size, long.LastWrite)
	r.mu.Lock()
	known, read := r.begins[pair]
	r.mu.Unlock()
	if read && known.state == state {
		return known.isBeginning
	}
	is := short.Size > 0 && len(short.Segments) <= len(long.Segments)
	for i, s := range short.Segments {
		last := i == len(short.Segments)-1
		is = is && sameSegment(s, long.Segments[i], last)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begins == nil {
		r.begins = map[string]beginningOf{}
	}
	r.begins[pair] = beginningOf{state, is}
	return is
}

// beginningOf is the result of isBeginning for a state of both journals.
type beginningOf struct {
	state       string
	isBeginning bool
}

// sameSegment reports whether two segments are equal, or for the last one, whether it begins the other. An unreadable
// segment is not equal.
func sameSegment(s, of journal.File, last bool) bool {
	packed := !strings.HasSuffix(s.Path, journal.Extension) // the beginning of a packed file does not show its content
	if filepath.Base(s.Path) != filepath.Base(of.Path) || s.Size > of.Size || s.Size < of.Size && (!last || packed) {
		return false
	}
	a, err := os.Open(s.Path)
	if err != nil {
		return false
	}
	defer a.Close() // read only
	b, err := os.Open(of.Path)
	if err != nil {
		return false
	}
	defer b.Close() // read only
	var x, y [32 << 10]byte
	for left := s.Size; left > 0; left -= int64(len(x)) {
		n := int(min(left, int64(len(x))))
		if _, err := io.ReadFull(a, x[:n]); err != nil {
			return false
		}
		if _, err := io.ReadFull(b, y[:n]); err != nil || !bytes.Equal(x[:n], y[:n]) {
			return false
		}
	}
	return true
}
