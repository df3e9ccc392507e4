package people

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	fileVersion = 1
	maxFile     = 8 << 20
	maxEntries  = 20_000
	maxText     = 4096 // bytes of a name or a note
	dayLayout   = time.DateOnly
)

// entries is the content of the file.
type entries struct {
	Version int     `json:"version"`
	Looked  string  `json:"looked,omitempty"`  // the day of the last Expire
	Doubted string  `json:"doubted,omitempty"` // the last day on which the clock was possibly wrong
	Players []Entry `json:"players"`
	Devices []Entry `json:"devices"`
	Notes   []Note  `json:"notes"`
}

// An Entry is a player or the device of a person who decides.
type Entry struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Day  string `json:"day"` // the day on which it was last needed
}

// A Note is a text written with a decision.
type Note struct {
	ID   string `json:"id"`
	Salt string `json:"salt"`
	Text string `json:"text"`
	Day  string `json:"day"`
}

// read returns the content of a file; empty if there is none.
func read(path string) (entries, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return entries{}, nil
	}
	if err != nil {
		return entries{}, err
	}
	defer f.Close() // read only
	body, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return entries{}, err
	}
	e, err := decode(body)
	if err != nil {
		return entries{}, &DamagedError{Path: path, Err: err}
	}
	return e, nil
}

// A DamagedError says that a file of names cannot be understood.
type DamagedError struct {
	Path string
	Err  error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is no list of people: %v; ids are shown for the names in it; mend it, or remove it", e.Path, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

func decode(body []byte) (e entries, err error) {
	if len(body) > maxFile {
		return e, fmt.Errorf("it is longer than %d bytes", maxFile)
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return entries{}, err
	}
	if e.Version != fileVersion {
		return entries{}, fmt.Errorf("its version is %d, this program reads %d", e.Version, fileVersion)
	}
	for _, list := range [][]Entry{e.Players, e.Devices} {
		for _, x := range list {
			if !plain(x.ID) || !plain(x.Name) || x.ID == "" {
				return entries{}, fmt.Errorf("the entry %.60q is not an id and a name", x.ID)
			}
		}
	}
	for _, n := range e.Notes {
		if noteID(n.Salt, n.Text) != n.ID {
			return entries{}, fmt.Errorf("the text of the note %.60q is not the one that was written", n.ID)
		}
	}
	return e, nil
}

func (e *entries) clone() entries {
	return entries{e.Version, e.Looked, e.Doubted, slices.Clone(e.Players), slices.Clone(e.Devices), slices.Clone(e.Notes)}
}

// plain reports whether a text can be shown: no control character, not too long.
func plain(s string) bool {
	return len(s) <= maxText && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// encode returns the file in a form that decode accepts: if it is too large, the entries needed longest ago are left
// out.
func (e *entries) encode() ([]byte, error) {
	e.Version = fileVersion
	for most := maxEntries; ; most = most / 8 * 7 {
		body, err := e.encodeNewest(most)
		if err != nil || len(body) <= maxFile {
			return body, err
		}
	}
}

func (e *entries) encodeNewest(most int) ([]byte, error) {
	for _, list := range []*[]Entry{&e.Players, &e.Devices} {
		if *list == nil {
			*list = []Entry{}
		}
		*list = newest(*list, most, func(x Entry) string { return x.Day })
	}
	if e.Notes == nil {
		e.Notes = []Note{}
	}
	e.Notes = newest(e.Notes, most, func(x Note) string { return x.Day })
	body, err := json.MarshalIndent(e, "", " ")
	return append(body, '\n'), err
}

// newest keeps the entries needed last, if there are too many.
func newest[T any](list []T, most int, day func(T) string) []T {
	if len(list) <= most {
		return list
	}
	slices.SortStableFunc(list, func(a, b T) int { return strings.Compare(day(a), day(b)) })
	return slices.Clone(list[len(list)-most:])
}
