package lab

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// rig is a session with somebody who can put pieces anywhere.
type rig struct {
	t      *testing.T
	s      *Session
	now    int64
	lies   legal.Placement
	turned bool // the board lies the other way about
	labels []Label
}

func newRig(t *testing.T, p Protocol) *rig {
	t.Helper()
	r := &rig{t: t, now: 1_000_000}
	s, err := NewSession(p, Options{Seed: 4, Players: []string{"Ann", "Bo"}}, r.now)
	if err != nil {
		t.Fatal(err)
	}
	r.s = s
	return r
}

// put changes the board, a second later.
func (r *rig) put(t legal.Placement) {
	r.now += 1_000_000
	r.lies = t
	if r.turned {
		t = rotated(t)
	}
	r.s.Board(r.now, t)
}

func (r *rig) key(k Key) {
	r.now += 1_000_000
	r.s.Key(r.now, k)
}

func (r *rig) wait(us int64) {
	r.now += us
	r.s.Tick(r.now)
}

// steps are what people do, in one word.
func (r *rig) play(steps string) {
	for _, step := range strings.Fields(steps) {
		switch step {
		case "setup":
			r.put(r.s.want)
		case "do":
			r.put(r.s.target)
		case "wrong":
			other := r.lies
			other[20], other[28] = legal.BlackKnight, legal.BlackKnight
			r.put(other)
		case "back":
			r.put(r.s.want)
		case "wait":
			r.wait(settleUS)
		case "blink":
			r.wait(settleUS / 2)
		case "enter":
			r.key(Enter)
		case "repeat":
			r.key(RepeatKey)
		case "skip":
			r.key(SkipKey)
		case "pause":
			r.key(PauseKey)
		case "quit":
			r.key(QuitKey)
		default:
			r.t.Fatalf("no step %q", step)
		}
	}
	r.labels = append(r.labels, r.s.Take()...)
}

// events are the labels in one word each, with card and attempt where there are.
func (r *rig) events() string {
	var list []string
	for _, l := range r.labels {
		word := string(l.Event)
		if l.Card != "" {
			word += ":" + l.Card
			if l.Attempt > 1 {
				word += "#" + itoa(l.Attempt)
			}
		}
		list = append(list, word)
	}
	return strings.Join(list, " ")
}

func captures(n int) Protocol {
	return Protocol{Name: "test", Blocks: []Block{{What: Capture, Cards: []Pile{{"swap", n}}}}}
}

func TestSession(t *testing.T) {
	two := Protocol{Name: "test", Blocks: []Block{
		{What: Plain, Cards: []Pile{{"plain", 2}}}, {What: Castling, Cards: []Pile{{"together", 1}}},
	}}
	for _, c := range []struct {
		name, steps, events string
		protocol            Protocol
		phase               Phase
	}{
		{"nothing begins before the pieces stand", "enter wait enter", "begin", captures(1), Setting},
		{"the film gets its mark first", "setup wait", "begin block", captures(1), Marking},
		{"without a film there is no mark", "setup skip", "begin block card:1.1", captures(1), Doing},
		{"the board shows that it is done", "setup enter do wait", "begin block sync card:1.1 done:1.1 end", captures(1), Ended},
		{"Enter says so sooner", "setup enter do enter", "begin block sync card:1.1 done:1.1 end", captures(1), Ended},
		{"half a second is too short", "setup enter do blink", "begin block sync card:1.1", captures(1), Doing},
		{"what does not stay was not done", "setup enter do blink wrong blink do blink", "begin block sync card:1.1", captures(1), Doing},
		{"the next card waits for the reset", "setup enter do wait", "begin block sync card:1.1 done:1.1", captures(2), Clearing},
		{"with the pieces back it comes", "setup enter do wait back", "begin block sync card:1.1 done:1.1 card:1.2", captures(2), Doing},
		{"done otherwise is offered again", "setup enter wrong enter back do wait",
			"begin block sync card:1.1 otherwise:1.1 card:1.1#2 done:1.1#2 end", captures(1), Ended},
		{"Enter before anything has moved is no card", "setup enter enter", "begin block sync card:1.1", captures(1), Doing},
		{"void while the pieces are in the air", "setup enter wrong repeat back do wait",
			"begin block sync card:1.1 void:1.1 card:1.1#2 done:1.1#2 end", captures(1), Ended},
		{"void after it was done", "setup enter do wait repeat back do wait",
			"begin block sync card:1.1 done:1.1 void:1.1 card:1.1#2 done:1.1#2", captures(2), Clearing},
		{"void when the next card is shown already", "setup enter do wait back repeat do wait back",
			"begin block sync card:1.1 done:1.1 card:1.2 void:1.1 card:1.1#2 done:1.1#2 card:1.2", captures(2), Doing},
		{"only the last one can be void", "setup enter do wait back repeat repeat", "begin block sync card:1.1 done:1.1 card:1.2 void:1.1 card:1.1#2", captures(2), Doing},
		{"nothing can be void before the first", "setup enter repeat", "begin block sync card:1.1", captures(1), Doing},
		{"skipped", "setup enter skip do wait", "begin block sync card:1.1 skip:1.1 card:1.2 done:1.2 end", captures(2), Ended},
		{"skipped during the reset", "setup enter do wait skip back", "begin block sync card:1.1 done:1.1 skip:1.2 card:1.3", captures(3), Doing},
		{"a pause, and the card anew", "setup enter pause enter", "begin block sync card:1.1 pause resume card:1.1", captures(1), Doing},
		{"what is touched in a pause has to go back", "setup enter pause wrong enter", "begin block sync card:1.1 pause resume", captures(1), Clearing},
		{"stopped", "setup enter quit", "begin block sync card:1.1 end", captures(1), Ended},
		{"stopped is stopped", "quit setup enter wait", "begin end", captures(1), Ended},
		{"no reset where pieces go back and forth, and a new set-up for the next block", "setup enter do wait do wait",
			"begin block sync card:1.1 done:1.1 card:1.2 done:1.2", two, Setting},
		{"the last card of a block is void, and comes another time", "setup enter do wait do wait repeat setup repeat skip do wait",
			"begin block sync card:1.1 done:1.1 card:1.2 done:1.2 void:1.2 block card:2.1 done:2.1 end", two, Ended},
		{"to the end", "setup enter do wait do wait setup enter do wait",
			"begin block sync card:1.1 done:1.1 card:1.2 done:1.2 block sync card:2.1 done:2.1 end", two, Ended},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, c.protocol)
			r.play(c.steps)
			if got := r.events(); got != c.events {
				t.Errorf("labels\n got %s\nwant %s", got, c.events)
			}
			if r.s.phase != c.phase {
				t.Errorf("phase %v, want %v", r.s.phase, c.phase)
			}
			if r.s.Over() != (c.phase == Ended) {
				t.Errorf("over: %v", r.s.Over())
			}
		})
	}
}

