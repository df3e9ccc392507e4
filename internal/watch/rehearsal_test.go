package watch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// TestRehearsal plays games with offences, several at each board, with an arbiter who decides nothing, everything, late
// or wrongly, and compares the tasks on the arbiter's phone with the events at the table:
//
//   - the position to set up is the one before the offence, or before an earlier one of the same game that still
//     stands;
//
//   - the clock to run is that of the side to move there, and the moves that may be played are legal there;
//
//   - nothing is to be done about a position that was corrected and from which the game has gone on;
//
//   - in unsupervised rapid and blitz nothing is to be done once the opponent has made his next move (FIDE Laws A.5.2,
//     B.3);
//
//   - no finished game leaves anything on the next.
//
//     BOARDWATCHD_REHEARSAL=1000 go test ./internal/watch -run TestRehearsal -v -timeout 1h
//
// plays until there were 1,000 alerts.
func TestRehearsal(t *testing.T) {
	alerts := 0
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_REHEARSAL")); err == nil {
		alerts = n
	}
	var sum rehearsed
	for seed := 1; seed <= len(rooms)*len(arbiters) || sum.alerts < alerts; seed++ {
		where, arbiter := rooms[seed%len(rooms)], arbiters[seed%len(arbiters)]
		o := where.options(seed)
		o.Count, o.Offences.PerMille = 3, 60
		name := fmt.Sprintf("%s, seed %d, an arbiter who decides %s", where.name, seed, arbiter)
		s := rehearse(t, rulesConfig(t, where.rules), o, arbiter)
		s.judge(t, where, name)
		sum.add(s)
	}
	t.Logf("%d alerts in %d games, %d decided; %d times a position to set up was shown, %d times for a known illegal move, %d of these put right; %d times a game followed",
		sum.alerts, sum.games, sum.decided, sum.placed, sum.matched, sum.putRight, sum.left)
	if sum.matched*4 < sum.alerts || sum.putRight == 0 || sum.left == 0 {
		t.Error("too little was compared: the test proves nothing")
	}
}

var arbiters = []string{"nothing", "everything", "late", "wrongly"}

// A task is an action that the phone asks for during a period.
type task struct {
	from, to int64 // 0: to the end
	decided  bool
	finding  taskFinding
	ruling   taskRuling
}

type taskFinding struct {
	ID, Kind, Side, State, Alert, Decided string
	Game, Ply                             int
	FENBefore                             string `json:"fen_before"`
}

type taskRuling struct {
	Finding     string
	Kind        string
	Position    string
	PositionFEN string   `json:"position_fen"`
	MustPlay    []string `json:"must_play"`
	RunClock    string   `json:"run_clock"`
	Until       string
	Advice      string
}

// A rehearsed holds the tasks shown for one board.
type rehearsed struct {
	alerts, games, placed, decided int
	matched, putRight, left        int // tasks: of a known offence; of a corrected one; of an earlier game
	tasks                          []task
	truth                          players.Truth
	findings                       map[string]taskFinding
	rulings                        map[string]taskRuling
	shown                          map[string]int // index of the task shown
	alerted                        map[string]bool
}

func (s *rehearsed) add(o *rehearsed) {
	s.alerts, s.games, s.placed, s.decided = s.alerts+o.alerts, s.games+o.games, s.placed+o.placed, s.decided+o.decided
	s.matched, s.putRight, s.left = s.matched+o.matched, s.putRight+o.putRight, s.left+o.left
}

// late is the delay of the late arbiter.
const late = 25 * second

func rehearse(t *testing.T, rules json.RawMessage, o players.Options, arbiter string) *rehearsed {
	t.Helper()
	r := &rig{m: watch.New()}
	r.step(0, record.Open, watch.Opening{Format: watch.Format, Source: watch.Live, Board: "1", Config: rules}.Body())
	r.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	e, err := players.New(o)
	if err != nil {
		t.Fatal(err)
	}
	e.OnLink(r.link)
	s := &rehearsed{findings: map[string]taskFinding{}, rulings: map[string]taskRuling{}, shown: map[string]int{}, alerted: map[string]bool{}}
	read, decided := 0, map[string]bool{}
	emulator.Run(e.Emulator, func(at int64, rx []byte) ([]byte, int64) {
		tx, wake := r.host(at, rx)
		read = s.read(at, r.lines, read)
		for i := range s.tasks {
			k := &s.tasks[i]
			word := decides(arbiter, k, at)
			if word == "" || decided[k.finding.ID] || k.to != 0 {
				continue
			}
			k.decided, decided[k.finding.ID] = true, true
			s.decided++
			body, err := json.Marshal(watch.Decision{Finding: k.finding.ID, Decision: word})
			if err != nil {
				t.Fatal(err)
			}
			tx = append(tx, r.step(at, record.Decide, body)...)
		}
		read = s.read(at, r.lines, read)
		return tx, wake
	}, 40*second, 1<<50)
	s.truth = e.Truth()
	s.games = len(s.truth.Games)
	return s
}

// decides returns this arbiter's decision about a task now; "": none yet.
func decides(arbiter string, k *task, at int64) string {
	switch {
	case arbiter == "everything":
		return "confirm"
	case arbiter == "late" && at >= k.from+late:
		return "confirm"
	case arbiter == "wrongly":
		return "reject"
	}
	return ""
}

// read takes the new output, and notes what is shown from now on.
func (s *rehearsed) read(at int64, lines []string, from int) int {
	for ; from < len(lines); from++ {
		body, said := strings.CutPrefix(lines[from], "say ")
		switch {
		case !said:
		case strings.HasPrefix(body, `{"type":"finding"`):
			var f taskFinding
			if json.Unmarshal([]byte(body), &f) == nil {
				s.findings[f.ID] = f
				s.show(at, f.ID)
			}
		case strings.HasPrefix(body, `{"type":"ruling"`):
			var r taskRuling
			if json.Unmarshal([]byte(body), &r) == nil {
				s.rulings[r.Finding] = r
				s.show(at, r.Finding)
			}
		}
	}
	return from
}

