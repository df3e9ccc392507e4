package retention

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// File is the name of the list, beside the journals.
const File = "removed.json"

const (
	version    = 1
	maxFile    = 8 << 20
	maxRemoved = 20_000
)

// A Journal describes a journal before it is removed.
type Journal struct {
	Name    string    `json:"journal"`
	Bytes   int64     `json:"bytes"`
	Written time.Time `json:"written"`       // time of the last write to its files
	Seq     int64     `json:"seq"`           // of the last record
	Chain   string    `json:"chain"`         // of the same record
	Why     Why       `json:"why,omitempty"` // the reason for its removal
}

// Why is the reason for which a journal is removed.
type Why string

// The reasons.
const (
	Room Why = "room"
	Age  Why = "age"
)

// A Due journal is announced for removal.
type Due struct {
	Journal
	Announced []string `json:"told"` // the days of the announcements
}

// A Removed journal has been removed.
type Removed struct {
	Journal
	At         time.Time `json:"at"`
	Unfinished bool      `json:"unfinished,omitempty"`
}

// A List is the content of the file.
type List struct {
	Version int       `json:"version"`
	Looked  string    `json:"looked,omitempty"`  // the last day on which something was due
	Doubted string    `json:"doubted,omitempty"` // the last day on which the clock may have been wrong
	Due     []Due     `json:"due"`
	Removed []Removed `json:"removed"`
}

// Read returns the list of a directory; a missing list is empty.
func Read(dir string) (l List, err error) {
	path := filepath.Join(dir, File)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return List{Version: version}, nil
	}
	if err != nil {
		return l, err
	}
	defer f.Close() // read only
	body, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return l, err
	}
	err = json.Unmarshal(body, &l)
	if err == nil && l.Version != version {
		err = fmt.Errorf("its version is %d, this program reads %d", l.Version, version)
	}
	if err != nil {
		return List{}, fmt.Errorf("%s is no list of removed journals: %w; mend it, or rename it", path, err)
	}
	return l, nil
}

// Left returns the number of days until the first due journal can be removed; 0 is today.
func (l List) Left(now time.Time) int {
	today := now.UTC().Format(dayLayout)
	left := noticeDays
	for _, d := range l.Due {
		days := noticeDays - len(d.Announced)
		if l.Doubted == today || slices.Contains(d.Announced, today) {
			days++
		}
		left = min(left, days)
	}
	return max(left, 0)
}

// Lookup returns the entry of a list about a journal that this program has removed; of several with one name the last.
func (l List) Lookup(name string) (Removed, bool) {
	for _, r := range slices.Backward(l.Removed) {
		if r.Name == name {
			return r, true
		}
	}
	return Removed{}, false
}

func (l List) encode() ([]byte, error) {
	l.Version = version
	l.Removed = l.Removed[max(0, len(l.Removed)-maxRemoved):]
	body, err := json.MarshalIndent(l, "", " ")
	return append(body, '\n'), err
}
