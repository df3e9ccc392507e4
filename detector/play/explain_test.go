package play

import (
	"reflect"
	"slices"
	"testing"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

var pressRows = []struct {
	name   string
	fen    string     // "": the start position
	script string     // what stood on the board, and the press
	side   legal.Side // who pressed, where it is not who moved last
	merged bool
	lost   bool

	moves string
	kind  kinds.Kind
	arcs  []Arc // all of them
}{
	{name: "a ply and its press", script: "e2e4 press", moves: "e2e4", arcs: []Arc{ArcPly}},
	{name: "castling", fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1", script: "e1g1 press", moves: "e1g1", arcs: []Arc{ArcPly}},
	{name: "a forgotten pair", script: "e2e4 e7e5 g1f3 press", moves: "e2e4 e7e5 g1f3", arcs: []Arc{ArcPly, ArcUnpressed, ArcAnswered}},
	{name: "two forgotten pairs", script: "e2e4 e7e5 g1f3 b8c6 f1b5 press", moves: "e2e4 e7e5 g1f3 b8c6 f1b5", arcs: []Arc{ArcPly, ArcUnpressed, ArcAnswered, ArcAgain}},
	{name: "two presses in one reading", script: "e2e4 e7e5 g1f3 press", merged: true, moves: "e2e4 e7e5 g1f3", arcs: []Arc{ArcPly, ArcMerged}},
	{name: "the reply has begun", script: "e2e4 e7- press", side: legal.White, moves: "e2e4", arcs: []Arc{ArcPly, ArcAirNext}},
	{name: "the reply is complete", script: "e2e4 e7e5 press", side: legal.White, moves: "e2e4", arcs: []Arc{ArcPly, ArcReply}},
	{name: "the reply is a capture that begins with its victim", fen: "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", script: "b1c3 e4- press", side: legal.White, moves: "b1c3", arcs: []Arc{ArcPly, ArcVictimFirst}},
	{name: "a ply undone before the press, and another one", script: "e2e4 e4- e2P d2- d4P press", side: legal.White, moves: "d2d4", arcs: []Arc{ArcPly}},
	{name: "a slide over squares where the piece could not stop", fen: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", script: "a1- a2R a2- a3R a3- a4R press", side: legal.White, moves: "a1a4", arcs: []Arc{ArcPly}},
	{name: "a piece is read where none stands", script: "a5N e2e4 press", moves: "e2e4", arcs: []Arc{ArcNotSeen, ArcGhost, ArcPly}},
	{name: "a piece was read where none stood, and is gone", script: "e2e4 a5N a5- press", moves: "e2e4", arcs: []Arc{ArcPly}},
	{name: "an illegal move", script: "e2e5 press", side: legal.White, kind: "illegal.pawn", arcs: []Arc{ArcOffence}},
	{name: "an illegal move after a forgotten pair", script: "e2e4 e7e5 b1d4 press", side: legal.White, moves: "e2e4 e7e5", kind: "illegal.knight"},
	{name: "a press without a move", script: "press", side: legal.White, kind: "illegal.no_move", arcs: []Arc{ArcNoMove}},
	{name: "a piece touched and put back, and a press", script: "g1- g1N press", side: legal.White, kind: "illegal.no_move", arcs: []Arc{ArcNoMove}},
	{name: "a promotion to a queen", fen: "1k6/4P3/8/8/8/8/8/K7 w - - 0 1", script: "e7e8q press", moves: "e7e8q", arcs: []Arc{ArcPly}},
	{name: "the pawn is left on the last rank", fen: "1k6/4P3/8/8/8/8/8/K7 w - - 0 1", script: "e7- e8P press", side: legal.White, moves: "e7e8q", kind: "illegal.promo_incomplete", arcs: []Arc{ArcPromotionOpen}},
	{name: "two plies in a gap, which a dump has found", script: "hide e2e4 e7e5 dump press", lost: true, moves: "e2e4 e7e5", arcs: []Arc{ArcPly, ArcUnpressed, ArcUnseenGap}},
	{name: "a castling that is not legal", fen: "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", script: "e1- g1K h1- f1R press", side: legal.White, kind: "illegal.castle_through_check", arcs: []Arc{ArcOffence}},
}

func explained(t testing.TB, fen, text string, side legal.Side, merged, lost bool) (legal.Position, []Image, Press) {
	root := position(t, fen)
	s := newScript(root)
	s.did = func(string) {}
	s.run(text)
	p := s.press
	if side != legal.NoSide {
		p.Side = side
	}
	p.Merged, p.Lost = merged, lost
	return root, s.images, p
}

func TestExplain(t *testing.T) {
	for _, c := range pressRows {
		t.Run(c.name, func(t *testing.T) {
			root, images, press := explained(t, c.fen, c.script, c.side, c.merged, c.lost)
			got := Explain(root, images, press)
			t.Logf("\n%s", describe(root, got))
			if len(got) == 0 {
				t.Fatal("nothing explains it")
			}
			if x := &got[0]; x.names(root) != c.moves || x.Kind != c.kind || c.arcs != nil && !reflect.DeepEqual(x.Arcs, slices.Sorted(slices.Values(c.arcs))) {
				t.Errorf("the best is not [%s] %q %v", c.moves, c.kind, c.arcs)
			}
		})
	}
}

// Explain does not know earlier plies: a take-back needs the ply before.
func TestExplainKnowsNoTakeBack(t *testing.T) {
	pos := position(t, "")
	m, _ := pos.FindUCI("e2e4")
	after := pos.After(m)
	s := newScript(after)
	s.did = func(string) {}
	s.run("e4- e2P d2- d4P press")
	s.press.Side = legal.White
	for _, x := range Explain(after, s.images, s.press) {
		if slices.Contains(x.Arcs, ArcTakeBack) {
			t.Errorf("%v", x.Arcs)
		}
	}
}

func TestExplainWithoutEvidence(t *testing.T) {
	if got := Explain(legal.StartPosition(), nil, Press{Side: legal.White}); got != nil {
		t.Errorf("%v", got)
	}
}

// Explain is a function: it keeps nothing, changes nothing, and does not depend on earlier calls.
func TestExplainAgainSaysTheSame(t *testing.T) {
	var first [][]Explanation
	for i := range 2 {
		for k, c := range pressRows {
			root, images, press := explained(t, c.fen, c.script, c.side, c.merged, c.lost)
			before := slices.Clone(images)
			got := Explain(root, images, press)
			if !slices.Equal(before, images) {
				t.Errorf("%s: the images were changed", c.name)
			}
			if i == 0 {
				first = append(first, got)
			} else if !reflect.DeepEqual(got, first[k]) {
				t.Errorf("%s: another answer", c.name)
			}
		}
	}
}

// Time counts only as differences.
func TestExplainDoesNotDependOnTheOrigin(t *testing.T) {
	for _, c := range pressRows {
		root, images, press := explained(t, c.fen, c.script, c.side, c.merged, c.lost)
		want := Explain(root, images, press)
		for i := range images {
			images[i].At += 1e15
		}
		press.At += 1e15
		if got := Explain(root, images, press); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: another answer a long time later", c.name)
		}
	}
}

// Plies in a gap may have come in another order that leads to the same position. One order is returned, and Seen shows
// that its plies were not seen: a caller that commits plies must check it.
func TestTheOrderOfPliesThatWereNotSeenIsNotClaimed(t *testing.T) {
	root, images, press := explained(t, "", "hide e2e4 e7e5 g1f3 dump press", legal.NoSide, false, true)
	for _, x := range Explain(root, images, press) {
		if n := len(x.Seen); n > 1 && slices.ContainsFunc(x.Seen[:n-1], func(i int) bool { return i >= 0 }) {
			t.Errorf("Explain: [%s] seen %v", x.names(root), x.Seen)
		}
	}
}