// show ends the task shown for a finding and begins it again, as the page does: internal/web/page/assets/js/steps.js.
func (s *rehearsed) show(at int64, id string) {
	f, r := s.findings[id], s.rulings[id]
	if n, ok := s.shown[id]; ok {
		s.tasks[n].to = at
		delete(s.shown, id)
	}
	if f.State != "confirmed" || f.Decided != "" || f.Alert != "now" && f.Alert != "advise" || r.Finding == "" || r.Until == "closed" || r.Advice == "wait" {
		return
	}
	if !s.alerted[id] {
		s.alerted[id] = true
		s.alerts++
	}
	s.shown[id] = len(s.tasks)
	s.tasks = append(s.tasks, task{from: at, finding: f, ruling: r})
}

// settling is the time for which an event at the table may still be unknown: the board's scan, the clock's message, the
// second dump.
const settling = 4 * second

// judge checks every task against the truth.
func (s *rehearsed) judge(t *testing.T, where room, name string) {
	t.Helper()
	for _, k := range s.tasks {
		if k.to != 0 && k.to-k.from < settling && !k.decided {
			continue
		}
		if k.ruling.Position == "restore" {
			s.placed++
		}
		if wrong := s.wrong(where, &k); wrong != "" {
			t.Errorf("%s: game %d, %s at ply %d, shown from %.1f to %.1f: %s", name, k.finding.Game, k.finding.Kind, k.finding.Ply,
				inSeconds(k.from), inSeconds(k.to), wrong)
		}
	}
}

func (s *rehearsed) wrong(where room, k *task) string {
	to := k.to
	if to == 0 {
		to = 1 << 62
	}
	if k.finding.Game < len(s.truth.Games) {
		s.left++
	}
	if n := k.finding.Game; n < len(s.truth.Games) && to > s.truth.Games[n].StartAt+settling {
		return fmt.Sprintf("the next game began at %.1f", inSeconds(s.truth.Games[n].StartAt))
	}
	if k.finding.Game > len(s.truth.Games) || k.ruling.Position != "restore" {
		return ""
	}
	if wrong := k.fitting(); wrong != "" {
		return wrong
	}
	g := &s.truth.Games[k.finding.Game-1]
	if k.ruling.Kind != "illegal_move" {
		return stood(g, k)
	}
	var offence *players.Offence
	before := ""
	for i := range g.Offences {
		o := &g.Offences[i]
		if o.At > k.from {
			break
		}
		if placed(o.FEN) == placed(k.ruling.PositionFEN) {
			before = o.FEN
		}
		if o.Ply == k.finding.Ply {
			offence = o
		}
	}
	if offence == nil {
		return ""
	}
	s.matched++
	if offence.Restored {
		s.putRight++
	}
	switch {
	case before == "":
		return "position " + k.ruling.PositionFEN + ", before the offence there was " + offence.FEN
	case where.rules != "fide-standard" && !offence.Restored && to > replied(g, offence)+settling:
		return fmt.Sprintf("the opponent made his next move at %.1f", inSeconds(replied(g, offence)))
	case offence.Restored && to > goneOn(g, offence)+settling:
		return fmt.Sprintf("it was put right at %.1f, and the game went on at %.1f", inSeconds(offence.RestoredAt), inSeconds(goneOn(g, offence)))
	}
	return ""
}

// stood checks that the position to set up without an illegal move is one of the game.
func stood(g *players.GameTruth, k *task) string {
	steps, last := g.Line()
	for _, step := range steps {
		if placed(step.Before.FEN()) == placed(k.ruling.PositionFEN) {
			return ""
		}
	}
	if placed(last.FEN()) == placed(k.ruling.PositionFEN) {
		return ""
	}
	return "position " + k.ruling.PositionFEN + " was never on the board"
}

// goneOn returns the time when the opponent had answered the move that replaced an offence.
func goneOn(g *players.GameTruth, o *players.Offence) int64 {
	n := 0
	for _, m := range g.Moves {
		if m.PlacedAt > o.RestoredAt {
			if n++; n == 2 {
				return m.PlacedAt
			}
		}
	}
	return 1 << 61
}

// replied returns the time when the opponent had moved after an offence that stands.
func replied(g *players.GameTruth, o *players.Offence) int64 {
	for _, m := range g.Moves {
		if m.Ply > o.Ply {
			return m.PlacedAt
		}
	}
	return 1 << 61
}

// placed returns the placement and the side to move of a position.
func placed(fen string) string {
	f := strings.Fields(fen)
	if len(f) < 2 {
		return ""
	}
	return f[0] + " " + f[1]
}

// fitting checks that a ruling agrees with the position that it sets up. Displaced pieces are put back in the time of
// the player who displaced them (FIDE Laws 7.4.1), who has pressed the clock.
func (k *task) fitting() string {
	r := &k.ruling
	setup, err := legal.ParseFEN(r.PositionFEN)
	if err != nil {
		return err.Error()
	}
	pos, err := setup.Standing()
	if err != nil {
		return err.Error()
	}
	if r.RunClock != "" && r.RunClock != pos.Turn().String() && k.finding.Kind != "irreg.displaced" {
		return r.RunClock + "'s clock is to run, and it is not " + r.RunClock + "'s turn"
	}
	for _, san := range r.MustPlay {
		if _, err := pos.ParseSAN(san); err != nil {
			return san + " may be played: " + err.Error()
		}
	}
	return ""
}
