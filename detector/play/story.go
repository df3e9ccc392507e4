package play

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A ply is one step of a story's line. Lines share their beginnings.
type ply struct {
	prev    *ply
	move    legal.Move // NoMove for a step that no legal move makes
	fen     string     // without a clock: the position after plies that are not known
	side    legal.Side
	at      int64
	from    *node
	have    int // the image that showed the position before it
	n       int
	pressed bool
	shown   bool // without a clock: an image showed the position after it
	grade   int  // the grade of the image that showed the position after it
}

func (l *ply) Count() int {
	if l == nil {
		return 0
	}
	return l.n
}

// list returns the line from its beginning.
func (l *ply) list() []*ply {
	list := make([]*ply, l.Count())
	for i := len(list) - 1; l != nil && i >= 0; i-- {
		list[i] = l
		l = l.prev
	}
	return list
}

// basis is a position that play may go on from.
type basis struct {
	at    *node
	line  *ply
	have  int
	cost  Cost
	marks marks
}

// A story is one course of play that can explain the evidence.
type story struct {
	cost  Cost
	at    *node
	line  *ply
	have  int // the image that showed the position
	marks marks
	left  marks           // what the newest image shows beyond the position
	kind  kinds.Kind      // the offence that the press completed, or ""
	act   legal.Placement // the board that the offence left
}

// A key identifies stories with the same conclusion.
type key struct {
	pos  uint64
	kind kinds.Kind
	act  legal.Placement
}

// distinct keeps the cheapest of equal stories.
func distinct(sorted []*story) []*story {
	seen := make(map[key]bool, len(sorted))
	kept := sorted[:0]
	for _, st := range sorted {
		if k := (key{st.at.pos.Key(), st.kind, st.act}); !seen[k] {
			seen[k] = true
			kept = append(kept, st)
		}
	}
	return kept
}