// What rests otherwise than asked is said; what was said goes with the next change.
func TestTheOperatorIsTold(t *testing.T) {
	r := newRig(t, captures(2))
	r.play("setup enter wrong blink")
	if got := r.s.Screen(r.now).Wrong; got != "" {
		t.Errorf("too soon: %q", got)
	}
	r.wait(puzzledUS)
	if got := r.s.Screen(r.now).Wrong; !strings.Contains(got, "reads otherwise") || !strings.Contains(got, "Enter") {
		t.Errorf("%q", got)
	}
	r.play("do")
	if got := r.s.Screen(r.now).Wrong; got != "" {
		t.Errorf("still %q", got)
	}
	r.play("wait")
	s := r.s.Screen(r.now)
	if s.Headline != "PUT BACK" || len(s.Text) != 2 || s.Number != 2 || s.Of != 2 {
		t.Errorf("%+v", s)
	}
}

// A board that lies the other way about is found out, and the labels name real squares.
func TestABoardThatIsTurnedRound(t *testing.T) {
	r := newRig(t, captures(1))
	r.turned = true
	r.play("setup enter do wait")
	done := r.labels[slices.IndexFunc(r.labels, func(l Label) bool { return l.Event == Done })]
	if !done.Reversed || done.Deed.From[1] != '1' && done.Deed.From != "c1" {
		t.Errorf("%+v", done)
	}
	r = newRig(t, Protocol{Name: "test", Blocks: []Block{{What: Capture, Layout: 1, Cards: []Pile{{"swap", 1}}}, {What: Castling, Cards: []Pile{{"together", 1}}}}})
	r.play("setup enter do wait")
	r.turned = true // somebody turned it between the blocks
	r.play("setup enter do wait")
	if r.labels[len(r.labels)-2].Reversed != true || !r.s.Complete() {
		t.Errorf("%s", r.events())
	}
}

// Performer and resetter change places, and a label says who was who.
func TestPeopleTakeTurns(t *testing.T) {
	p := captures(1)
	p.Blocks = append(p.Blocks, p.Blocks[0], p.Blocks[0])
	r := newRig(t, p)
	r.play("setup enter do wait setup enter do wait setup enter do wait")
	var who []string
	for _, l := range r.labels {
		if l.Event == Done {
			who = append(who, l.Performer+"/"+l.Resetter)
		}
	}
	if got := strings.Join(who, " "); got != "Ann/Bo Bo/Ann Ann/Bo" {
		t.Error(got)
	}
}

