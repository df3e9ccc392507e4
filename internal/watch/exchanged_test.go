package watch_test

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// restart ends the program and starts it again.
func (d *desk) restart(b *deskBoard, away int64) {
	d.step(d.at, record.Gap, watch.Annotation{Cause: "killed", Away: away}.Body())
	d.at += away
	d.up(b)
}

// TestNothingOfAnotherBoardComesIntoTheRecord: in whatever way another board comes to the port, it is not accepted, and
// the game continues when its own board is back.
func TestNothingOfAnotherBoardComesIntoTheRecord(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(d *desk, other *deskBoard)
	}{
		{"plugged", func(d *desk, b *deskBoard) { d.up(b) }},
		{"refused, and unplugged for a second", func(d *desk, b *deskBoard) { d.up(b); d.pass(20 * second); d.down(); d.pass(second); d.up(b) }},
		{"refused, and the program is started again", func(d *desk, b *deskBoard) { d.up(b); d.pass(20 * second); d.restart(b, second) }},
		{"the plug bounces", func(d *desk, b *deskBoard) { d.up(b); d.pass(300_000); d.down(); d.pass(second); d.up(b) }},
		{"the plug comes out after the first dump", func(d *desk, b *deskBoard) {
			b.noSaid = 1
			d.up(b)
			d.pass(second)
			d.down()
			d.pass(second)
			d.up(b)
		}},
		{"its number is lost", func(d *desk, b *deskBoard) { b.noSaid = 1; d.up(b) }},
		{"its dump is lost", func(d *desk, b *deskBoard) { b.noDump = 1; d.up(b) }},
		{"it is mute at first", func(d *desk, b *deskBoard) { b.mute = true; d.up(b); d.pass(4 * second); b.mute = false }},
		{"the program was away", func(d *desk, b *deskBoard) { d.restart(b, 20*second) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			own, other := aBoard("01001"), aBoard("01002")
			d := newDesk(t, own)
			d.start()
			d.play(5*second, "e4", "e5", "Nf3")
			other.unseen("e4", "e5", "Nc3", "Nc6", "f4")
			d.down()
			d.pass(20 * second)
			c.do(d, other)
			d.pass(30 * second)
			d.play(5*second, "exf4", "d4", "d5")
			if told := d.says("wrong_board"); len(told) == 0 {
				t.Error("it was not told")
			}
			d.down()
			d.pass(20 * second)
			own.unseen("Nc6", "Bb5")
			d.up(own)
			d.pass(20 * second)
			d.play(5*second, "a6", "Ba4", "Nf6", "d3")
			if got, want := strings.Join(d.san(), " "), "e2e4 e7e5 g1f3"; !strings.HasPrefix(got, want) || slices.Contains(d.san(), "e5f4") || !strings.HasSuffix(got, "a7a6 b5a4 g8f6 d2d3") {
				t.Errorf("record %s", got)
			}
			if found := d.found(); len(found) > 0 {
				t.Errorf("found %s", found)
			}
		})
	}
}

// TestABoardExchangedInAMoment: the cables of two boards are exchanged within the waiting time for a board's number.
// The position of the other board is received before its number, and nothing of it comes into the record.
func TestABoardExchangedInAMoment(t *testing.T) {
	for _, c := range []struct {
		name   string
		unseen []string // what has been played at the other table
	}{
		{"another position", []string{"e4", "e5", "Nc3", "Nc6", "f4"}},
		{"another position that moves of this game lead to", []string{"e4", "e5", "Nf3", "Nc6", "Bb5"}},
		{"a ply further on", []string{"e4", "e5", "Nf3", "Nc6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			own, other := aBoard("01001"), aBoard("01002")
			d := newDesk(t, own)
			d.start()
			d.play(5*second, "e4", "e5", "Nf3")
			other.unseen(c.unseen...)
			d.down()
			d.pass(2 * second)
			d.up(other)
			d.pass(30 * second)
			if len(c.unseen)%2 == 0 {
				d.play(5*second, "Bb5")
			}
			d.play(5*second, "a6", "a3", "h5")
			if told := d.says("wrong_board"); len(told) == 0 {
				t.Error("it was not told")
			}
			d.down()
			d.pass(2 * second)
			own.unseen("d6", "Bc4")
			d.up(own)
			d.pass(20 * second)
			d.play(5*second, "h6", "d3", "Nf6", "h3")
			if got, want := strings.Join(d.san(), " "), "e2e4 e7e5 g1f3"; !strings.HasPrefix(got, want) || slices.Contains(d.san(), "a7a6") || !strings.HasSuffix(got, "h7h6 d2d3 g8f6 h2h3") {
				t.Errorf("record %s", got)
			}
			if found := d.found(); len(found) > 0 {
				t.Errorf("found %s", found)
			}
		})
	}
}

