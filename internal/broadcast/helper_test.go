package broadcast

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

const (
	second = 1_000_000
	minute = 60 * second
)

// line is a game in UCI.
var line = strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5")

const array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// A script is a journal that a test writes.
type script struct {
	t    testing.TB
	tape *Tape
	seq  record.Seq
	at   int64
	all  []record.Record
}

func newScript(t testing.TB) *script {
	s := &script{t: t, tape: NewTape(1)}
	s.open("start", "boot", 100*second)
	return s
}

func (s *script) put(kind record.Kind, body any) {
	s.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	s.seq++
	r := record.Record{Seq: s.seq, At: s.at, Kind: kind, Body: b}
	s.all = append(s.all, r)
	s.tape.Record(r)
}

func (s *script) open(cause, boot string, uptime int64) {
	o := watch.Opening{Format: watch.Format, Journal: "12-r4", Segment: 1, Board: "12", Boot: boot, Uptime: uptime, Cause: cause, Wall: "2026-11-24T10:00:00Z",
		Config: []byte(`{"event":"Open","round":"4"}`)}
	if cause == "restart" {
		o.Segment = 2
	}
	s.put(record.Open, o)
}

// restart is what a station writes when the program is started again: uptime is that of the computer's run, away what
// the wall clock says.
func (s *script) restart(boot string, uptime, away int64) {
	s.open("restart", boot, uptime)
	s.put(record.Gap, watch.Annotation{Cause: "restart", Away: away})
	s.at += away
}

func (s *script) head(kind string) said.Head {
	return said.Head{Type: kind, Seq: int64(s.seq), T: said.Seconds(s.at), Board: "12", Game: 1}
}

func (s *script) game(fen string) { s.put(record.Say, said.Game{Head: s.head("game"), FEN: fen}) }

// move plays the ply of the line; what is no move of the line is given.
func (s *script) move(ply int, uci ...string) { s.say(s.moveOf(ply, uci...)) }

func (s *script) moveOf(ply int, uci ...string) said.Move {
	text := line[ply-1]
	if len(uci) > 0 {
		text = uci[0]
	}
	side := [...]string{"black", "white"}[ply%2]
	return said.Move{Head: s.head("move"), Ply: ply, Side: side, UCI: &text, SAN: &text, Clock: &said.Sides{White: 5400 - ply, Black: 5400 - ply}, CommittedBy: "press"}
}

func (s *script) say(o any) { s.put(record.Say, o) }

func (s *script) result(r, state string) {
	s.say(said.Result{Head: s.head("result"), Result: r, By: "arbiter", State: state})
}

func (s *script) takeback(ply int) { s.say(said.Takeback{Head: s.head("takeback"), Ply: ply}) }

// play plays plies, one each minute.
func (s *script) play(from, to int) {
	for ply := from; ply <= to; ply++ {
		s.at += minute
		s.move(ply)
	}
}

// named names the players p-aaaaaaaaaa and p-bbbbbbbbbb.
func (s *script) named() {
	s.put(record.Instruct, watch.Instruction{Do: watch.DoNames, White: "p-aaaaaaaaaa", Black: "p-bbbbbbbbbb"})
}

func name(id string) string {
	switch id {
	case "p-aaaaaaaaaa":
		return "Adams, Ann"
	case "p-bbbbbbbbbb":
		return "Brown, Bob"
	}
	return id
}

// shown are the moves that are due, without numbers and times, and the result.
func (s *script) shown(at int64, terms Terms) string {
	s.t.Helper()
	return movesOf(s.tape.Due(at, terms).Games)
}

func movesOf(games []string) string {
	var all []string
	for _, g := range games {
		_, text, _ := strings.Cut(g, "\n\n")
		for text != "" {
			before, rest, _ := strings.Cut(text, "{")
			for _, w := range strings.Fields(before) {
				if !strings.HasSuffix(w, ".") {
					all = append(all, w)
				}
			}
			_, text, _ = strings.Cut(rest, "}")
		}
	}
	return strings.Join(all, " ")
}

// san are the first plies of the line with a result.
func san(plies int, result string) string {
	s, _ := legal.ParseFEN(array)
	pos, _ := s.Position()
	var list []string
	for _, uci := range line[:plies] {
		m, ok := pos.FindUCI(uci)
		if !ok {
			panic(fmt.Sprintf("%s is not legal", uci))
		}
		list = append(list, pos.SAN(m))
		pos = pos.After(m)
	}
	return strings.Join(append(list, result), " ")
}
