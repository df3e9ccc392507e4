package emulator

import (
	"fmt"
	"math"

	"boardwatchd/rules/legal"
)

// never is later than every event.
const never = int64(math.MaxInt64)

// Verb is the effect of an Act on the table.
type Verb uint8

// The verbs. Every event caused by people or accidents that the equipment detects is one of these, or a sequence of
// them.
const (
	NoVerb    Verb = iota
	Sense          // the coil of Square has Piece above it from now on (NoPiece: none that it can read)
	PressOf        // Side's end of the lever goes down
	RunOf          // Side's clock is started with the start button
	PauseAll       // both clocks are stopped with the start/stop button
	LeverTo        // the lever is moved while the clock is stopped: now Side's turn
	SetTime        // Side's time becomes US
	AddTime        // Side's time is edited by US, which may be negative
	ShowFlag       // Side's flag is shown (hour byte bit 6), the clock goes on
	DropFlag       // Side's last flag falls: zero, and the clock stops (hour byte bit 4)
	SetBonus       // the increment per press becomes US
	ClockOut       // the clock's plug is pulled
	ClockIn        // the clock's plug is put back
	Cue            // the equipment detects nothing: People wanted to be called now (Ref)
	verbCount      //
)

var verbNames = [verbCount]string{"none", "sense", "press", "run", "pause", "lever", "settime", "addtime", "flag", "fall", "bonus", "clock-out", "clock-in", "cue"}

func (v Verb) String() string {
	if int(v) < len(verbNames) {
		return verbNames[v]
	}
	return fmt.Sprintf("verb(%d)", uint8(v))
}

// Act is one event at one instant.
type Act struct {
	At     int64 // µs of virtual time
	Verb   Verb
	Square legal.Square // Sense
	Piece  legal.Piece  // Sense
	Side   legal.Side   // clock verbs
	US     int64        // SetTime, AddTime, SetBonus
	Ref    int          // Cue
}

func (a Act) String() string {
	switch a.Verb {
	case Sense:
		seen := "-"
		if a.Piece != legal.NoPiece {
			seen = a.Piece.String()
		}
		return fmt.Sprintf("%d %s %s %s", a.At, a.Verb, a.Square, seen)
	case SetTime, AddTime, SetBonus:
		return fmt.Sprintf("%d %s %s %d", a.At, a.Verb, a.Side, a.US)
	case Cue:
		return fmt.Sprintf("%d %s %d", a.At, a.Verb, a.Ref)
	}
	return fmt.Sprintf("%d %s %s", a.At, a.Verb, a.Side)
}

// agenda holds the future acts, earliest first, equal times in the order in which they were planned.
type agenda struct {
	heap []planned
	seq  uint64
}

type planned struct {
	act Act
	seq uint64
}

func (p planned) before(q planned) bool {
	if p.act.At != q.act.At {
		return p.act.At < q.act.At
	}
	return p.seq < q.seq
}

func (g *agenda) add(acts []Act) {
	for _, a := range acts {
		g.push(planned{act: a, seq: g.seq})
		g.seq++
	}
}

func (g *agenda) push(p planned) {
	g.heap = append(g.heap, p)
	for i := len(g.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !g.heap[i].before(g.heap[up]) {
			break
		}
		g.heap[i], g.heap[up] = g.heap[up], g.heap[i]
		i = up
	}
}

func (g *agenda) next() int64 {
	if len(g.heap) == 0 {
		return never
	}
	return g.heap[0].act.At
}

func (g *agenda) pop() Act {
	first := g.heap[0].act
	last := len(g.heap) - 1
	g.heap[0] = g.heap[last]
	g.heap = g.heap[:last]
	for i := 0; ; {
		least := i
		for _, down := range [2]int{2*i + 1, 2*i + 2} {
			if down < last && g.heap[down].before(g.heap[least]) {
				least = down
			}
		}
		if least == i {
			return first
		}
		g.heap[i], g.heap[least] = g.heap[least], g.heap[i]
		i = least
	}
}

// keep drops future acts that are not wanted any more.
func (g *agenda) keep(wanted func(Act) bool) {
	old := g.heap
	g.heap = nil
	for _, p := range old {
		if wanted(p.act) {
			g.push(p)
		}
	}
}
