package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// resultLines returns the reported results in their order.
func (r *rig) resultLines() string {
	var list []string
	for _, v := range r.said {
		if v.Type == "result" {
			list = append(list, fmt.Sprintf("%s by %s %s", v.Result, v.By, v.State))
		}
	}
	return strings.Join(list, ", ")
}

func (d *desk) decide(finding, word string) {
	d.step(d.at, record.Decide, watch.Decision{Finding: finding, Decision: word}.Body())
}

// secondStrike plays to White's second illegal move, and returns its finding.
func secondStrike(t *testing.T) (d *desk, finding string) {
	t.Helper()
	d = newDesk(t, aBoard("12345"))
	d.start()
	d.play(3*second, "e4", "e5", "Nf3", "Nc6")
	d.step(d.at, record.Instruct, watch.Instruction{Do: watch.DoStrikes, White: "1", Black: "0"}.Body())
	d.pass(3 * second)
	d.set(legal.F3, legal.NoPiece)
	d.pass(400_000)
	d.set(legal.F5, legal.WhiteKnight)
	d.pass(400_000)
	d.give(d.board.press(legal.White))
	d.pass(4 * second)
	for _, v := range d.said {
		if v.Kind == "illegal.knight" {
			finding = v.ID
		}
	}
	if finding == "" {
		t.Fatal("the illegal move was not found")
	}
	return d, finding
}

func TestTheResultOfADecisionIsProposedOnce(t *testing.T) {
	d, id := secondStrike(t)
	if v := d.m.View(); v.Finish.Asked || !v.Playing {
		t.Fatalf("asked before the decision: %+v", v.Finish)
	}
	d.decide(id, "confirm")
	d.decide(id, "confirm")
	if got, want := d.resultLines(), "0-1 by illegal.knight proposed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v := d.m.View(); !v.Finish.Asked || v.Finish.Result != "0-1" || v.Finish.By != "illegal.knight" || v.Playing {
		t.Errorf("not asked: %+v, playing %v", v.Finish, v.Playing)
	}
	d.step(d.at, record.Instruct, watch.Instruction{Do: watch.DoResult, Result: "0-1"}.Body())
	if v := d.m.View(); v.Finish.Asked {
		t.Errorf("asked again: %+v", v.Finish)
	}
	d.decide(id, "undo") // the result was entered by a person, and stays
	if got, want := d.resultLines(), "0-1 by illegal.knight proposed, 0-1 by arbiter proposed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTheResultOfADecisionGoesWithIt(t *testing.T) {
	for _, word := range []string{"undo", "reject", "accident", "later"} {
		d, id := secondStrike(t)
		d.decide(id, "confirm")
		d.decide(id, word)
		if got, want := d.resultLines(), "0-1 by illegal.knight proposed, 0-1 by illegal.knight withdrawn"; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", word, got, want)
		}
		if v := d.m.View(); v.Finish.Asked && v.Finish.Result != "" || !v.Playing {
			t.Errorf("%s: %+v, playing %v", word, v.Finish, v.Playing)
		}
		d.decide(id, "confirm")
		if got := d.results(); got[0] != "0-1" {
			t.Errorf("%s, confirmed again: %q", word, got)
		}
	}
}

// A result that was entered at the wrong board is taken back after two plies: they are recorded.
func TestAResultIsTakenBack(t *testing.T) {
	d := newDesk(t, aBoard("12345"))
	d.start()
	tell := func(result string) {
		d.step(d.at, record.Instruct, watch.Instruction{Do: watch.DoResult, Result: result}.Body())
	}
	tell("*")
	if len(d.says("instruction_refused")) != 1 {
		t.Error("a result was taken back, and there was none")
	}
	d.play(3*second, "e4", "e5", "Nf3")
	tell("1-0")
	if v := d.m.View(); v.Playing {
		t.Error("it is over")
	}
	d.play(3*second, "Nc6", "Bb5")
	if len(d.says("played_on")) != 1 {
		t.Error("it is not reported that the game goes on")
	}
	tell("*")
	d.play(3*second, "a6", "Ba4")
	d.pass(4 * second)
	if got, want := d.resultLines(), "1-0 by arbiter proposed, 1-0 by arbiter withdrawn"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := strings.Join(d.san(), " "), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v := d.m.View(); !v.Playing {
		t.Error("the game goes on")
	}
}

// A result that contradicts the board is asked about, and no longer when it is taken back.
func TestAQuestionedResultIsTakenBack(t *testing.T) {
	d := newDesk(t, aBoard("12345"))
	d.start()
	d.play(3*second, "f3", "e5", "g4", "Qh4#")
	d.pass(2 * second)
	tell := func(result string) {
		d.step(d.at, record.Instruct, watch.Instruction{Do: watch.DoResult, Result: result}.Body())
	}
	tell("1-0")
	state := func() (s string) {
		for _, v := range d.said {
			if v.Kind == "end.result_contradicted" && v.State != "" {
				s = v.State
			}
		}
		return s
	}
	if got := state(); got != "confirmed" {
		t.Fatalf("the question is %q", got)
	}
	tell("*")
	if got := state(); got != "withdrawn" {
		t.Errorf("the question is %q", got)
	}
}

func TestAConfirmedMateIsProposedOnce(t *testing.T) {
	d := newDesk(t, aBoard("12345"))
	d.start()
	d.play(3*second, "f3", "e5", "g4", "Qh4#")
	d.pass(2 * second)
	before := d.resultLines()
	for _, v := range d.said {
		if v.Kind == "end.checkmate" {
			d.decide(v.ID, "confirm")
			d.decide(v.ID, "undo")
			break
		}
	}
	if got := d.resultLines(); got != before || got != "0-1 by mate proposed" {
		t.Errorf("got  %s\nwant %s", got, before)
	}
}

