package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// forced follows ALL play from a position to its ends: mate, stalemate, a dead position, or a draw by seventy-five
// moves. It succeeds only if all play ends within maxForced half-moves, and gives up as soon as play branches out or
// repeats.
//
// The proof: settle returns true for a position only if it is such an end, or if it returned true for the positions
// after every legal move. If a position occurs again while it is being examined, settle gives up, so the settled
// positions have no cycle, and every line is one of those that were followed. Positions are identified by key and, if
// 9.6.2 is within reach, by the half-move counter too.
type forced struct {
	pos   legal.Position
	asked legal.Side // the side whose mates are sought; NoSide: both
	brief bounds
	walls *mobility // for questions about walls after captures and pawn moves; nil: none
	near  bool      // 9.6.2 is within reach
	sound bool      // the side not to move is not in check at the root

	ends      ForcedEnds
	nodes     int
	positions int // positions examined
	mated     int // half-moves to a mate by the asked side, at the end of path; -1: none was met

	lists [maxForced + 1]legal.MoveList
	path  [maxForced]legal.Move
	seen  settledSet
}

// ForcedEnds counts the positions in which play ends where every line was followed.
type ForcedEnds struct {
	White, Black int // mates by that side
	Stalemate    int
	Dead         int // no side that was asked about can mate, by material or walls
	Late         int // a draw by the 75-move rule (9.6.2)
}

// maxForced is the longest line that is followed. In 67,789 real draws no forced line was longer than 8 (unwinnability
// notes, 2.4).
const maxForced = 16

// bounds limits the work of forced.
type bounds struct {
	nodes int // positions looked at
	width int // the product of the numbers of moves on one line
}

// briefBounds are for every question: a position with free play gives up after three or four moves. widerBounds are for
// a question that the quick walk could not answer.
var (
	briefBounds = bounds{nodes: 128, width: 400}
	widerBounds = bounds{nodes: 1000, width: 1 << 30}
)

// follow reports whether all play from the position ends; it counts the ends.
func (f *forced) follow(pos *legal.Position, asked legal.Side, b bounds, walls *mobility) bool {
	f.pos, f.asked, f.brief, f.walls = *pos, asked, b, walls
	f.near = pos.HalfMoves()+maxForced >= lastHalfMove
	f.sound = !inCheckOutOfTurn(pos)
	f.ends, f.nodes, f.positions, f.mated = ForcedEnds{}, 0, 0, -1
	f.seen.forget(2 * b.nodes)
	_, ok := f.settle(0, 1, false)
	return ok
}

// key identifies the current position.
func (f *forced) key() uint64 {
	if f.near {
		return f.pos.Key() ^ uint64(f.pos.HalfMoves())*0x9E3779B97F4A7C15
	}
	return f.pos.Key()
}

// settle follows all play from the current position; height is the longest that it can last. Built is true if the last
// move captured, moved a pawn or answered a check, so that there may be new walls: a king may have been driven behind
// one.
func (f *forced) settle(ply, width int, built bool) (height int, ok bool) {
	at, known := f.seen.find(f.key())
	if known {
		s := &f.seen.slots[at]
		return int(s.height), s.height != beingSettled
	}
	if f.nodes++; f.nodes > f.brief.nodes {
		return 0, false
	}
	f.positions++
	f.seen.put(at, f.key())
	list := &f.lists[ply]
	f.pos.Moves(list)
	best := legal.NoMove
	if !f.ended(ply, list.Len(), built) {
		if width *= list.Len(); f.mated >= 0 || ply == maxForced || width > f.brief.width {
			return 0, false
		}
		for _, m := range list.Slice() {
			h, ok := f.try(m, ply, width)
			if !ok {
				return 0, false
			}
			if h+1 > height {
				height, best = h+1, m
			}
		}
	}
	f.seen.settle(f.key(), height, best)
	return height, true
}

func (f *forced) try(m legal.Move, ply, width int) (height int, ok bool) {
	var undo legal.Undo
	built := f.walls != nil && (resets(&f.pos, m) || f.pos.InCheck())
	f.path[ply] = m
	f.pos.Make(m, &undo)
	height, ok = f.settle(ply+1, width, built)
	f.pos.Unmake(m, &undo)
	return height, ok
}

// ended counts the current position if it is an end. Material and walls are considered only in positions to which a
// legal move has led, or might have.
func (f *forced) ended(ply, moves int, built bool) bool {
	mate := moves == 0 && f.pos.InCheck()
	switch {
	case mate && f.asked == f.pos.Turn().Other():
		f.mated = ply
		return false
	case mate && f.pos.Turn() == legal.Black:
		f.ends.White++
	case mate:
		f.ends.Black++
	case moves == 0:
		f.ends.Stalemate++
	case f.pos.HalfMoves() >= lastHalfMove:
		f.ends.Late++
	case (ply > 0 || f.sound) && f.barren(), built && f.walled():
		f.ends.Dead++
	default:
		return false
	}
	return true
}

// walled reports whether walls keep every side that is asked about from mating.
func (f *forced) walled() bool {
	if f.walls == nil || f.nodes+proofPrice > f.brief.nodes {
		return false
	}
	f.nodes += proofPrice
	for side := legal.White; side <= legal.Black; side++ {
		if f.asked != side.Other() && !f.walls.walls(&f.pos, side) {
			return false
		}
	}
	return true
}

// barren reports whether no side that is asked about can mate with its pieces.
func (f *forced) barren() bool {
	mat := materialOf(&f.pos)
	return (f.asked == legal.Black || mat.barren(legal.White)) && (f.asked == legal.White || mat.barren(legal.Black))
}

// longest is the longest line that was followed.
func (f *forced) longest(pos *legal.Position) []legal.Move {
	f.pos = *pos
	line := []legal.Move{}
	for {
		at, known := f.seen.find(f.key())
		if !known || f.seen.slots[at].best == legal.NoMove {
			return line
		}
		m := f.seen.slots[at].best
		line = append(line, m)
		f.pos = f.pos.After(m)
	}
}

// settledSet holds the results for the positions that were examined; it is emptied like visits.
type settledSet struct {
	slots []settled // a power of two of them, never full
	age   uint32
}

type settled struct {
	key    uint64
	age    uint32
	best   legal.Move // the first move of a longest line
	height int16
}

const beingSettled = -1

// forget empties the set and makes room for this many positions.
func (s *settledSet) forget(room int) {
	room = max(room, 1)
	if s.age++; s.age == 0 || len(s.slots) < room {
		s.slots, s.age = make([]settled, 1<<bits.Len(uint(room-1))), 1
	}
}

// find returns the index of the key, or the one where it would be put.
func (s *settledSet) find(key uint64) (at int, known bool) {
	mask := uint64(len(s.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		if x := &s.slots[i]; x.age != s.age {
			return int(i), false
		} else if x.key == key {
			return int(i), true
		}
	}
}

func (s *settledSet) put(at int, key uint64) {
	s.slots[at] = settled{key: key, age: s.age, height: beingSettled}
}

func (s *settledSet) settle(key uint64, height int, best legal.Move) {
	at, _ := s.find(key)
	s.slots[at].height, s.slots[at].best = int16(height), best
}
