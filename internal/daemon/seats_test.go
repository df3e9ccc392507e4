package daemon

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
)

// readSeats reads the latest round of a list.
func readSeats(t *testing.T, file string) *seats {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := pairing.Read(file, f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return seatsOf(&p)
}

// sit lets a board be watched for as long as it takes to tell its players.
func sit(t *testing.T, dir, board, list string) {
	t.Helper()
	file := filepath.Join(dir, "round.csv")
	if err := os.WriteFile(file, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	who := readSeats(t, file)
	var told journalNames
	start := time.Now()
	s, err := station.Open(station.Options{
		Board: board, Dir: dir, Journal: "j", Wall: time.Now, Mono: func() int64 { return time.Since(start).Microseconds() }, Log: zerolog.Nop(),
		Recovered: told.recovered,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	who.sendNames(ctx, zerolog.Nop(), board, board, s, told, asTheyAre)
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// namesIn are the instructions of the journal.
func namesIn(t *testing.T, dir string) string {
	t.Helper()
	rd, err := journal.Open(filepath.Join(dir, "j"+journal.Extension))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	var all []string
	for {
		r, err := rd.Next()
		if err != nil {
			return strings.Join(all, "\n")
		}
		if r.Kind == record.Instruct {
			all = append(all, string(r.Body))
		}
	}
}

func TestNamesAreSentOnceAndAgainWhenTheyChange(t *testing.T) {
	dir := t.TempDir()
	const round1, round2 = "board,white,black\n7,\"Adams, Ann\",Bell\n8,C,D\n", "board,white,black\n7,Bell,C\n"
	for _, list := range []string{round1, round1, round2, round2, round1} {
		sit(t, dir, "board-07", list)
	}
	const first, second = `{"do":"names","white":"Adams, Ann","black":"Bell","name":"7"}`, `{"do":"names","white":"Bell","black":"C","name":"7"}`
	if have := namesIn(t, dir); have != first+"\n"+second+"\n"+first {
		t.Errorf("have\n%s", have)
	}
}

func TestABoardWithoutPlayersGetsNoNames(t *testing.T) {
	dir := t.TempDir()
	sit(t, dir, "9", "board,white,black\n7,A,B\n")
	if have := namesIn(t, dir); have != "" {
		t.Errorf("have %s", have)
	}
}

func TestWithoutAPairingThereAreNoNames(t *testing.T) {
	var nobody *seats
	nobody.sendNames(t.Context(), zerolog.Nop(), "1", "1", nil, journalNames{}, asTheyAre)
	nobody.introduce(zerolog.Nop(), []config.Board{{Name: "1"}})
}

func TestThePairingIsLoggedOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "good.csv")
	if err := os.WriteFile(file, []byte("round,board,white,black\n4,1,A,B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	readSeats(t, file).introduce(zerolog.New(&log), []config.Board{{Name: "1"}, {Name: "2"}})
	if text := log.String(); !strings.Contains(text, `"round":"4","games":1`) || strings.Count(text, "nobody is paired") != 1 || !strings.Contains(text, `"board":"2"`) {
		t.Errorf("the log: %s", text)
	}
}

func asTheyAre(name string) string { return name }
