package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file handles pieces that came or went unseen: one that was captured and laid down on the board, one that fell,
// one on a square that reads empty. A move that is illegal only because such a piece is, or is not, where it reads
// accuses nobody.

// recognise returns what the checks recognise in a view, unless such a piece may make it a legal move.
func (t *Tracker) recognise(v *offence.View) (offence.Shape, bool) {
	sh, ok := offence.Classify(v)
	if ok && sh.Kind.Illegal() && (t.surplus(&sh, v) || t.legalOtherwise(&sh, v) || t.pushedBefore(&sh, v) || t.gone(&sh, v) || t.legalBeside(&sh, v)) {
		return offence.Shape{}, false
	}
	return sh, ok
}

// surplus reports whether the board shows a piece that can have come from nowhere: now, or in a position after plies
// that are not known, if it is still there.
func (t *Tracker) surplus(sh *offence.Shape, v *offence.View) bool {
	if sh.Kind == kinds.IllegalPromoTwo {
		return false
	}
	base := &t.g.last().place
	set := play.Surplus(base, &v.At) | play.Surplus(base, &t.b.Live)
	for i := 1; i < len(t.g.nodes) && set == 0; i++ {
		now := &t.g.nodes[i].place
		set = play.Surplus(&t.g.nodes[i-1].place, now) &^ play.Difference(now, base)
	}
	return set != 0
}

// recordedTwice are the squares of the pieces of which the record has more than there can be, since a position that the
// game went on from after plies that are not known: it is not reported that one of them has left its square, or it was
// captured and laid there.
func (t *Tracker) recordedTwice() (set uint64) {
	base := &t.g.last().place
	for i := 1; i < len(t.g.nodes) && set == 0; i++ {
		was, now := &t.g.nodes[i-1].place, &t.g.nodes[i].place
		for more := play.Surplus(was, now); more != 0; more &= more - 1 {
			if p := now[play.Lowest(more)]; play.CountOf(base, p) > play.CountOf(was, p) {
				for sq := range base {
					if base[sq] == p {
						set |= 1 << sq
					}
				}
			}
		}
	}
	return set
}

// leaveOutTwice goes on from the position without a piece of which the record has more than there can be, where the
// press of s is explained by a legal move from there, by that of one of them alone, and by none from the record.
func (t *Tracker) leaveOutTwice(s legal.Side) {
	base := t.g.last()
	if !t.p.Passive || base.pos.Turn() != s || base.wrong.on {
		return // where dumps are asked for they tell more
	}
	set := t.recordedTwice()
	if set == 0 {
		return
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		return
	}
	var without legal.Position
	found := legal.NoSquare
	for ; set != 0; set &= set - 1 {
		place := base.place
		place[play.Lowest(set)] = legal.NoPiece
		pos, ok := t.standing(&base.pos, place, s)
		if !ok {
			continue
		}
		if _, ok = play.OnePly(&pos, &t.b.Live); !ok {
			continue
		}
		if found != legal.NoSquare {
			return
		}
		without, found = pos, play.Lowest(set)
	}
	if found == legal.NoSquare {
		return
	}
	base.pos, base.place = without, without.Placement()
	t.b.AssumeAtStart(found, legal.NoPiece)
	t.noteBreak("row.broken_piece", &without)
}

// legalOtherwise reports whether the move would be legal without a piece that came to its square in plies that are not
// known, or with a piece that such plies have taken off the board, on a square that reads empty: between the king and
// the piece that checks it, or where a pawn captures.
func (t *Tracker) legalOtherwise(sh *offence.Shape, v *offence.View) bool {
	base := t.g.last()
	if v.Pos != &base.pos || len(sh.UCI) < len("e2e4") {
		return false
	}
	came, gone := t.notSeen()
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		place := base.place
		if place[sq] != legal.NoPiece {
			place[sq] = legal.NoPiece
			if came>>sq&1 != 0 && t.legalOn(&place, sh.UCI) {
				return true
			}
			continue
		}
		for _, p := range gone {
			place[sq] = p
			if t.legalOn(&place, sh.UCI) {
				return true
			}
		}
	}
	return false
}

