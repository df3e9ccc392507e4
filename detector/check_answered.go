package detector

import "boardwatchd/rules/legal"

// The opponent answers before the press, or before its report: up to a second. What the press shows is then an offence and
// the reply to it, whole or begun. The board as it stood between the two is looked for; it must have stood still, or be the
// only one that explains what stands now.
//
// Innocent look-alikes: a legal move and its reply; a man who was put on an illegal square on his way, and is not there now.

func seeAnswered(v *view) (shape, bool) {
	var best shape
	var longest int64 = -1
	several := false
	board := v.origin
	for i := 0; i+1 < len(v.changes); i++ {
		board[v.changes[i].sq] = v.changes[i].is
		if !v.repliedOver(&board) {
			continue
		}
		s, ok := v.offenceThen(board, i)
		if !ok {
			continue
		}
		if longest >= 0 && (s.kind != best.kind || s.uci != best.uci || s.reply != best.reply) {
			several = true
		}
		if stood := v.stood(i); stood > longest {
			best, longest = s, stood
		}
	}
	switch {
	case longest < 0, several:
		return shape{}, false
	case longest < stillUS && best.squares&difference(&best.board, &v.at) != 0:
		return shape{}, false // the reply took the man who had just come: it may have been on its way only
	}
	return best, true
}

// repliedOver says that from this board to the one at the press only the opponent's turn can lie.
func (v *view) repliedOver(board *legal.Placement) bool {
	diff := difference(board, &v.at)
	if n := squares(diff); n == 0 || n > 4 {
		return false
	}
	for ; diff != 0; diff &= diff - 1 {
		sq := lowest(diff)
		if v.at[sq].Side() == v.mover() {
			return false
		}
	}
	return true
}

// offenceThen says what the board showed after the i-th change, if that is an offence and the rest is the reply to it.
func (v *view) offenceThen(board legal.Placement, i int) (shape, bool) {
	w := *v
	w.at, w.changes, w.later, w.final = board, v.changes[:i+1], nil, true
	if !w.prepare() {
		return shape{}, false
	}
	for _, c := range offences {
		s, ok := c.see(&w)
		if !ok {
			continue
		}
		if s.kind[:8] != "illegal." {
			return shape{}, false
		}
		return w.answeredBy(s, &v.at)
	}
	return shape{}, false
}

// answeredBy adds the reply, which is played to the board as it stood: a pawn that was not exchanged is still a pawn.
func (v *view) answeredBy(s shape, at *legal.Placement) (shape, bool) {
	setup, ok := v.made(&s.board)
	if !ok {
		return shape{}, false
	}
	pos, err := setup.Standing()
	if err != nil {
		return shape{}, false
	}
	if s.reply, s.answered = onePly(&pos, at); s.answered {
		return s, true
	}
	return s, inProgress(&s.board, at, pos.Turn())
}
