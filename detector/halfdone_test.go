package detector

import (
	"strings"
	"testing"

	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// A press is reported late, up to a second as documented and up to two as seen, and the opponent answers meanwhile. So
// the board of a press may show a reply partly made. These tests stop every kind of reply at every stage, let the
// report of the press come there, and leave the hand where it is for a while.

// An answer is a move, and the ways in which hands make the reply to it, square by square.
type answer struct {
	name        string
	fen         string
	move, reply string
	ways        []string
}

var answers = []answer{
	{"a plain reply", "4k3/8/8/8/8/8/4P3/4K2R b - - 0 1", "e8d8", "e2e4", []string{
		"e2 -, e4 P",
		"e4 P, e2 -", // placed before lifted, within one scan
		"e2 -, e2 P, e2 -, e4 P",
		"h1 -, h1 R, e2 -, e4 P",
		"e2 -, e3 P, e3 -, e4 P",
	}},
	{"a slide", "4k3/8/8/8/8/8/4P3/R3K3 b - - 0 1", "e8d8", "a1a6", []string{
		"a1 -, a3 R, a3 -, a5 R, a5 -, a6 R",
	}},
	{"a slide against a check", "3r2k1/8/8/8/8/Q7/5P2/4K3 b - - 0 1", "d8e8", "a3e3", []string{
		"a3 -, c3 Q, c3 -, e3 Q",
		"a3 -, e3 Q",
	}},
	{"a capture", "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1", "e8d8", "e4d5", []string{
		"e4 -, d5 P",
		"d5 -, e4 -, d5 P",
		"e4 -, d5 -, d5 P",
		"d5 P, e4 -",
		"d5 -, d5 p, e4 -, d5 P",
	}},
	{"the piece that moved is captured", "4k3/3p4/8/8/4P3/8/8/4K3 b - - 0 1", "d7d5", "e4d5", []string{
		"e4 -, d5 P",
		"d5 -, e4 -, d5 P",
		"e4 -, d5 -, d5 P",
		"d5 P, e4 -",
	}},
	{"castling", "4k3/8/8/8/8/8/8/4K2R b K - 0 1", "e8d8", "e1g1", []string{
		"e1 -, g1 K, h1 -, f1 R",
		"e1 -, h1 -, g1 K, f1 R",
		"e1 -, h1 -, f1 R, g1 K",
		"h1 -, e1 -, f1 R, g1 K",
		"h1 -, f1 R, e1 -, g1 K",
		"e1 -, g1 K, f1 R, h1 -",
		"g1 K, e1 -, h1 -, f1 R",
		"e1 -, f1 K, f1 -, g1 K, h1 -, f1 R",
	}},
	{"castling long", "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1", "e8f8", "e1c1", []string{
		"e1 -, c1 K, a1 -, d1 R",
		"e1 -, d1 K, d1 -, c1 K, a1 -, d1 R",
		"a1 -, d1 R, e1 -, c1 K",
		"e1 -, a1 -, c1 K, d1 R",
	}},
	{"en passant", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6", []string{
		"e5 -, d6 P, d5 -",
		"d5 -, e5 -, d6 P",
		"e5 -, d5 -, d6 P",
		"d6 P, e5 -, d5 -",
		"d6 P, d5 -, e5 -",
		"d5 -, d6 P, e5 -",
	}},
	{"promotion", "3r4/P5k1/8/8/8/8/8/4K3 b - - 0 1", "d8d7", "a7a8q", []string{
		"a7 -, a8 P, a8 -, a8 Q",
		"a7 -, a8 P, a8 Q",
		"a8 P, a7 -, a8 -, a8 Q",
		"a7 -, a8 Q",
		"a8 Q, a7 -",
		"a7 -, a8 R, a8 -, a8 Q",
		"a7 -, a8 R, a8 Q",
		"a7 -, a8 P, a8 -, a8 N, a8 -, a8 Q",
		"a7 -, a8 q, a8 -, a8 Q",
		"a7 -, a8 P, a8 q, a8 Q",
		"a7 -, a8 P, b8 Q, a8 -, b8 -, a8 Q",
		"b8 Q, a7 -, a8 P, a8 -, b8 -, a8 Q",
		"a7 -, a8 P, a8 -, a8 P, a8 -, a8 Q",
		"a7 -, a8 P, a8 -, a7 P, a7 -, a8 Q",
	}},
	{"promotion on the square that was left", "3k4/3P4/8/8/8/8/8/4K3 b - - 0 1", "d8c7", "d7d8q", []string{
		"d7 -, d8 P, d8 -, d8 Q",
		"d8 Q, d7 -",
	}},
	{"promotion by capture", "1n6/P5k1/8/8/8/8/8/4K3 b - - 0 1", "g7f7", "a7b8q", []string{
		"a7 -, b8 P, b8 -, b8 Q",
		"a7 -, b8 P, b8 Q",
		"b8 -, a7 -, b8 P, b8 -, b8 Q",
		"a7 -, b8 -, b8 P, b8 -, b8 Q",
		"b8 -, a7 -, b8 Q",
		"a7 -, b8 -, b8 Q",
		"a7 -, b8 Q",
		"b8 Q, a7 -",
		"b8 -, b8 Q, a7 -",
		"b8 -, a7 -, b8 R, b8 -, b8 Q",
		"b8 -, b8 P, a7 -, b8 -, b8 Q",
		"b8 P, a7 -, b8 -, b8 Q",
	}},
	{"the piece that moved is captured by a pawn that promotes", "8/P2n2k1/8/8/8/8/8/4K3 b - - 0 1", "d7b8", "a7b8q", []string{
		"a7 -, b8 P, b8 -, b8 Q",
		"b8 -, a7 -, b8 P, b8 -, b8 Q",
		"b8 -, a7 -, b8 Q",
		"a7 -, b8 -, b8 P, b8 Q",
		"b8 Q, a7 -",
		"b8 -, b8 Q, a7 -",
	}},
	{"promotion, answered by one", "8/P5k1/8/8/8/8/1p6/5K2 b - - 0 1", "b2b1q", "f1e2", []string{"f1 -, e2 K"}},
	{"a promotion after a promotion", "8/P5k1/8/8/8/8/1p3K2/8 b - - 0 1", "b2b1q", "a7a8q", []string{
		"a7 -, a8 P, a8 -, a8 Q",
		"a8 Q, a7 -",
	}},
	{"a promotion after a castling", "4k2r/P7/8/8/8/8/8/4K3 b k - 0 1", "e8g8", "a7a8q", []string{
		"a7 -, a8 P, a8 -, a8 Q",
		"a8 Q, a7 -",
	}},
	{"a promotion after a capture", "8/P3n1k1/8/3P4/8/8/8/4K3 b - - 0 1", "e7d5", "a7a8q", []string{
		"a7 -, a8 P, a8 -, a8 Q",
		"a8 Q, a7 -",
	}},
}

