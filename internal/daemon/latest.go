package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"boardwatchd/internal/journal"
)

// Latest is the word for the journals of the newest round: of all boards, or with a colon and a name behind it of one.
const Latest = "latest"

// ErrNoJournal says that no directory has a journal that was asked for.
var ErrNoJournal = errors.New("no journal is there yet")

// LatestJournals are the files of the newest round in the first of these directories that has journals; board "" is all
// of them. The round is that of the journal that was written last: with its number, of its simulation, or within half a
// day.
func LatestJournals(board string, dirs ...string) (files []string, err error) {
	for _, dir := range dirs {
		entries, lerr := journal.List(dir)
		if lerr != nil && !errors.Is(lerr, fs.ErrNotExist) {
			err = errors.Join(err, lerr)
			continue
		}
		for _, e := range newestRound(entries, board) {
			files = append(files, filepath.Join(dir, journal.SegmentName(e.Name, 1)))
		}
		if len(files) > 0 {
			return files, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if board != "" {
		return nil, fmt.Errorf("%w of board %s in %s", ErrNoJournal, board, strings.Join(dirs, " or "))
	}
	return nil, fmt.Errorf("%w in %s", ErrNoJournal, strings.Join(dirs, " or "))
}

// The names of journals: simulate's, those of a round, and those of a day.
var (
	simulationName = regexp.MustCompile(`^(simulation-[0-9]{8}-[0-9]{6}-.*?)(?:-table(.+))?$`)
	roundName      = regexp.MustCompile(`^(.+)(-r.+?)(?:--[0-9]+)?$`)
	dayName        = regexp.MustCompile(`^(.+)-[0-9]{8}.*$`)
)

// boardAndRound takes the name of a journal apart. Round "" is a journal of a day; board "" is another file.
func boardAndRound(name string) (board, round string) {
	if m := simulationName.FindStringSubmatch(name); m != nil {
		if m[2] == "" {
			return "simulated", m[1]
		}
		return m[2], m[1]
	}
	if m := dayName.FindStringSubmatch(name); m != nil {
		return m[1], ""
	}
	if m := roundName.FindStringSubmatch(name); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

// newestRound are the journals of the newest round, one of each board.
func newestRound(entries []journal.Entry, board string) (list []journal.Entry) {
	slices.SortStableFunc(entries, func(a, b journal.Entry) int { return b.LastWrite.Compare(a.LastWrite) })
	var seen []string
	round, newest := "", journal.Entry{}
	for _, e := range entries {
		of, its := boardAndRound(e.Name)
		if of == "" || of == "lab" || board != "" && of != fileName(board) {
			continue
		}
		if newest.Name == "" {
			newest, round = e, its
		}
		if its != round || round == "" && newest.LastWrite.Sub(e.LastWrite) >= sameSession || slices.Contains(seen, of) {
			continue
		}
		list, seen = append(list, e), append(seen, of)
	}
	slices.SortFunc(list, func(a, b journal.Entry) int { return strings.Compare(a.Name, b.Name) })
	return list
}
