package detector

import (
	"strings"

	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file makes a ply of the record of something that was no legal move and that the opponent has answered.

// keepIllegalPlies is called before a move is committed: every illegal ply beneath it has been answered and is part of
// the game now.
func (t *Tracker) keepIllegalPlies() {
	first := len(t.g.nodes)
	for first > 1 && t.g.nodes[first-1].wrong.open() {
		first--
	}
	for i := first; i < len(t.g.nodes); i++ {
		if t.becamePromotion(i) {
			continue
		}
		at := &t.g.nodes[i]
		at.wrong.answered = true
		told := t.reportIllegalPly(i)
		if m, ok := t.g.nodes[i-1].pos.FindUCI(at.wrong.done.uci + "q"); ok && told && at.wrong.promo != legal.NoSquare {
			at.assumedPromotion = promotion{move: m, clock: at.wrong.done.clock, by: ByPress} // the pawn may still be exchanged
		}
		t.emit(Turn{
			Stamp: t.now, Game: t.games, What: RecordRebased, Side: at.pos.Turn(), Clock: t.c.Times(), Gained: -1,
			Ply: at.ply, Position: at.pos,
		})
		if !told {
			t.noteBreak("row.broken_position", &at.pos)
		}
	}
}

// becamePromotion makes the promotion of a pawn that was exchanged only after the press the move that led to node i:
// its finding stays (FIDE Laws 7.5.2), and the game has the piece that was put there.
func (t *Tracker) becamePromotion(i int) bool {
	at := &t.g.nodes[i]
	w, before := at.wrong, t.g.nodes[i-1].pos
	if w.promo == legal.NoSquare || w.done.side != before.Turn() || t.b.Readings[w.promo].Differs {
		return false
	}
	m, ok := play.OnePly(&before, &at.place)
	if !ok || m.To() != w.promo {
		return false
	}
	*at = node{pos: before.After(m), place: at.place, ply: at.ply, clock: w.done.clock, by: ByPress}
	t.emit(Moved{Stamp: t.now, Game: t.games, Ply: at.ply, Before: before, Move: m, Clock: at.clock, By: at.by, Differs: t.b.Differs()})
	return true
}

// reportIllegalPly reports a node as a ply. It returns false where the record does not know whose ply it was, or its
// finding has been withdrawn.
func (t *Tracker) reportIllegalPly(i int) bool {
	at := &t.g.nodes[i]
	w := &at.wrong
	if w.done.finding == "" || w.done.side != at.pos.Turn().Other() {
		return false
	}
	before := &t.g.nodes[i-1].place
	t.emit(IllegalMoveStands{
		Stamp: t.now, Game: t.games, Ply: at.ply, Side: w.done.side, UCI: w.done.uci, SAN: nameOf(before, w.done.uci), Finding: w.done.finding,
		After: at.pos, Clock: w.done.clock,
	})
	return true
}

// detachFinding removes a withdrawn finding from the ply that it was about.
func (t *Tracker) detachFinding(id string) {
	for i := range t.g.nodes {
		if w := &t.g.nodes[i].wrong; w.open() && w.done.finding == id {
			w.done.finding = ""
		}
	}
}

// correctWithdrawnPly corrects a ply whose finding has been withdrawn after it had become one. It is reported again as
// the legal move that it was, if the plies since lead from exactly one such move to the board; or else as a ply of
// which only the resulting board is known. Then nothing is judged by the record until the players have gone on from the
// present board.
func (t *Tracker) correctWithdrawnPly(id string) {
	for i := range t.g.nodes {
		w := &t.g.nodes[i].wrong
		if i == 0 || !w.answered || w.done.finding != id {
			continue
		}
		w.done.finding = ""
		if t.wasLegal(i) {
			return
		}
		at := &t.g.nodes[i]
		t.emit(IllegalMoveStands{Stamp: t.now, Game: t.games, Ply: at.ply, Side: w.done.side, After: at.pos, Clock: w.done.clock, Corrects: true})
		if base := t.g.last(); base.place != t.b.Live {
			t.mayPlayOnFrom(t.b.Live, base.pos.Turn(), 0)
		}
		return
	}
}

// wasLegal corrects the ply that led to node i, and the positions since. It returns false unless exactly one legal move
// fits.
func (t *Tracker) wasLegal(i int) bool {
	line, fits := []node(nil), 0
	play.AnyMove(&t.g.nodes[i-1].pos, func(m legal.Move) bool {
		if row, ok := t.lineFrom(i, m); ok {
			line = row
			fits++
		}
		return fits > 1
	})
	if fits != 1 {
		return false
	}
	t.note("move_corrected", words.Say("row.move_corrected"))
	before, clock := t.g.nodes[i-1].pos, t.g.nodes[i].wrong.done.clock
	copy(t.g.nodes[i:], line)
	m, _ := play.OnePly(&before, &line[0].place)
	t.emit(Moved{Stamp: t.now, Game: t.games, Ply: line[0].ply, Before: before, Move: m, Clock: clock, By: ByPress, Corrects: true})
	t.b.Clear()
	t.fault = fault{}
	return true
}

// lineFrom returns the nodes from i on, if m led to node i and the plies since were the same; ok reports whether they
// lead to the board.
func (t *Tracker) lineFrom(i int, m legal.Move) (line []node, ok bool) {
	pos := t.g.nodes[i-1].pos.After(m)
	line = append(line, node{pos: pos, place: pos.Placement(), ply: t.g.nodes[i].ply})
	for k := i + 1; k < len(t.g.nodes); k++ {
		at := &t.g.nodes[k]
		r, legally := play.OnePly(&t.g.nodes[k-1].pos, &at.place)
		if at.wrong.on || !legally {
			return nil, false
		}
		if r, legally = pos.FindUCI(t.g.nodes[k-1].pos.UCI(r)); !legally {
			return nil, false
		}
		pos = pos.After(r)
		line = append(line, node{pos: pos, place: pos.Placement(), ply: at.ply})
	}
	return line, line[len(line)-1].place == t.b.Live
}

// isMove reports whether a kind is about a move, legal or not, and not about pieces that were displaced by accident.
func isMove(kind kinds.Kind) bool { return kind.Illegal() || kind == kinds.OutOfTurn }

// castlingName returns the name of a castling in which the king crosses the given number of files.
func castlingName(files int) string {
	if files > 0 {
		return "O-O"
	}
	return "O-O-O"
}

// nameOf writes an illegal move as standard notation would write a legal one: which piece, whether it captured, and
// where it went.
func nameOf(before *legal.Placement, uci string) string {
	if len(uci) < 4 {
		return ""
	}
	from, ok1 := legal.ParseSquare(uci[:2])
	to, ok2 := legal.ParseSquare(uci[2:4])
	if !ok1 || !ok2 || before[from] == legal.NoPiece {
		return ""
	}
	piece, files := before[from], to.File()-from.File()
	if piece.Kind() == legal.King && (before[to] == legal.PieceOf(piece.Side(), legal.Rook) || files*files == 4 && from.Rank() == to.Rank()) {
		return castlingName(files)
	}
	name := strings.ToUpper(piece.String())
	if piece.Kind() == legal.Pawn {
		if name = ""; files != 0 {
			name = uci[:1]
		}
	}
	if before[to] != legal.NoPiece || piece.Kind() == legal.Pawn && files != 0 {
		name += "x"
	}
	if name += uci[2:4]; len(uci) > 4 {
		name += "=" + strings.ToUpper(uci[4:5])
	}
	return name
}
