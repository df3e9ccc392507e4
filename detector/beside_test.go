package detector

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// The inference over whole games (play.Heart) gets the same input as the tracker in every story, and the two are compared: the moves that
// count, and the kinds of the findings. "go test ./detector -run Beside -v" lists the stories on which they disagree.

// agreed is the number of stories on which the two agreed when it was last counted. It may rise.
const agreed = 415

// beside gives the inference what the tracker gets, and keeps what the tracker said.
type beside struct {
	heart *play.Heart // nil before a game has begun
	live  legal.Placement
	known bool // a dump has told what stands on the board
	last  play.Reading
	heard bool // last holds

	moves, kinds []string // of the tracker
}

func (b *beside) wake(at int64) {
	if b != nil && b.heart != nil {
		b.heart.Wake(at)
	}
}

func (b *beside) gap(at int64) {
	if b != nil && b.heart != nil {
		b.heart.Gap(at)
	}
}

func (b *beside) field(tb *table, sq legal.Square, p legal.Piece) {
	if b == nil {
		return
	}
	if tb.t.reversed {
		sq = 63 - sq
	}
	b.live[sq] = p
	b.image(tb.now, false)
}

func (b *beside) dump(tb *table, p legal.Placement) {
	if b == nil {
		return
	}
	if tb.t.reversed {
		p = rotated(p)
	}
	lost := b.known && p != b.live
	b.live, b.known = p, true
	b.image(tb.now, lost)
}

func (b *beside) image(at int64, lost bool) {
	if b.heart != nil {
		b.heart.Image(at, b.live, lost)
	}
}

func (b *beside) clock(tb *table, r ClockReading) {
	switch {
	case b == nil:
	case r.Missing:
		b.heard = false
		b.gap(tb.now)
	default:
		b.last, b.heard = play.Reading{Up: play.Lever(r.Up), Running: r.Running, Left: r.Left, Right: r.Right}, true
		if b.heart != nil {
			b.heart.Reading(tb.now, b.last)
		}
	}
}

// outcome takes what the tracker said. The tracker decides where a game begins.
func (b *beside) outcome(tb *table, o Outcome) {
	if b == nil {
		return
	}
	switch o := o.(type) {
	case GameStarted:
		if pos, err := parsePosition(o.FEN); err == nil {
			b.begin(tb, pos)
			b.live = tb.t.b.live
		}
	case Moved:
		b.moves = append(b.moves, o.Before.UCI(o.Move))
	case TakenBack:
		first := tb.t.g.nodes[0].ply
		b.moves = b.moves[:max(0, min(len(b.moves), o.Ply-first))]
	case Found:
		if ofPlay(o) && !slices.Contains(b.kinds, string(o.Kind)) {
			b.kinds = append(b.kinds, string(o.Kind))
		}
	}
}

func (b *beside) begin(tb *table, pos legal.Position) {
	if b == nil {
		return
	}
	b.heart = play.Begin(pos, tb.now, play.Lever(tb.white))
	b.moves, b.kinds, b.live = nil, nil, pos.Placement()
	if b.heard {
		b.heart.Reading(tb.now, b.last)
	}
}

func parsePosition(fen string) (legal.Position, error) {
	s, err := legal.ParseFEN(fen)
	if err != nil {
		return legal.Position{}, err
	}
	return s.Position()
}

// ofPlay says that a finding is one that the inference could tell: of a ply or of the board, and no hint.
func ofPlay(f Found) bool {
	of := func(room string) bool { return strings.HasPrefix(string(f.Kind), room) }
	return f.State != rules.Withdrawn && f.Proof > rules.Hint && (of("illegal.") || of("irreg.") || of("sensor."))
}

// says is what the inference makes of the story: the plies that are legal moves, and the findings.
func (b *beside) says() (moves, kinds []string) {
	if b.heart == nil {
		return nil, nil
	}
	moves = slices.DeleteFunc(b.heart.Moves(), func(m string) bool { return m == "?" })
	for _, f := range b.heart.Told() {
		kinds = append(kinds, string(f.Kind))
	}
	return moves, kinds
}

func TestStoriesBesideTheInference(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all, same := 0, 0
	for _, path := range files {
		stories := readStories(t, path)
		here := 0
		for _, s := range stories {
			b := &beside{}
			tb := newTable()
			tb.beside = b
			if _, err := s.tellAt(tb); err != nil {
				t.Fatalf("%s:%d: %v", path, s.line, err)
			}
			moves, kinds := b.says()
			if slices.Equal(moves, b.moves) && slices.Equal(kinds, b.kinds) {
				here++
				continue
			}
			t.Logf("%s:%d %s\n   tracker   %v %v\n   inference %v %v", filepath.Base(path), s.line, s.name(), b.moves, b.kinds, moves, kinds)
		}
		t.Logf("%s: %d of %d agree", filepath.Base(path), here, len(stories))
		all, same = all+len(stories), same+here
	}
	t.Logf("%d of %d stories agree", same, all)
	if same < agreed {
		t.Errorf("tracker and inference agree on %d stories, on %d before", same, agreed)
	}
}