// mirrored returns the same for the other colour.
func (a answer) mirrored() answer {
	b := answer{name: a.name + ", the colours changed", move: mirrorUCI(a.move), reply: mirrorUCI(a.reply)}
	f := strings.Fields(a.fen)
	ranks := strings.Split(f[0], "/")
	for i, j := 0, 7; i < j; i, j = i+1, j-1 {
		ranks[i], ranks[j] = ranks[j], ranks[i]
	}
	f[0] = swapCase(strings.Join(ranks, "/"))
	f[1] = map[string]string{"w": "b", "b": "w"}[f[1]]
	if f[2] != "-" {
		f[2] = swapCase(f[2])
	}
	b.fen = strings.Join(f, " ")
	for _, w := range a.ways {
		var acts []string
		for _, act := range strings.Split(w, ", ") {
			acts = append(acts, mirrorUCI(act[:2])+" "+swapCase(act[3:]))
		}
		b.ways = append(b.ways, strings.Join(acts, ", "))
	}
	return b
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

func mirrorUCI(s string) string {
	b := []byte(s)
	for i := 1; i < len(b) && i < 4; i += 2 {
		b[i] = '1' + '8' - b[i]
	}
	return string(b)
}

// A stop is the stage at which a reply rests, and for how long.
type stop struct {
	after  int    // squares of the reply that have been reported when the press is
	since  string // how long before the press the last of them was
	dwells string // how long after the press the next square is reported
	quick  string // the time between the other squares
}

// halfDone plays the answer with one stop and returns what was wrong.
func (a *answer) halfDone(way string, s stop, passive, turned bool) (wrong string) {
	tb := newTable()
	do := func(act string) {
		if err := tb.do(act); err != nil && wrong == "" {
			wrong = act + ": " + err.Error()
		}
	}
	if passive {
		do("passive")
	}
	if turned {
		tb.turn, tb.t.reversed = true, true
	}
	do("position " + a.fen)
	first := tb.pos
	mover, other := first.Turn(), first.Turn().Other()
	m, ok := first.FindUCI(a.move)
	if !ok {
		return "no move " + a.move
	}
	after := first.After(m)
	r, ok := after.FindUCI(a.reply)
	if !ok {
		return "no reply " + a.reply
	}
	do("+1 wait")
	for _, act := range squareBySquare(first.Placement(), m) {
		do("+0.4 " + act)
	}
	acts := strings.Split(way, ", ")
	for i, act := range acts {
		switch {
		case i == s.after:
			do("+" + s.since + " press " + mover.String())
			do("+" + s.dwells + " " + act)
		default:
			do("+" + s.quick + " " + act)
		}
	}
	if s.after == len(acts) {
		do("+" + s.since + " press " + mover.String())
	}
	do("+0.5 press " + other.String())
	do("+4 wait")
	if said := tb.said.String(); wrong == "" && doubted(said) {
		wrong = "said\n" + said
	}
	then := after.After(r)
	if now := tb.t.g.pos(); wrong == "" && !now.Same(&then) {
		wrong = "not followed:\n" + tb.said.String()
	}
	return wrong
}

// doubted reports whether the tracker reported more than the moves, their presses, the hints, and the replier's acts.
func doubted(said string) bool {
	for _, line := range strings.Split(said, "\n") {
		switch {
		case strings.Contains(line, " hint "), strings.Contains(line, " found irreg.rook_first "), strings.Contains(line, " found irreg.promo_piece_changed "):
			continue
		}
		for _, bad := range []string{" found ", " note ", "sensor.", "illegal.", "irreg.", "takeback", "result"} {
			if strings.Contains(line, bad) {
				return true
			}
		}
	}
	return false
}

// squareBySquare is how a tidy hand makes a move.
func squareBySquare(from legal.Placement, m legal.Move) (acts []string) {
	to := play.PlacementAfter(from, m)
	for _, empty := range []bool{true, false} {
		for sq := range to {
			if p := to[sq]; p != from[sq] && (p == legal.NoPiece) == empty {
				piece := "-"
				if p != legal.NoPiece {
					piece = p.String()
				}
				acts = append(acts, legal.Square(sq).String()+" "+piece)
			}
		}
	}
	return acts
}

func TestAReplyHalfDoneAccusesNobody(t *testing.T) {
	tried := 0
	for _, a := range answers {
		for _, a := range []answer{a, a.mirrored()} {
			for _, way := range a.ways {
				for after := range strings.Count(way, ",") + 2 {
					for i, s := range stops {
						s.after = after
						mode := tried + i // all four come to every stage of something
						tried++
						if testing.Short() && i%5 != after%5 {
							continue
						}
						if wrong := a.halfDone(way, s, mode&1 != 0, mode&2 != 0); wrong != "" {
							t.Fatalf("%s: %s, passive %v, turned %v, %+v: %s", a.name, way, mode&1 != 0, mode&2 != 0, s, wrong)
						}
					}
				}
			}
		}
	}
	t.Log(tried, "stages")
}

// stops are short and long, quick and slow: the press waits 1.35 s for what explains it.
var stops = []stop{
	{0, "0.05", "0.1", "0.1"}, {0, "0.05", "0.5", "0.35"}, {0, "0.05", "1.1", "0.1"}, {0, "0.05", "1.7", "0.35"}, {0, "0.05", "4", "0.1"},
	{0, "0.3", "0.1", "0.35"}, {0, "0.3", "0.5", "0.1"}, {0, "0.3", "1.7", "0.1"},
	{0, "0.7", "0.5", "0.35"}, {0, "0.7", "1.1", "0.35"}, {0, "0.7", "4", "0.35"},
}
