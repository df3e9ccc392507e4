package detector

import "boardwatchd/rules/legal"

// After an illegal move two futures are open: it is restored, or the opponent plays on from it. This file recognises the
// first, and the step into the second.

// beneath returns the last good position while something wrong stands on top of it.
func (t *Tracker) beneath() (*node, bool) {
	n := len(t.g.nodes)
	if n < 2 || !t.g.nodes[n-1].wrong.open() {
		return nil, false
	}
	return &t.g.nodes[n-2], true
}

// judgeRestored explains a press by the player who erred, or by his opponent, when the last good position has been set up
// again.
func (t *Tracker) judgeRestored(s legal.Side, at int64, final bool) bool {
	good, ok := t.beneath()
	if !ok {
		return false
	}
	if s != good.pos.Turn() {
		if good.place != t.b.live {
			return false
		}
		t.putBack()
		t.emitPress(s, "ok_late") // the pieces are back, and so is the move
		return true
	}
	m, ok := onePly(&good.pos, &t.b.live)
	if !ok {
		return false
	}
	if !final && t.stillMoving(&good.pos, m, at) {
		return false
	}
	t.putBack()
	t.emitPress(s, "ok_restored")
	t.commit(m, ByPress, -1)
	return true
}

// judgePutRight explains a press by two legal plies from the last good position: the player put his illegal move right
// while the opponent's clock ran, and the opponent has answered.
func (t *Tracker) judgePutRight(s legal.Side) bool {
	good, ok := t.beneath()
	if !ok || s == good.pos.Turn() {
		return false
	}
	pos := good.pos
	m, r, doubt, ok := t.bestPair(&pos)
	if !ok {
		return false
	}
	t.putBack()
	t.doubt(doubt)
	t.emitPress(s, "ok")
	t.commit(m, ByReply, -1)
	t.commit(r, ByPress, -1)
	return true
}

// putBack drops what was wrong: the last good position stands again.
func (t *Tracker) putBack() {
	t.g.nodes = t.g.nodes[:len(t.g.nodes)-1]
	t.replyTold = false
	t.turn(PutBack, t.g.last().pos.Turn())
}

// letStand is called before a move is committed: if something wrong stands beneath it, it has been answered and is the
// game now.
func (t *Tracker) letStand() {
	top := t.g.last()
	if !top.wrong.open() {
		return
	}
	top.wrong.stays = true
	t.emit(Turn{
		Stamp: t.now, Game: t.games, What: RecordRebased, Side: top.pos.Turn(), Clock: t.c.times(), Gained: -1,
		Ply: top.ply, Position: top.pos,
	})
	t.note("record_broken", "the game goes on from a position that the recorded moves do not lead to: "+top.pos.FEN())
}

// promoted takes over the piece that was put on the promotion square after the press.
func (t *Tracker) promoted() {
	top := t.g.last()
	sq := top.wrong.promo
	if !top.wrong.open() || sq == legal.NoSquare {
		return
	}
	p := t.b.live[sq]
	if p == top.place[sq] || p.Side() != top.pos.Turn().Other() || p.Kind() == legal.Pawn || p.Kind() == legal.King {
		return
	}
	place := top.place
	place[sq] = p
	s := top.pos.Setup()
	s.Placement = place
	if pos, err := s.Standing(); err == nil {
		top.pos, top.place = pos, place
	}
}
