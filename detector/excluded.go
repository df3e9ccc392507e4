package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file excludes plies that the board seems to show, because presses that nothing explained speak against them. In
// a recording without requested dumps a lost report stays lost: a press completes a ply of which a square is missing,
// and a later ply seems to fill the square in. Such plies were never played, and what was played is not known.

// takenUnread reports whether a piece that was off the board at its player's press could have gone to several squares,
// and nothing but its capture speaks for the one of m: it was never read there.
func (t *Tracker) takenUnread(m, r legal.Move) bool {
	base := t.g.last()
	if !t.p.Passive || !t.alt.on || r.Victim() != m.To() {
		return false
	}
	place := play.PlacementAfter(base.place, m)
	return t.b.Placed(m.To(), place[m.To()]) == nil && play.AnyMove(&base.pos, func(o legal.Move) bool {
		return o.From() == m.From() && o.To() != m.To()
	})
}

// pressedSince reports whether both players have pressed since the last ply, and the opponent's piece was put down
// before that of m: the press of s completes a later ply than m.
func (t *Tracker) pressedSince(m, r legal.Move) bool {
	return t.p.Passive && t.alt.presses >= bothPressed && t.putAfter(m, r)
}

// notePress keeps when a press was reported that nothing has explained.
func (b *branch) notePress(before []int64, at int64) {
	b.times = append(before[max(0, len(before)-maxTimes+1):len(before):len(before)], at)
}

// maxTimes bounds the presses whose times are kept.
const maxTimes = 64

// pressesBetween returns the number of unexplained presses that were reported after one time and before another.
func (t *Tracker) pressesBetween(from, to int64) (n int) {
	for _, at := range t.alt.times {
		if from < at && at < to {
			n++
		}
	}
	return n
}

// An outran counts the plies that the board seems to show, and finds the first one before which more presses were
// reported than plies were made. One press more may be a late one.
type outran struct {
	*Tracker
	from  int64 // when the counting begins
	plies int   // the plies whose presses are expected since then
}

// next takes a step and reports whether more presses came before it than plies.
func (o *outran) next(s *play.Step) bool {
	if s.Broken {
		o.from, o.plies = s.At, 1
		return false
	}
	more := o.p.Passive && o.pressesBetween(o.from, s.At) > o.plies+1
	o.plies++
	return more
}
