package play

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A ply is one step of a story's line. Lines share their beginnings.
type ply struct {
	prev    *ply
	move    legal.Move // NoMove for a step that no legal move makes
	uci     string
	side    legal.Side
	at      int64
	from    *node
	have    int // the image that showed the position before it
	n       int
	pressed bool
	shown   bool // without a clock: the position behind it stood on the board …
	grade   int  // … and for how long
}

func (l *ply) count() int {
	if l == nil {
		return 0
	}
	return l.n
}

// A Finding is a dear arc that a story took.
type Finding struct {
	Kind kinds.Kind
	Side legal.Side
	Ply  int
	At   int64 // of the press
	UCI  string
	Arcs []Arc // what the story rests on
	// Margin is by how much the cheapest story without it is dearer; set when it is told.
	Margin Cost
}

// basis is a position that play may go on from.
type basis struct {
	at    *node
	line  *ply
	have  int
	cost  Cost
	marks marks
}

// A pending offence is not settled: both futures are open.
type pending struct {
	bases []basis
	side  legal.Side
	image legal.Placement
}

// A Story is one course of play that the evidence could be telling. Stories are values: nothing in them is changed once they are kept, but
// their cost, which is taken relative to the best.
type Story struct {
	cost  Cost
	at    *node
	line  *ply
	have  int   // the image that showed the position
	since int64 // when its last press was completed; never: in doubt until a ply is pressed
	white Lever
	pend  *pending
	debts []debt
	marks marks
	left  marks      // what the newest image shows beyond the position, at the last press
	away  bool       // the lever has bounced and is not back
	open  []*Finding // found, and not decided yet
	fresh *Finding   // found at the last press
}

// key tells whether two stories go on alike.
type key struct {
	pos   uint64
	white Lever
	away  bool
	side  legal.Side
	image legal.Placement
	debts [2]debt
	open  [2]openKey
	n     int
}

type openKey struct {
	kind kinds.Kind
	side legal.Side
	at   int64
}

func (s *Story) key() (k key) {
	k.pos, k.white, k.away = s.at.pos.Key(), s.white, s.away
	if s.pend != nil {
		k.side, k.image = s.pend.side, s.pend.image
	}
	copy(k.debts[:], s.debts)
	for i, f := range s.open {
		if i < len(k.open) {
			k.open[i] = openKey{f.Kind, f.Side, f.At}
		}
		k.n++
	}
	return k
}

// sideOf is the player at a side of the clock.
func (s *Story) sideOf(l Lever) legal.Side {
	if l == s.white {
		return legal.White
	}
	return legal.Black
}

// found says whether the story holds an offence at the press of that time.
func (s *Story) found(at int64) *Finding {
	for _, f := range s.open {
		if f.At == at {
			return f
		}
	}
	return nil
}
