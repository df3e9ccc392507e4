package broadcast

import (
	"fmt"
	"testing"
	"time"

	"boardwatchd/rules/words"
)

// longGame is a script of a game of 120 plies: the knights go out and back, which is legal unless a player claims a
// draw.
func longGame(t testing.TB) *script {
	s := newScript(t)
	s.named()
	s.game(array)
	out := [...]string{"g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8"}
	for ply := 1; ply <= 120; ply++ {
		s.at += 30 * second
		m := s.moveOf(1, out[(ply-1)%len(out)])
		m.Ply, m.Side = ply, [...]string{"black", "white"}[ply%2]
		s.say(m)
	}
	return s
}

// BenchmarkDue is what one board costs when another ply of a long game is due.
func BenchmarkDue(b *testing.B) {
	s := longGame(b)
	for b.Loop() {
		if sheet := s.tape.Due(never/2, terms); sheet.Plies != 120 {
			b.Fatal(sheet.Plies)
		}
	}
}

// BenchmarkHall is what a hall of 100 boards costs for each text, with one board of which another ply is due.
func BenchmarkHall(b *testing.B) {
	s := longGame(b)
	c := New(Options{Delay: time.Minute, Name: name, Notify: func(string, words.Sentence, words.Sentence) {}})
	for n := range 100 {
		board := c.Add(fmt.Sprint(n), "j", 1)
		for _, r := range s.all {
			board.Recovered(r)
		}
		board.Ready()
	}
	c.startRead = true
	for _, board := range c.boards {
		board.passed = never / 2
	}
	c.update()
	if t, _ := c.Text(); t.Plies != 120*100 {
		b.Fatal(t.Plies)
	}
	n := 0
	for b.Loop() {
		c.boards[n%100].dirty = true
		n++
		c.update()
	}
}
