package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/watch"
)

// Latest is the argument for the journals of the newest round: of all boards, or with a colon and a name of one board.
const Latest = "latest"

// ErrNoJournal means that no directory has a journal that was requested.
var ErrNoJournal = errors.New("no journal is there yet")

// LatestJournals are the files of the newest round in these state directories, of a computer or of a hall; board "" is
// all boards. The newest round is that of the journal that was written last: it has the same number, or is of the same
// simulation, or was written within half a day of it. Unread names the directories that could not be read, where a
// newer journal may be; older are the directories with journals of an earlier round.
func LatestJournals(board string, dirs ...string) (files, older []string, unread, err error) {
	var newest time.Time
	var from string
	for _, dir := range dirs {
		entries, lerr := journalsIn(dir)
		if lerr != nil && !errors.Is(lerr, fs.ErrNotExist) {
			unread = errors.Join(unread, lerr)
			continue
		}
		list := newestRound(entries, board)
		if len(list) == 0 {
			continue
		}
		written := slices.MaxFunc(list, func(a, b journal.Entry) int { return a.LastWrite.Compare(b.LastWrite) }).LastWrite
		if !written.After(newest) {
			older = append(older, dir)
			continue
		}
		if from != "" {
			older = append(older, from)
		}
		newest, from, files = written, dir, nil
		copies := (&rounds{mirror: true}).copied(list)
		for _, e := range list {
			if copies[e.Segments[0].Path] {
				continue
			}
			files = append(files, e.Segments[0].Path)
		}
	}
	switch {
	case len(files) > 0:
		return files, older, unread, nil
	case unread != nil:
		return nil, nil, nil, unread
	}
	if board != "" {
		return nil, nil, nil, fmt.Errorf("%w of board %s in %s", ErrNoJournal, board, strings.Join(dirs, " or "))
	}
	return nil, nil, nil, fmt.Errorf("%w in %s", ErrNoJournal, strings.Join(dirs, " or "))
}

// journalsIn are the journals of a state directory: a computer's own, and a hall's mirrors.
func journalsIn(dir string) ([]journal.Entry, error) {
	own, err := journal.List(dir)
	if err != nil {
		return nil, err
	}
	mirrored, err := (&rounds{dir: HallFiles(dir).Mirror(), mirror: true}).entries()
	return append(own, mirrored...), err
}

// StateOf is the state directory of a journal: that of the file, or of the hall that mirrors it.
func StateOf(file string) string {
	dir := filepath.Dir(file)
	hall, err := filepath.Abs(filepath.Join(dir, "..", "..", ".."))
	if err != nil {
		return dir
	}
	if abs, err := filepath.Abs(dir); err != nil || filepath.Dir(abs) != HallFiles(hall).Mirror() {
		return dir
	}
	return hall
}

// The forms of journals' names: of simulate, of a round, and of a day.
var (
	simulationName = regexp.MustCompile(`^(simulation-[0-9]{8}-[0-9]{6}-.*?)(?:-table(.+))?$`)
	roundName      = regexp.MustCompile(`^(.+)(-r.+?)(?:--[0-9]+)?$`)
	dayName        = regexp.MustCompile(`^(.+)-[0-9]{8}.*$`)
)

// nameOfRound separates the board and the round in the name of a journal.
const nameOfRound = "-r"

// boardAndRound splits the name of a journal. Round "" is a journal of a day; board "" is another file.
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

// boardAndRoundOf splits the name of a journal. An ambiguous name, such as 7-r4-rapid, is resolved by the journal's
// opening record.
func boardAndRoundOf(e journal.Entry) (board, round string) {
	board, round = boardAndRound(e.Name)
	if strings.Count(e.Name, nameOfRound) < 2 || simulationName.MatchString(e.Name) {
		return board, round
	}
	src, err := recording.Open(e.Segments[0].Path, nil)
	if err != nil {
		return board, round
	}
	defer src.Close()
	it, err := src.Next()
	if err != nil {
		return board, round
	}
	o, err := watch.ParseOpening(it.Record.Body)
	if err != nil {
		return board, round
	}
	if rest, ok := strings.CutPrefix(e.Name, fileName(o.Board)+nameOfRound); ok {
		return fileName(o.Board), nameOfRound + again.ReplaceAllString(rest, "")
	}
	return board, round
}

// newestRound are the journals of the newest round, one for each board of each computer.
func newestRound(entries []journal.Entry, board string) (list []journal.Entry) {
	slices.SortStableFunc(entries, func(a, b journal.Entry) int { return b.LastWrite.Compare(a.LastWrite) })
	var seen []string
	round, newest := "", journal.Entry{}
	for _, e := range entries {
		of, its := boardAndRoundOf(e)
		if of == "" || of == "lab" || board != "" && of != fileName(board) {
			continue
		}
		if newest.Name == "" {
			newest, round = e, its
		}
		at := filepath.Join(filepath.Dir(e.Segments[0].Path), of)
		if its != round || round == "" && newest.LastWrite.Sub(e.LastWrite) >= sameSession || slices.Contains(seen, at) {
			continue
		}
		list, seen = append(list, e), append(seen, at)
	}
	slices.SortStableFunc(list, func(a, b journal.Entry) int { return pairing.Natural(a.Name, b.Name) })
	return list
}
