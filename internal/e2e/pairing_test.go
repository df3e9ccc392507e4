//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// TestPairing: the ids of the players of a TRF are in the journal of their board, once although the daemon is started
// again, their names in people.json, and in the PGN of the game that is played there. Without that file the ids are
// shown.
func TestPairing(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	p := newPort(t)
	conf := w.write(t, "boardwatchd.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\nboards:\n  - name: board-01\n    port: %s\n  - name: \"2\"\n    port: /dev/ttyNONE\n%s",
		w.state(), p.path, ownPage))
	player := func(start int, name, round string) string {
		return fmt.Sprintf("001 %4d      %-33s%38s%4d  %s\n", start, name, "", start, round)
	}
	pairing := w.write(t, "round.txt", "012 Open\n"+player(1, "Müller,Ä", "   2 w  ")+player(2, "Bell,Bob", "   1 b  "))
	const journal = "board-01-r1"
	names := func() int {
		l, err := readLedger(w.state(), journal)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range l.of("instruct") {
			if strings.HasPrefix(e.body, `{"do":"names","white":"p-`) {
				n++
			}
		}
		return n
	}
	for start := range 2 {
		d := w.start(t, "run", "-c", conf, "--pairing", pairing)
		d.err.await(t, "a TRF has no board numbers")
		d.err.await(t, "nobody is paired at this board", `"board":"2"`)
		d.err.await(t, "board connected")
		if start == 0 {
			sharedtest.Until(t, "the names are in the journal before the game", func() bool { return names() == 1 })
			p.put(t, bytes.Join(wire(t, recorded[0].name), nil))
			for late := sharedtest.Late(t); !strings.Contains(d.out.String(), recorded[0].last); {
				if time.Now().After(late) {
					t.Fatal("the game is not watched to its end")
				}
				p.commands(t, 5*time.Millisecond)
			}
		}
		d.stopped(t)
		if n := names(); n != 1 {
			t.Errorf("start %d: the names stand %d times in the journal", start+1, n)
		}
	}
	file := segmentPath(w.state(), journal, 1)
	if text := w.run(t, "", "pgn", file).want(t, 0).out; !strings.Contains(text, "[White \"Müller, Ä\"]\n[Black \"Bell, Bob\"]") {
		t.Errorf("the PGN:\n%s", text)
	}
	w.run(t, "", "verify", file).want(t, 0)
	out := w.path("report")
	said := w.run(t, "", "report", file, "--out", out, "--pairing", pairing).want(t, 0)
	list, cerr := os.ReadFile(filepath.Join(out, "report-1-results.csv"))
	trf, err := os.ReadFile(filepath.Join(out, "report-1-results.trf"))
	if err != nil || cerr != nil || !strings.Contains(string(list), "\n1,\"Müller, Ä\",\"Bell, Bob\",") || !strings.Contains(string(trf), "Müller,Ä") {
		t.Errorf("the results are\n%s\n%s\n%s (%v, %v)", said.out, list, trf, cerr, err)
	}
	if body, err := os.ReadFile(file); err != nil || bytes.Contains(body, []byte("Bell")) {
		t.Errorf("the journal holds a name, or cannot be read: %v", err)
	}
	people := w.run(t, "", "people", "-c", conf).want(t, 0).out
	bob := regexp.MustCompile(`player +(p-\w+) +\S+ +Bell, Bob`).FindStringSubmatch(people)
	if bob == nil {
		t.Fatalf("the list of people:\n%s", people)
	}
	w.run(t, "", "people", "-c", conf, "forget", bob[1]).want(t, 0)
	if r := w.run(t, "", "people", "-c", conf, "forget", bob[1]).want(t, 1); !strings.Contains(r.err, bob[1]) {
		t.Errorf("nobody is forgotten twice: %s", r.err)
	}
	w.run(t, "", "people", "-c", conf, "forget").want(t, 2)
	if text := w.run(t, "", "pgn", file).want(t, 0).out; !strings.Contains(text, "[White \"Müller, Ä\"]\n[Black \""+bob[1]+"\"]") {
		t.Errorf("the PGN without a name:\n%s", text)
	}
	w.run(t, "", "verify", file).want(t, 0)

	d := w.start(t, "run", "-c", conf, "--pairing", pairing+".gone")
	d.err.await(t, "The pairing "+pairing+".gone cannot be read: it is not there.")
	d.err.await(t, "board connected")
	d.stopped(t)

	bad := w.write(t, "bad.csv", "board,white,black\n1,A,B\n01,C,D\n")
	if r := w.run(t, "", "run", "-c", conf, "--pairing", bad).want(t, 2); !strings.Contains(r.err, "bad.csv:3:1: board 01 stands in line 2 too") {
		t.Errorf("a bad pairing: %s", r.err)
	}
}
