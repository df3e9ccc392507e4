package broadcast

import (
	"math/rand/v2"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

const delay = 15 * minute

var terms = Terms{DelayUS: delay, Name: name}

func TestAMoveIsShownWhenItIsDueAndNotBefore(t *testing.T) {
	s := newScript(t)
	s.named()
	s.game(array)
	s.play(1, 20)
	for ply := 1; ply <= 20; ply++ {
		due := int64(ply)*minute + delay
		if got := s.shown(due-1, terms); got != san(ply-1, "*") {
			t.Errorf("a microsecond before ply %d is due: %s", ply, got)
		}
		if got := s.shown(due, terms); got != san(ply, "*") {
			t.Errorf("when ply %d is due: %s", ply, got)
		}
	}
	sheet := s.tape.Due(delay+3*minute, terms)
	if sheet.Next != delay+4*minute || sheet.Plies != 3 {
		t.Errorf("the next one is due at %d; %d plies", sheet.Next, sheet.Plies)
	}
	for _, want := range []string{`[Event "Open"]`, `[Round "4"]`, `[Date "2026.11.24"]`, `[White "Adams, Ann"]`, `[Black "Brown, Bob"]`, `[Board "12"]`, "{[%clk 1:29:59]"} {
		if !strings.Contains(sheet.Games[0], want) {
			t.Errorf("no %s in\n%s", want, sheet.Games[0])
		}
	}
	if last := s.tape.Due(never/2, terms); last.Next != never {
		t.Errorf("when all has been shown, something is due at %d", last.Next)
	}
}

func TestTheReasonForTheEndOfTheLegalMovesIsNotShown(t *testing.T) {
	finding := "40:illegal.knight"
	for claim, end := range map[string]func(*script){
		"an illegal move that stood": func(s *script) {
			m := s.moveOf(5, "g1h5")
			m.StandingIllegalMove = &said.StandingIllegalMove{Illegal: true, Finding: &finding, FENAfter: "r1bqkbnr/pppp1ppp/2n5/4p2N/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3"}
			s.say(m)
		},
		"plies that are not known": func(s *script) {
			s.say(said.NotKnown{Health: said.Health{Head: s.head("health"), What: "not_known", Detail: "two plies cannot be told",
				FEN: "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"}, PlyFrom: 5, SideToMove: "black"})
		},
		"a record that is broken off": func(s *script) {
			s.say(said.Health{Head: s.head("health"), What: "record_broken", Detail: "the board shows another position"})
		},
		"a move that no reader would take": func(s *script) { s.move(5, "h8a1") },
	} {
		s := newScript(t)
		s.game(array)
		s.play(1, 4)
		s.at += minute
		s.say(map[string]any{"type": "finding", "id": finding, "kind": "illegal.knight", "game": 1, "state": "confirmed", "reason": "the knight"})
		end(s)
		s.play(6, 12)
		s.result("0-1", "proposed")
		sheet := s.tape.Due(never/2, terms)
		if got := movesOf(sheet.Games); got != san(4, "0-1") {
			t.Errorf("%s: %s", claim, got)
		}
		for _, word := range []string{"illegal", "Remark", "Part", "stood", "known", "legal", "FEN", "knight", "broken", "another"} {
			if strings.Contains(strings.Join(sheet.Games, ""), word) {
				t.Errorf("%s: the public reads %q in\n%s", claim, word, sheet.Games)
			}
		}
	}
}

func TestWhatWasFilledInIsShownWhenItIsDue(t *testing.T) {
	s := newScript(t)
	s.game(array)
	s.play(1, 4)
	s.at += minute
	s.say(said.NotKnown{Health: said.Health{Head: s.head("health"), What: "not_known", Detail: "two plies",
		FEN: "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"}, PlyFrom: 5, SideToMove: "white"})
	s.play(7, 8)
	s.at += minute
	filled := s.at
	s.say(said.Filled{Health: said.Health{Head: s.head("health"), What: "filled", Detail: "two plies"}, PlyFrom: 5,
		Moves: []said.Ply{{UCI: line[4], SAN: "Bb5"}, {UCI: line[5], SAN: "a6"}}})
	if got := s.shown(filled+delay-1, terms); got != san(4, "*") {
		t.Errorf("before that is due: %s", got)
	}
	sheet := s.tape.Due(filled+delay, terms)
	if got := movesOf(sheet.Games); got != san(8, "*") || strings.Contains(sheet.Games[0], "filled") {
		t.Errorf("when it is due: %s in\n%s", got, sheet.Games)
	}
}

func TestAPlyThatIsTakenBackInTimeIsNeverShown(t *testing.T) {
	s := newScript(t)
	s.game(array)
	s.play(1, 4)
	s.at += minute
	wrong := s.at
	s.move(5, "f1c4")
	s.at += 5 * minute
	s.takeback(4)
	s.at += minute
	right := s.at
	s.move(5)
	for at := wrong; at < right+delay; at += minute / 2 {
		if got := s.shown(at, terms); strings.Contains(got, "Bc4") || strings.Contains(got, "Bb5") {
			t.Errorf("%d minutes after it: %s", (at-wrong)/minute, got)
		}
	}
	if got := s.shown(right+delay, terms); got != san(5, "*") {
		t.Errorf("when what was played is due: %s", got)
	}
}

func TestAPlyThatIsTakenBackLateGoesWhenThatIsDue(t *testing.T) {
	s := newScript(t)
	s.game(array)
	s.play(1, 4)
	s.at += minute
	wrong := s.at
	s.move(5, "f1c4")
	s.at += delay + minute // the public has seen it
	back := s.at
	s.takeback(4)
	for at, want := range map[int64]string{
		wrong + delay - 1: san(4, "*"), wrong + delay: strings.Replace(san(5, "*"), "Bb5", "Bc4", 1),
		back: strings.Replace(san(5, "*"), "Bb5", "Bc4", 1), back + delay - 1: strings.Replace(san(5, "*"), "Bb5", "Bc4", 1), back + delay: san(4, "*"),
	} {
		if got := s.shown(at, terms); got != want {
			t.Errorf("%d minutes after it: %s, want %s", (at-wrong)/minute, got, want)
		}
	}
}

func TestACorrectionThatComesInTimeLetsNoWrongPlyBeSeen(t *testing.T) {
	s := newScript(t)
	s.game(array)
	s.play(1, 4)
	s.at += minute
	wrong := s.at
	s.move(5, "f1c4")
	s.play(6, 6)
	s.at += minute
	corrected := s.at
	m := s.moveOf(5)
	m.Corrects = true
	s.say(m)
	for at := wrong; at < corrected+delay; at += minute / 2 { // nothing after the gap either
		if got := s.shown(at, terms); len(got) > len(san(4, "*")) {
			t.Errorf("%d minutes after it: %s", (at-wrong)/minute, got)
		}
	}
	if got := s.shown(corrected+delay, terms); got != san(6, "*") {
		t.Errorf("when the correction is due: %s", got)
	}
}

func TestAResultIsDelayedOrShownAtOnce(t *testing.T) {
	s := newScript(t)
	s.named()
	s.game(array)
	s.play(1, 8)
	s.at += minute
	s.result("1-0", "proposed")
	over := s.at
	atOnce := terms
	atOnce.ResultAtOnce = true
	if got := s.shown(over+delay-1, terms); got != san(8, "*") {
		t.Errorf("before it is due: %s", got)
	}
	if got := s.shown(over+delay, terms); got != san(8, "1-0") {
		t.Errorf("when it is due: %s", got)
	}
	sheet := s.tape.Due(over, atOnce) // the game has lasted nine minutes: none of it is due
	if got := movesOf(sheet.Games); got != "1-0" || !strings.Contains(sheet.Games[0], `[White "Adams, Ann"]`) || strings.Contains(sheet.Games[0], "FEN") {
		t.Errorf("at once: %s in %s", got, sheet.Games)
	}
	if got := s.shown(over+delay-2*minute, atOnce); got != san(7, "1-0") {
		t.Errorf("at once, while moves come: %s", got)
	}
	s.at += minute
	s.result("1-0", "withdrawn")
	if got := s.shown(s.at, atOnce); got != "" {
		t.Errorf("taken back at once: %s", got)
	}
}

// A game that was joined in the middle begins with a position, which is no one's business before it is due.
func TestAResultAtOnceTellsNoPosition(t *testing.T) {
	s := newScript(t)
	s.game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
	s.at += minute
	s.move(5)
	s.result("1-0", "proposed")
	atOnce := terms
	atOnce.ResultAtOnce = true
	if got := s.tape.Due(s.at, atOnce); len(got.Games) != 0 {
		t.Errorf("shown at once: %s", got.Games)
	}
	if got := s.shown(s.at+delay, atOnce); got != "Bb5 1-0" {
		t.Errorf("when it is due: %s", got)
	}
}

func TestNamesAreShownIfWantedAndKnown(t *testing.T) {
	s := newScript(t)
	s.put(record.Instruct, map[string]any{"do": "names", "white": "p-aaaaaaaaaa", "black": "p-zzzzzzzzzz"}) // who was forgotten
	s.game(array)
	s.play(1, 2)
	text := s.tape.Due(never/2, terms).Games[0]
	if !strings.Contains(text, "Adams, Ann") || !strings.Contains(text, `[Black "?"]`) {
		t.Errorf("%s", text)
	}
	if text := s.tape.Due(never/2, Terms{}).Games[0]; !strings.Contains(text, `[White "?"]`) || strings.Contains(text, "p-") {
		t.Errorf("without names: %s", text)
	}
}

// The pieces stand ready again after a game, and nobody knows who will play: the public gets no game of nobody. The
// next pairing's is there before its first move, and a result entered now is that of the game that was played.
func TestPiecesThatStandReadyAreNoGame(t *testing.T) {
	s := newScript(t)
	s.game(array)
	if got := s.shown(never/2, terms); got != "*" {
		t.Errorf("before the first game: %q", got)
	}
	s.named()
	s.play(1, 20)
	s.game(array)
	if got := s.shown(never/2, terms); got != san(20, "*") {
		t.Errorf("set up again: %q", got)
	}
	s.result("1-0", "proposed")
	if got := s.shown(never/2, terms); got != san(20, "1-0") {
		t.Errorf("the result is entered: %q", got)
	}
	s.put(record.Instruct, watch.Instruction{Do: watch.DoNames, White: "p-bbbbbbbbbb", Black: "p-aaaaaaaaaa"})
	s.game(array)
	if got := s.shown(never/2, terms); got != san(20, "1-0")+" *" {
		t.Errorf("the next pairing: %q", got)
	}
}

func TestTheTimeThatTheProgramWasAway(t *testing.T) {
	for claim, c := range map[string]struct {
		boot   string
		uptime int64 // of the start; the first one was at 100 s
		away   int64 // as the wall clock says
		passed int64 // from the first start to the second one
	}{
		"the same run of the computer":                      {"boot", 100*second + 5*minute, 2 * minute, 5 * minute},
		"a wall clock that was set forward meanwhile":       {"boot", 100*second + 5*minute, 600 * minute, 5 * minute},
		"a wall clock that stands still":                    {"boot", 100*second + 5*minute, second, 5 * minute},
		"the computer was started again":                    {"other", 30 * second, 2 * minute, 3 * minute},
		"another computer, which has run for longer":        {"other", 100*second + 50*minute, 2 * minute, 3 * minute},
		"started again with a wall clock that is wrong":     {"other", 30 * second, 600 * minute, 3 * minute},
		"a journal of an older program":                     {"boot", 0, 2 * minute, 3 * minute},
		"a clock of the computer that says too little time": {"boot", 100*second + minute, 2 * minute, 3 * minute},
		"no identity of the run":                            {"", 100*second + 5*minute, 2 * minute, 3 * minute},
	} {
		s := newScript(t)
		s.game(array)
		s.play(1, 3)
		s.restart(c.boot, c.uptime, c.away)
		if got := s.tape.Passed(); got != c.passed {
			t.Errorf("%s: %d s have passed, not %d", claim, got/second, c.passed/second)
		}
		s.at += minute
		s.move(4)
		if got := s.tape.Passed(); got != c.passed+minute {
			t.Errorf("%s: a minute later %d s have passed", claim, got/second)
		}
		if got := s.shown(c.passed+minute+delay-1, terms); got != san(3, "*") {
			t.Errorf("%s: before it is due %s", claim, got)
		}
		if got := s.shown(c.passed+minute+delay, terms); got != san(4, "*") {
			t.Errorf("%s: when it is due %s", claim, got)
		}
	}
}

// A program that is killed while it starts leaves two starts without a record between them.
func TestStartsInARow(t *testing.T) {
	s := newScript(t)
	s.game(array)
	s.play(1, 3)
	at := s.at
	for n := int64(1); n <= 5; n++ {
		s.at = at
		s.restart("boot", 100*second+3*minute+n*10*second, 2*minute)
		if got := s.tape.Passed(); got != 3*minute+n*10*second {
			t.Fatalf("start %d: %d s have passed", n, got/second)
		}
	}
	s.at += second
	s.move(4)
	if got := s.tape.Passed(); got != 3*minute+50*second+second {
		t.Errorf("%d s have passed", got/second)
	}
}

// Whatever is played, taken back, corrected and restarted, the public sees only plies whose record is as old as the
// delay, and never less of the time line than a replay of the same journal does.
func TestNothingIsEverEarly(t *testing.T) {
	seeds := uint64(100)
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 20))
		s := newScript(t)
		s.game(array)
		uptime := int64(100 * second)
		truth := int64(0)         // what has passed
		made := map[int][]int64{} // when records of a ply were made
		pass := func(d int64) { truth, s.at, uptime = truth+d, s.at+d, uptime+d }
		ply, boot := 0, "boot"
		for range 60 {
			pass(rng.Int64N(3 * minute))
			switch rng.IntN(8) {
			case 0:
				if ply > 0 {
					ply -= rng.IntN(min(ply, 3) + 1)
					s.takeback(ply)
				}
			case 1:
				away := rng.Int64N(20 * minute)
				truth, uptime = truth+away, uptime+away
				if rng.IntN(3) == 0 {
					boot, uptime = boot+"x", rng.Int64N(minute)
				}
				s.restart(boot, uptime, rng.Int64N(100*minute)) // the wall clock is anything
			default:
				if ply < len(line) {
					ply++
					s.move(ply)
					made[ply] = append(made[ply], truth)
				}
			}
			if s.tape.Passed() > truth {
				t.Fatalf("seed %d: the tape says that %d s have passed, and it is %d", seed, s.tape.Passed()/second, truth/second)
			}
			for shown := s.tape.Due(s.tape.Passed(), terms).Plies; shown > 0; shown-- {
				if first := made[shown][0]; first+delay > truth {
					t.Fatalf("seed %d: ply %d is shown after %d s, and was first played at %d s", seed, shown, truth/second, first/second)
				}
			}
		}
		if got := s.shown(never/2, terms); got != san(ply, "*") {
			t.Fatalf("seed %d: in the end %s", seed, got)
		}
	}
}

func FuzzTape(f *testing.F) {
	s := newScript(f)
	s.game(array)
	s.play(1, 3)
	s.restart("boot", 200*second, minute)
	for _, r := range s.all {
		f.Add(uint8(r.Kind), r.At, r.Body)
	}
	f.Fuzz(func(t *testing.T, kind uint8, at int64, body []byte) {
		s := newScript(t)
		s.game(array)
		s.play(1, 3)
		s.tape.Record(record.Record{Seq: 99, At: at % (1 << 40), Kind: record.Kind(kind), Body: body})
		s.tape.Said(body)
		for _, passed := range []int64{0, delay, 2 * delay, never / 2} {
			if got := s.tape.Due(passed, terms); got.Plies > 0 && passed < delay+minute {
				t.Errorf("%d plies are shown after %d s", got.Plies, passed/second)
			}
		}
	})
}