// The journal's labels are all that is needed to go on.
func TestASessionGoesOn(t *testing.T) {
	r := newRig(t, captures(4))
	r.play("setup enter do wait back skip do wait repeat quit") // 1.1 done, 1.2 skipped, 1.3 done and void
	var m Memory
	for _, l := range r.labels {
		m.See(l.Body())
	}
	m.See([]byte(`{"do":"pause"}`))
	if !m.Begun() || m.cards() != 2 {
		t.Fatalf("begun %v, %d cards: %s", m.Begun(), m.cards(), r.events())
	}
	s, err := m.Resume(nil, Options{}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if again, want := s.cards, r.s.cards; len(again) != len(want) || again[2].lane != want[2].lane || again[3].Tempo != want[3].Tempo {
		t.Error("the cards are others")
	}
	on := &rig{t: t, s: s, now: 5}
	on.play("setup enter do wait back do wait")
	if got := on.events(); got != "begin block sync card:1.3 done:1.3 card:1.4 done:1.4 end" || !s.Complete() {
		t.Errorf("%s", got)
	}
	for _, l := range on.labels {
		m.See(l.Body())
	}
	if _, err := m.Resume(nil, Options{}, 5); err == nil || !strings.Contains(err.Error(), "to the end") {
		t.Errorf("a finished session goes on: %v", err)
	}
}

func TestASessionDoesNotGoOnAsAnother(t *testing.T) {
	r := newRig(t, captures(2))
	r.play("quit")
	var m Memory
	if _, err := m.Resume(nil, Options{}, 0); err == nil {
		t.Error("a session goes on that never began")
	}
	for _, l := range r.labels {
		m.See(l.Body())
	}
	short := Short()
	for _, c := range []struct {
		name string
		p    *Protocol
		o    Options
		says string
	}{
		{"another protocol", &short, Options{}, "protocol test of 2 cards"},
		{"another seed", nil, Options{Seed: 5}, "seed 4"},
		{"other players", nil, Options{Players: []string{"Bo", "Ann"}}, "[Ann Bo]"},
		{"generated people", nil, Options{Made: "generated"}, "one journal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := m.Resume(c.p, c.o, 0); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestTwoPlayersAreNeeded(t *testing.T) {
	for _, players := range [][]string{nil, {"Ann"}, {"Ann", "Ann"}, {"", "Bo"}, {"a", "b", "c"}} {
		if _, err := NewSession(captures(1), Options{Players: players}, 0); err == nil {
			t.Errorf("%q play", players)
		}
	}
}

// The minutes are the plan's at first, and this evening's when five cards of a block are done.
func TestMinutes(t *testing.T) {
	if s, err := NewSession(Full(), Options{Players: []string{"Ann", "Bo"}}, 0); err != nil || s.Screen(0).Minutes < 28 || s.Screen(0).Minutes > 31 {
		t.Errorf("the full protocol takes %d minutes (%v)", s.Screen(0).Minutes, err)
	}
	p := captures(20)
	p.Blocks[0].Minutes = 2
	r := newRig(t, p)
	if got := r.s.Screen(r.now).Minutes; got != 2 {
		t.Errorf("planned: %d minutes", got)
	}
	r.play("setup enter")
	for range 6 {
		r.now += 57_000_000
		r.play("do wait back")
	}
	if got := r.s.Screen(r.now).Minutes; got < 13 || got > 15 { // 14 cards, a minute each
		t.Errorf("at a minute for each of %d cards: %d minutes", len(r.s.todo), got)
	}
}

// Whatever is pressed and read, the session holds together: it never says a card twice without a void between, and the labels
// can be read back.
func FuzzSession(f *testing.F) {
	f.Add([]byte("SEDWBDWBDWBR"))
	f.Add([]byte("SEXEBDWRBPPDKKQ"))
	f.Fuzz(func(t *testing.T, steps []byte) {
		r := newRig(t, Protocol{Name: "fuzz", Blocks: []Block{
			{What: Plain, Cards: []Pile{{"plain", 3}}}, {What: Capture, Cards: []Pile{{"swap", 2}, {"together", 2}}},
		}})
		words := map[byte]string{
			'S': "setup", 'E': "enter", 'D': "do", 'W': "wait", 'B': "back", 'X': "wrong", 'R': "repeat", 'K': "skip", 'P': "pause", 'Q': "quit", 'b': "blink",
		}
		for _, c := range steps {
			if word, ok := words[c]; ok {
				r.play(word)
				r.s.Screen(r.now)
			}
		}
		done := map[string]bool{}
		var m Memory
		for _, l := range r.labels {
			back, ok := ParseLabel(l.Body())
			if !ok || back.Event != l.Event || back.Card != l.Card {
				t.Fatalf("%s is read as %+v", l.Body(), back)
			}
			m.See(l.Body())
			switch l.Event {
			case Done, Skipped:
				if done[l.Card] {
					t.Fatalf("card %s twice: %s", l.Card, r.events())
				}
				done[l.Card] = true
			case Void:
				delete(done, l.Card)
			}
		}
		if len(done) != len(r.s.finished) || m.cards() != len(done) {
			t.Fatalf("%d cards by the labels, %d by the session, %d remembered: %s", len(done), len(r.s.finished), m.cards(), r.events())
		}
		if r.s.Complete() && !r.s.Over() {
			t.Fatal("nothing is left, and it is not over")
		}
	})
}

// cards is how many cards have been done or skipped.
func (m *Memory) cards() int { return len(m.finished) }
