package detector

import (
	"slices"

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
	if ok && sh.Kind.Illegal() && (t.surplus(&sh, v) || t.legalOtherwise(&sh, v) || t.pushedBefore(&sh, v)) {
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
	if v.Pos != &base.pos || len(sh.UCI) != len("e2e4") || t.turnSince == 0 {
		return false
	}
	from, _ := legal.ParseSquare(sh.UCI[:2])
	for i := range v.Changes {
		c := &v.Changes[i]
		if c.Is != base.place[from] || base.place[c.Square] != legal.NoPiece || c.Window.Hi > t.turnSince || c.FromDump {
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