// stopClock stops the clock where it stands.
func (d *desk) stopClock() {
	d.board.running = legal.NoSide
	d.give(d.board.face())
	d.pass(1 * second)
}

// startClock starts the clock of a side again.
func (d *desk) startClock(s legal.Side) {
	d.board.running, d.board.ticked = s, d.at
	d.give(d.board.face())
	d.pass(1 * second)
}

// A rook that was touched first is moved, and there is no castling: the ruling that is confirmed says which position to
// set up, and the record has it when the clock is started again.
func TestTheRookWasTouchedFirst(t *testing.T) {
	d := newDesk(t, aBoard("12345"))
	d.start()
	d.play(3*second, "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5")
	d.castle(1*second, laid{legal.H1, legal.NoPiece}, laid{legal.F1, legal.WhiteRook}, laid{legal.E1, legal.NoPiece}, laid{legal.G1, legal.WhiteKing})
	d.pass(2 * second)
	d.stopClock()
	var id, fen string
	for _, v := range d.said {
		if v.Kind == "irreg.rook_first" {
			id = v.ID
		}
	}
	d.decide(id, "confirm")
	for _, v := range d.said {
		if v.Type == "ruling" && v.Finding == id {
			fen = v.PositionFEN
		}
	}
	if want := "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQKR2 b Qkq - 5 4"; fen != want {
		t.Fatalf("%q is to be set up, want %q", fen, want)
	}
	d.set(legal.G1, legal.NoPiece)
	d.pass(400_000)
	d.set(legal.E1, legal.WhiteKing)
	d.pass(1 * second)
	setup, _ := legal.ParseFEN(fen)
	d.board.pos, _ = setup.Position()
	d.startClock(legal.Black)
	d.play(3*second, "Nf6", "d3", "d6")
	if got := strings.Join(d.san(), " "); got != "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 h1f1 g8f6 d2d3 d7d6" {
		t.Error(got)
	}
	for _, what := range []string{"not_known", "record_broken"} {
		if lines := d.says(what); len(lines) > 0 {
			t.Errorf("%s: %v", what, lines)
		}
	}
}

// TestAPositionKeepsTheStrikes: an arbiter who sets the record right in a game does not wipe its strikes; the game that
// begins after a result has none.
func TestAPositionKeepsTheStrikes(t *testing.T) {
	d := newDesk(t, aBoard("12345"))
	d.start()
	d.play(3*second, "e4", "e5", "Nf3", "Nc6")
	tell := func(i watch.Instruction) { d.step(d.at, record.Instruct, i.Body()) }
	set := watch.Instruction{Do: watch.DoPosition, FEN: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"}
	tell(watch.Instruction{Do: watch.DoStrikes, White: "1", Black: "0"})
	tell(set)
	if got := d.m.View().Strikes; got != [2]int{1, 0} {
		t.Errorf("set right in the game: the strikes are %v", got)
	}
	d.play(3*second, "Bb5")
	tell(watch.Instruction{Do: watch.DoResult, Result: "1-0"})
	tell(set)
	if got := d.m.View().Strikes; got != [2]int{} {
		t.Errorf("after a result: the strikes are %v", got)
	}
}

// TestAClaimThatNothingAnswersIsNoted: the person who enters a claim sees that it was heard.
func TestAClaimThatNothingAnswersIsNoted(t *testing.T) {
	noted := func(d *desk) (n int) {
		for _, v := range d.said {
			if v.What == "claim_noted" {
				n++
			}
		}
		return n
	}
	claim := func(d *desk, what string) {
		d.step(d.at, record.Instruct, watch.Instruction{Do: watch.DoClaim, What: what, Side: "black"}.Body())
	}
	d := newDesk(t, aBoard("12345"))
	d.start()
	d.play(3*second, "e4", "e5", "Nf3")
	for i, what := range []string{"illegal", "touch", "flag", "draw3"} {
		claim(d, what)
		if got, want := noted(d), min(i+1, 3); got != want {
			t.Errorf("%s: noted %d times, want %d", what, got, want)
		}
	}
	d, _ = secondStrike(t)
	if claim(d, "illegal"); noted(d) != 0 {
		t.Error("a finding answers the claim, and it is said that none does")
	}
}

// TestAGameGoesOnInANewJournal: the round is changed while a board plays, White sits at the far side, and the next ply
// is made before the board is read.
func TestAGameGoesOnInANewJournal(t *testing.T) {
	b := aBoard("12345")
	b.turned = true
	b.unseen("e4", "e5", "Nf3", "Nc6")
	before := b.pos.FEN()
	b.unseen("Bc4")
	b.running = legal.White // the bishop stands there, and is not pressed
	d := newDesk(t, b)
	set := watch.Instruction{Do: watch.DoPosition, FEN: before, Reversed: true, WhiteClock: "left"}
	d.step(d.at, record.Instruct, set.Body())
	d.pass(1 * second)
	d.give(b.press(legal.White))
	d.play(second/5, "Bc5", "d3", "Nf6", "c3", "d6")
	if got := strings.Join(d.san(), " "); got != "f1c4 f8c5 d2d3 g8f6 c2c3 d7d6" {
		t.Error(got)
	}
	if v := d.m.View(); !v.Reversed || v.White != "left" {
		t.Errorf("White sits at the far side, his clock on the left; the view says %v, %q", v.Reversed, v.White)
	}
	if list := d.found(); len(list) > 0 {
		t.Error(list)
	}
}
