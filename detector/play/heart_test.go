package play

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// An event is one call of a Heart.
type event struct {
	at      int64
	image   *Image
	reading *Reading
	gap     bool
}

func (e event) tell(h *Heart) {
	switch {
	case e.image != nil:
		h.Image(e.at, e.image.Place, e.image.Lost)
	case e.reading != nil:
		h.Reading(e.at, *e.reading)
	case e.gap:
		h.Gap(e.at)
	}
}

// A game is a script with a clock that is read every second. Its verbs are those of a script, and
//
//	stop  run       the clock's button
//	white  black    that side of the lever goes down, whoever is to move
//	press           the side whose clock runs presses
//	gap             the line was lost, and is back
type game struct {
	*script
	root   legal.Position
	events []event
	clock  Reading
	read   int64
}

func newGame(root legal.Position, text string) *game {
	g := &game{script: newScript(root), root: root, clock: Reading{Up: LeftLever, Left: 300, Right: 300}}
	if root.Turn() == legal.Black {
		g.clock.Up = RightLever
	}
	g.saw = func(im Image) {
		g.tick(im.At)
		g.events = append(g.events, event{at: im.At, image: &im})
	}
	g.did = func(verb string) {
		g.tick(g.at)
		switch verb {
		case "wait":
			return
		case "press":
			g.clock.Up = LeftLever + RightLever - g.clock.Up
		case "white":
			g.clock.Up = RightLever
		case "black":
			g.clock.Up = LeftLever
		case "stop", "run":
			g.clock.Running = verb == "run"
		case "gap":
			g.events = append(g.events, event{at: g.at, gap: true})
		default:
			panic("no verb " + verb)
		}
		g.show(g.at)
	}
	g.show(0)
	g.script.run("+1 run +1 " + text + " +4")
	return g
}

func (g *game) show(at int64) {
	r := g.clock
	g.events = append(g.events, event{at: at, reading: &r})
}

// tick shows the clock every second.
func (g *game) tick(to int64) {
	for g.read+secondUS <= to {
		g.read += secondUS
		if g.clock.Running && g.clock.Up == LeftLever {
			g.clock.Left--
		} else if g.clock.Running {
			g.clock.Right--
		}
		g.show(g.read)
	}
}

// tell gives the first n events to a new Heart; wakeUS: it is woken so often besides, 0 for never.
func (g *game) tell(n int, wakeUS int64) *Heart {
	h := Begin(g.root, 0, LeftLever)
	now := int64(0)
	for _, e := range g.events[:n] {
		for wakeUS > 0 && now+wakeUS < e.at {
			now += wakeUS
			h.Wake(now)
		}
		h.Wake(e.at)
		e.tell(h)
		now = e.at
	}
	return h
}

// says is all that a Heart says.
func says(h *Heart) string {
	var b strings.Builder
	fmt.Fprintln(&b, h.Moves(), h.Settled(), h.Reversed)
	for _, f := range h.Told() {
		fmt.Fprintln(&b, f.Kind, f.Side, f.Ply, f.At, f.UCI, f.Arcs, f.Margin)
	}
	return b.String()
}