// pushedBefore reports whether the piece was on another square when the opponent pressed, who may have pushed it there,
// and the move is legal from that square.
func (t *Tracker) pushedBefore(sh *offence.Shape, v *offence.View) bool {
	base := t.g.last()
	if v.Pos != &base.pos || len(sh.UCI) != len("e2e4") || t.turnPressedAt == 0 {
		return false
	}
	from, _ := legal.ParseSquare(sh.UCI[:2])
	for i := range v.Changes {
		c := &v.Changes[i]
		if c.Is != base.place[from] || base.place[c.Square] != legal.NoPiece || c.Window.Hi > t.turnPressedAt || c.FromDump {
			continue
		}
		place := base.place
		place[from], place[c.Square] = legal.NoPiece, c.Is
		if t.legalOn(&place, c.Square.String()+sh.UCI[2:]) {
			return true
		}
	}
	return false
}

// gone reports whether the piece had left the square of the move before the opponent's last move: it was moved, or
// pushed, in an earlier turn, and it is unknown where it came from in this one.
func (t *Tracker) gone(sh *offence.Shape, v *offence.View) bool {
	if v.Pos != &t.g.last().pos || len(sh.UCI) < len("e2e4") {
		return false
	}
	from, _ := legal.ParseSquare(sh.UCI[:2])
	return t.turn.goneBefore>>from&1 != 0
}

// goneBefore returns the squares that pieces of the other side had left, among the first n changes, before the move m
// was begun, or had left for another square before it was done.
func (t *Tracker) goneBefore(m legal.Move, n int) (set uint64) {
	base := t.g.last()
	place := play.PlacementAfter(base.place, m)
	own := play.Difference(&base.place, &place)
	if n < 0 {
		n = len(t.b.Changes)
	}
	now, list := t.b.After(n), t.b.Changes[:n]
	begun := slices.IndexFunc(list, func(c evidence.Change) bool { return own>>c.Square&1 != 0 })
	done := begun
	for i := range list {
		if c := &list[i]; c.Square == m.To() && c.Is == place[m.To()] {
			done = i
		}
	}
	for i := range max(done, 0) {
		c := &list[i]
		if c.Is != legal.NoPiece || c.Was != base.place[c.Square] || c.Was.Side() != base.pos.Turn().Other() || now[c.Square] != legal.NoPiece {
			continue
		}
		put := func(o evidence.Change) bool { return o.Is == c.Was && o.Square != c.Square }
		if i < begun || slices.ContainsFunc(list[i:done], put) {
			set |= 1 << c.Square
		}
	}
	return set
}

// legalBeside reports whether the board also shows a legal move of the same player, on other squares, each as that move
// leaves it; its piece may have been in the hand at the press. Two pieces were moved, and one of them by accident. King
// and rook do not count as two moves.
func (t *Tracker) legalBeside(sh *offence.Shape, v *offence.View) bool {
	if sh.Side != v.Pos.Turn() || len(sh.UCI) < len("e2e4") {
		return false
	}
	from, _ := legal.ParseSquare(sh.UCI[:2])
	to, _ := legal.ParseSquare(sh.UCI[2:4])
	base := v.Pos.Placement()
	return base[from].Kind() != legal.King && play.AnyMove(v.Pos, func(m legal.Move) bool {
		place := play.PlacementAfter(base, m)
		own := play.Difference(&base, &place)
		switch {
		case own&(1<<from|1<<to) != 0:
			return false
		case own&play.Difference(&place, &v.At) == 0:
			return true
		}
		return v.At[m.From()] == legal.NoPiece && own&play.Difference(&place, &t.b.Live) == 0
	})
}

// notSeen returns the squares of pieces that came in plies that are not known, and the kinds of pieces that went in
// such plies, once each. Pieces on whose squares the opponent's pieces are now were captured and do not count.
func (t *Tracker) notSeen() (came uint64, gone []legal.Piece) {
	base := &t.g.last().place
	for i := 1; i < len(t.g.nodes); i++ {
		n := &t.g.nodes[i]
		if n.unseen == 0 {
			continue
		}
		was := &t.g.nodes[i-1].place
		came |= play.Difference(was, &n.place) &^ play.Difference(&n.place, base)
		var lost [legal.BlackKing + 1]int
		for sq, p := range was {
			if n.place[sq].Side() != p.Side().Other() {
				lost[p]++
			}
			lost[n.place[sq]]--
		}
		for p := legal.WhitePawn; p <= legal.BlackKing; p++ {
			if lost[p] > 0 && !slices.Contains(gone, p) {
				gone = append(gone, p)
			}
		}
	}
	return came, gone
}

// legalOn reports whether a move is legal on another placement, with the same player to move.
func (t *Tracker) legalOn(place *legal.Placement, uci string) bool {
	base := t.g.last()
	pos, ok := t.standing(&base.pos, *place, base.pos.Turn())
	if ok {
		_, ok = pos.FindUCI(uci)
	}
	return ok
}
