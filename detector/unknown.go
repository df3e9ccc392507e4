package detector

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A press shows a quiet, readable board that no legal play and no check explains. That it is not legal is certain, what
// was done is not known: the arbiter is told which squares differ, and nobody is named but who pressed (laws notes 1.4,
// sensor.unknown). It is withdrawn when the game goes on by legal moves from the position before.
//
// Innocent look-alikes, which are not reported: a piece in the hand or not read; reports that were lost or damaged; a
// scramble; a press after another one that nothing explained; moves and replies of which some were not pressed.

// quietUS is how long the board must have stood as the press left it.
const quietUS = 600_000

// unexplained returns the finding for the waiting press, if all that is needed to tell it is known.
func (t *Tracker) unexplained(s legal.Side) (Found, bool) {
	v := t.viewAtPress(s, true)
	if !t.allReported() || !t.turnCertain(s) || !t.stoodQuiet(&v, s) || v.scramble(s) {
		return Found{}, false
	}
	v.base = v.pos.Placement()
	v.diff = difference(&v.base, &v.at)
	if v.diff == 0 {
		return Found{}, false // nothing has moved: see nothingMovedRows
	}
	if king := v.pos.KingSquare(s); t.movedHome && v.at[king] != v.base[king] {
		return Found{}, false // he may have the right to castle
	}
	if !v.allThere(s, t.b.verified >= t.pend.at) && !t.lies(&v) || t.playable(&v) {
		return Found{}, false
	}
	sh := v.shapeOf(kinds.NotUnderstood, rules.Certain, v.diff)
	sh.reason = words.Say("why.unknown", v.differing())
	return t.found(&sh, &v), true
}

// allReported says that no report is missing and every piece is read.
func (t *Tracker) allReported() bool {
	return !t.noisy && !t.sync.lost && !t.b.folded && !t.b.unreadable && t.b.doubt == 0 && t.trusted(t.pend.at)
}

// turnCertain says that it was the turn of the player who pressed, and that the record is what is played from.
func (t *Tracker) turnCertain(s legal.Side) bool {
	base := t.g.last()
	open := base.wrong.open() || t.alt.on || t.paused() || t.doubtful() || t.movesUntilTrusted > 0
	return !open && t.c.player(t.pend.side) == s && s == base.pos.Turn() && len(t.line) == 0
}

// stoodQuiet says that the board has kept still as the press left it, until now or until the opponent began to move.
func (t *Tracker) stoodQuiet(v *view, s legal.Side) bool {
	if v.at == t.b.live {
		return t.now.At-t.b.lastAt >= quietUS
	}
	if len(v.changes) == 0 || len(v.later) == 0 || v.later[0].win.Hi-v.changes[len(v.changes)-1].win.Hi < quietUS {
		return false
	}
	for i := range v.later {
		if v.later[i].is.Side() == s {
			return false
		}
	}
	return true
}

// lies says that pieces which are not read lie where they fell, and are in nobody's hand: the board has been read since
// the press as it left it, and has kept still for longer than a hand holds a piece.
func (t *Tracker) lies(v *view) bool {
	return v.at == t.b.live && t.b.verified >= t.pend.at && t.now.At-t.b.lastAt >= lyingUS
}

// lyingUS is how long pieces that are not read must have lain.
const lyingUS = 1_500_000

// allThere says that every piece is read somewhere: no fewer of the player's than before, and of the opponent's at most
// one, captured. A piece too many is believed where a dump has shown it; else the report of a lift may be lost.
func (v *view) allThere(s legal.Side, dumped bool) bool {
	was, is := play.BySide(&v.base), play.BySide(&v.at)
	o := s.Other()
	return is[s] >= was[s] && is[o] >= was[o]-1 && (dumped || is[s] == was[s] && is[o] <= was[o])
}

// playable says that a few legal plies lead to the board, seen or not, or lead to it with the next one begun.
func (t *Tracker) playable(v *view) bool {
	for d := 2; d <= maxUnpressed; d++ {
		if canBePlies(v.pos, &v.at, d, ^t.b.touched()) {
			return true
		}
	}
	return v.begunAfter(1) || v.begunAfter(2)
}

// begunAfter says that the board shows depth legal plies and then a turn begun: not by what changed before the last
// of them was made.
func (v *view) begunAfter(depth int) bool {
	return slices.ContainsFunc(pliesThenBegun(v.pos, &v.at, depth, maxBegun), func(row []legal.Move) bool {
		before := after(*v.pos, row[:depth-1])
		end := after(before, row[depth-1:])
		was, is := before.Placement(), end.Placement()
		last, begun := difference(&was, &is), difference(&is, &v.at)
		for i := len(v.changes) - 1; i >= 0; i-- {
			switch sq := uint64(1) << v.changes[i].sq; {
			case begun&sq != 0:
				return true
			case last&sq != 0:
				return false
			}
		}
		return true
	})
}

// maxBegun is how many rows are looked at after which a turn may have begun.
const maxBegun = 16

// maxUnpressed is how many plies are looked for that nobody pressed.
const maxUnpressed = 4

// differing names the squares, what stood there and what stands there.
func (v *view) differing() words.Sentence {
	var list []words.Sentence
	for set := v.diff; set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		list = append(list, words.Say("why.square", sq, pieceOn(v.at[sq]), pieceOn(v.base[sq])))
	}
	return words.List(", ", list)
}

func pieceOn(p legal.Piece) words.Sentence {
	if p == legal.NoPiece {
		return words.Say("stands.nothing")
	}
	return words.Say("stands."+p.Side().String(), p.Kind())
}

// dropUnexplained withdraws it: legal moves go on from the position before.
func (t *Tracker) dropUnexplained() {
	t.withdraw(&t.strange, words.Say("withdrawn.goes_on"))
}

// withdraw drops what was found, if anything was, and forgets it.
func (t *Tracker) withdraw(f *Found, why words.Sentence) {
	if was := *f; was.ID != "" {
		*f = Found{}
		t.drop(was, why)
	}
}