var gameRows = []struct {
	name, fen, script string
	moves             string
	told              string // kinds
}{
	{"a game in order", "", "e2e4 press e7e5 press g1f3 press b8c6 press", "e2e4 e7e5 g1f3 b8c6", ""},
	{"a forgotten pair", "", "e2e4 press e7e5 press g1f3 +2 b8c6 +2 f1b5 press a7a6 press", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", ""},
	{"replies before the presses are known", "", "e2e4 press e7e5 press g1f3 b8c6 white +0.8 f1b5 black a7a6 white black", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", ""},
	{"a ply is taken back while the clock stands", "", "e2e4 press e7e5 press g1f3 press +1 stop +2 f3- g1N white +2 run +1 b1c3 white +1 b8c6 black", "e2e4 e7e5 b1c3 b8c6", ""},
	{"an offence, put right while the clock stands", "", "e2e4 press +1 e7e5 press +1 g1g3 white +2 stop +2 g3- g1N black +2 run +2 g1f3 press +1 b8c6 press", "e2e4 e7e5 g1f3 b8c6", "illegal.knight"},
	{"a press without a move", "", "e2e4 press +1 e7e5 press +1 +2 white +3", "e2e4 e7e5", "illegal.no_move"},
	{"a gap without a change", "", "e2e4 press e7e5 press +2 gap +1 g1f3 press b8c6 press", "e2e4 e7e5 g1f3 b8c6", ""},
	{"an offence directly behind a gap is not told", "", "e2e4 press e7e5 press +2 gap +1 g1g3 white +4", "e2e4 e7e5", ""},
	{"White's time on the right side", "", "black +1 black e2e4 black", "", ""},
	{"mate needs no press", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4 +3", "d8h4", ""},
}

func TestHeart(t *testing.T) {
	for _, c := range gameRows {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(position(t, c.fen), c.script)
			h := g.tell(len(g.events), 0)
			var kinds []string
			for _, f := range h.Told() {
				kinds = append(kinds, string(f.Kind))
			}
			if got := strings.Join(h.Moves(), " "); got != c.moves || strings.Join(kinds, " ") != c.told {
				t.Errorf("[%s] %v, want [%s] %q", got, kinds, c.moves, c.told)
			}
			if h.Reversed > 0 {
				t.Errorf("%d settled plies were contradicted", h.Reversed)
			}
		})
	}
}

// However often a Heart is woken, and whatever it was asked in between, it says the same. After each event, a fresh one that is told all at once
// says what the one says that was told step by step.
func TestStepByStepSaysTheSameAsAllAtOnce(t *testing.T) {
	for _, c := range gameRows {
		g := newGame(position(t, c.fen), c.script)
		running := Begin(g.root, 0, LeftLever)
		for i, e := range g.events {
			running.Wake(e.at)
			e.tell(running)
			if fresh := g.tell(i+1, 0); says(fresh) != says(running) {
				t.Fatalf("%s: event %d: fresh\n%sstep by step\n%s", c.name, i, says(fresh), says(running))
			}
			running.Deadline()
		}
		if often := g.tell(len(g.events), 10_000); says(often) != says(running) {
			t.Errorf("%s: woken often\n%swoken at events\n%s", c.name, says(often), says(running))
		}
	}
}

// A game of one press is what Explain says of that press.
func TestHeartAndExplainAgreeOnOnePress(t *testing.T) {
	for _, c := range pressRows {
		if c.merged || c.lost || c.kind != "" || c.side != legal.NoSide {
			continue
		}
		root := position(t, c.fen)
		g := newGame(root, c.script)
		if got := strings.Join(g.tell(len(g.events), 0).Moves(), " "); got != c.moves {
			t.Errorf("%s: [%s], want [%s]", c.name, got, c.moves)
		}
	}
}

// An hour of a square that flickers ten times a second fills no memory.
func TestABoardThatFlickersForAnHourFillsNoMemory(t *testing.T) {
	h := Begin(legal.StartPosition(), 0, LeftLever)
	with := legal.StartPosition()
	place := with.Placement()
	without := place
	without[square("a1")] = legal.NoPiece
	h.Reading(0, Reading{Up: LeftLever, Left: 7200, Right: 7200})
	for at := int64(1); at < 36_000; at++ {
		now := at * secondUS / 10
		if at%10 == 0 {
			h.Reading(now, Reading{Up: LeftLever, Running: true, Left: 7200 - int(at/10), Right: 7200})
		}
		p := place
		if at&1 != 0 {
			p = without
		}
		h.Wake(now)
		h.Image(now, p, false)
		if len(h.ev.images) > maxImages || cap(h.ev.images) > 2*maxImages || len(h.stories) > beamWidth+1 || len(h.presses)+len(h.due) > 0 {
			t.Fatalf("after %d s: %d images, %d stories", at/10, len(h.ev.images), len(h.stories))
		}
	}
	if got := says(h); got != "[] [] 0\n" {
		t.Errorf("%s", got)
	}
	if h.ev.end() < 30_000 || !reflect.DeepEqual(h.ev.last().place, without) {
		t.Errorf("%d images were taken", h.ev.end())
	}
}
