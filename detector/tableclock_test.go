package detector

import (
	"fmt"
	"strconv"
	"strings"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// show sends the clock's face.
func (tb *table) show() {
	if tb.down || tb.unpolled {
		return
	}
	r := tb.read
	r.Missing = !tb.clock
	tb.send(&r, func() {
		tb.t.Clock(tb.stamp(), r)
	})
}

// tick counts a second.
func (tb *table) tick() {
	tb.tickAt += secondUS
	if tb.resting > 0 {
		tb.resting--
		return
	}
	if s := tb.seconds(tb.read.Up); *s > 0 {
		*s--
	}
	if tb.clock && !tb.slow {
		tb.show()
	}
}

func (tb *table) seconds(s evidence.ClockSide) *int {
	if s == evidence.RightSide {
		return &tb.read.Right
	}
	return &tb.read.Left
}

// sideOf returns a player's side of the clock.
func (tb *table) sideOf(player string) evidence.ClockSide {
	if player == "black" {
		return tb.white.Other()
	}
	return tb.white
}

func (tb *table) run(on bool) {
	tb.read.Running, tb.tickAt = on, 0
	if on {
		tb.tickAt = tb.now + secondUS
	}
}

func (tb *table) clockVerb(verb, arg string) error {
	switch verb {
	case "press":
		s := tb.sideOf(arg)
		if tb.read.Up != s {
			return fmt.Errorf("that end of the lever is down already")
		}
		if tb.read.Running && tb.delay == 0 {
			*tb.seconds(s) += bonusSec
		}
		tb.read.Up, tb.resting = s.Other(), tb.delay
	case "stops":
		*tb.seconds(tb.sideOf(arg)) += bonusSec
		tb.read.Up = tb.sideOf(arg).Other()
		tb.run(false)
	case "starts":
		tb.read.Up = tb.sideOf(arg).Other()
		tb.run(true)
	case "twice":
		*tb.seconds(evidence.LeftSide) += bonusSec
		*tb.seconds(evidence.RightSide) += bonusSec
	case "run":
		tb.run(true)
	case "stop":
		tb.run(false)
	case "lever":
		tb.read.Up = tb.sideOf(arg)
	case "set":
		player, sec, _ := strings.Cut(arg, " ")
		n, err := strconv.Atoi(sec)
		if err != nil {
			return err
		}
		*tb.seconds(tb.sideOf(player)) = n
	case "flag", "flagged":
		if verb == "flag" {
			tb.run(false)
			*tb.seconds(tb.sideOf(arg)) = 0
		}
		if tb.sideOf(arg) == evidence.LeftSide {
			tb.read.LeftFlag = true
		} else {
			tb.read.RightFlag = true
		}
	case "clock":
		switch arg {
		case "turned": // the other way round than it is configured
			p := DefaultParams()
			p.White = tb.white.Other()
			tb.t = New(p)
			tb.t.hands.timed = true
		case "unpolled", "polled":
			tb.unpolled = arg == "unpolled"
		default:
			tb.clock = arg == "in"
		}
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
	tb.show()
	return nil
}

// preamble brings the table to where a story begins. What the tracker says on the way is not narrated, but it must be
// right.
func (tb *table) preamble(verb, arg string) error {
	defer func() {
		tb.said.Reset()
		tb.outcomes = nil
	}()
	switch verb {
	case "start":
		return tb.start(arg)
	case "position":
		return tb.position(arg)
	}
	for _, text := range strings.Fields(arg) {
		if err := tb.play(text); err != nil {
			return err
		}
	}
	return nil
}

func (tb *table) start(arg string) error {
	n := 518
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil {
			return err
		}
	}
	tb.pieces = legal.StartSetup(n).Placement
	tb.dump()
	tb.show()
	if tb.clock {
		tb.pass(tb.now + secondUS)
		tb.run(true)
		tb.show()
	}
	if tb.t.games != 1 || tb.t.phase != playing {
		return fmt.Errorf("the game was not opened")
	}
	tb.pos = tb.t.g.pos()
	tb.hear()
	return nil
}

// position opens a game where it would take many moves to come to.
func (tb *table) position(fen string) error {
	s, err := legal.ParseFEN(fen)
	if err != nil {
		return err
	}
	pos, err := s.Position()
	if err != nil {
		return err
	}
	tb.pieces, tb.pos = s.Placement, pos
	up := tb.sideOf(pos.Turn().String())
	tb.read.Up = up
	tb.dump()
	if tb.clock {
		tb.run(true)
	}
	tb.show()
	ply := 40
	if pos.Turn() == legal.Black {
		ply++
	}
	tb.t.games, tb.t.phase = 1, playing
	tb.t.g.open(pos, -1, ply)
	tb.t.b.Clear()
	tb.t.c.Settle(tb.white)
	tb.t.out = nil
	return nil
}

// play makes an ordinary move.
func (tb *table) play(text string) error {
	pos := tb.pos
	m, ok := pos.FindUCI(text)
	if !ok {
		var err error
		if m, err = pos.ParseSAN(text); err != nil {
			return err
		}
	}
	tb.pos = pos.After(m)
	after := play.PlacementAfter(tb.pieces, m)
	tb.pass(tb.now + 600_000)
	for _, empty := range []bool{true, false} {
		for sq := range after {
			if p := after[sq]; p != tb.pieces[sq] && (p == legal.NoPiece) == empty {
				if err := tb.field(legal.Square(sq), p.String(), true, true); err != nil {
					return err
				}
			}
		}
		tb.pass(tb.now + 500_000)
	}
	if tb.clock {
		if err := tb.clockVerb("press", pos.Turn().String()); err != nil {
			return err
		}
		if now := tb.t.g.pos(); !now.Same(&tb.pos) {
			return fmt.Errorf("%s was not followed", text)
		}
	}
	tb.hear()
	return nil
}