// reboot starts the computer again; its clock is wrong, and the absence is not known.
func (d *desk) reboot(b *deskBoard) {
	d.step(d.at, record.Open, watch.Opening{Format: watch.Format, Source: watch.Live, Board: "1", Boot: "another", Config: automatic}.Body())
	d.restart(b, second)
}

// behindAdapter puts the cable of an adapter that stays plugged in into another board; nothing is connected for a
// while.
func (d *desk) behindAdapter(b *deskBoard, away int64) {
	d.board = nil
	d.pass(away)
	d.board, b.ticked = b, d.at
}

// TestABoardExchangedUnnoticed: two boards are exchanged without a sign of unplugging: while the program or its
// computer starts, or behind an adapter that stays plugged in. Nothing of the other board becomes a move of this game,
// the exchange is reported, and the game goes on when its own board is back. A spare board with the position of the
// game replaces it.
func TestABoardExchangedUnnoticed(t *testing.T) {
	for _, way := range []struct {
		name string
		do   func(d *desk, b *deskBoard)
	}{
		{"the computer starts, and its clock is wrong", func(d *desk, b *deskBoard) { d.reboot(b) }},
		{"the program starts within a second", func(d *desk, b *deskBoard) { d.restart(b, second) }},
		{"adapter, a second", func(d *desk, b *deskBoard) { d.behindAdapter(b, second) }},
		{"adapter, two seconds and a half", func(d *desk, b *deskBoard) { d.behindAdapter(b, 5*second/2) }},
		{"adapter, five seconds", func(d *desk, b *deskBoard) { d.behindAdapter(b, 5*second) }},
		{"adapter, half a minute", func(d *desk, b *deskBoard) { d.behindAdapter(b, 30*second) }},
	} {
		for _, c := range []struct {
			name   string
			unseen []string
			play   []string
		}{
			{"another position", []string{"d4", "d5", "c4", "e6", "Nc3", "Nf6", "Bg5", "Be7"}, []string{"e3", "h6", "Bh4", "b6"}},
			{"a position that moves of this game lead to", []string{"e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "O-O"}, []string{"Be7", "Re1", "O-O", "d3"}},
			{"a spare board", nil, nil},
		} {
			t.Run(way.name+"/"+c.name, func(t *testing.T) {
				own, other := aBoard("01001"), aBoard("01002")
				d := newDesk(t, own)
				d.start()
				d.play(5*second, "e4", "e5", "Nf3", "Nc6")
				if c.unseen == nil {
					other.unseen("e4", "e5", "Nf3", "Nc6")
					other.sec = own.sec
					way.do(d, other)
					d.pass(10 * second)
					d.play(5*second, "Bb5", "a6", "Ba4")
					if told := d.says("wrong_board"); len(told) > 0 {
						t.Errorf("told %s", told)
					}
					if got, want := strings.Join(d.san(), " "), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4"; got != want {
						t.Errorf("record %s", got)
					}
					return
				}
				other.unseen(c.unseen...)
				way.do(d, other)
				d.play(5*second, c.play...)
				if told := d.says("wrong_board"); len(told) != 1 {
					t.Errorf("told %s", told)
				}
				d.behindAdapter(own, 3*second)
				d.pass(10 * second)
				d.play(5*second, "Bb5", "a6", "Ba4", "Nf6")
				if got, want := strings.Join(d.san(), " "), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6"; got != want {
					t.Errorf("record %s", got)
				}
				if found := d.found(); len(found) > 0 {
					t.Errorf("found %s", found)
				}
			})
		}
	}
}
