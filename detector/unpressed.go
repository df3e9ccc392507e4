package detector

import (
	"slices"

	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// Plies whose presses were forgotten, swallowed by the clock, or merged with another one stand on the board when the
// next press comes. Each was seen to stand there. The press completes the last ply of the player who pressed; those
// before it were completed by the replies (FIDE Laws 6.2.1.2).
//
// Time tells them from a scramble, where reports of presses are late and each press completes its own move: a report
// comes at most two seconds late (measured; twice Params.ClockLagUS), so a ply that stood before that has no press that
// could still be on its way.

// catchUpTo commits the plies that stood on the board, one after the other, before the press could be made whose report
// has come, and that no press completed. What the press itself completes is judged from there.
func (t *Tracker) catchUpTo(s legal.Side, at int64) {
	if !t.historyKnown() {
		return
	}
	base := t.g.last()
	if !t.anyPlyStood(at - t.lag(2, at)) {
		return // the usual case, and a cheap answer
	}
	list := t.explanations(&base.pos, s, at, t.merged(at), t.usualUS(0))
	if len(list) == 0 {
		return
	}
	best := &list[0]
	n := unpressedOf(best)
	if n == 1 && best.Kind == "" && (s == base.pos.Turn() || best.Cost > dearPly) || !t.answered(best, n, at) {
		return
	}
	if stood := t.shownAt(best.Seen[0]); t.mergedAt == 0 && stood > at-t.latestUS() {
		if stood > at-t.reportUS() && best.Cost > dearPair {
			return // and its press may only be late
		}
		t.ahead = at + t.latestUS()
	}
	t.commitRowSeen(best, n)
}

// overtaken says that a press at a given time may be that of a ply whose press was taken for forgotten, because it had
// not been reported as soon as others in this game: its report was only late.
func (t *Tracker) overtaken(at int64) bool { return at < t.ahead }

// unpressedOf is how many plies of an explanation come before what the press completed.
func unpressedOf(x *play.Explanation) int {
	n := len(x.Moves)
	switch {
	case x.Kind == kinds.IllegalNoMove:
		return 0 // a reading of the clock that was damaged can look like two presses: it makes no press without a move
	case x.Kind == "" && x.Press, x.Kind != "" && n > 0 && x.Moves[n-1] == legal.NoMove:
		return n - 1
	case x.Kind != "" && n > 0 && x.Moves[n-1].Promotion() != legal.NoKind && x.Seen[n-1] < 0:
		return n - 1 // whose piece does not stand there: that is the offence
	}
	return n
}

// explanations are those of a press from a position whose report came at the given time, where reports come as late as
// usual says without surprise.
func (t *Tracker) explanations(pos *legal.Position, s legal.Side, at int64, merged bool, usual int64) []play.Explanation {
	return play.Explain(*pos, t.images(), play.Press{Side: s, At: at, First: t.b.ChangesUntil(at), Lag: t.latestUS(), Usual: usual, Merged: merged, Lost: t.sync.lost})
}

// explainPress returns the cheapest explanation of a press from a position, if it is one legal move of the player who
// pressed, after one of the opponent's where he had the move, no fault of the board is needed for it, and it is
// cheaper by a margin than any offence. Of several moves at nearly the same cost the one counts that stood last: the
// others were tries. Tied says that none did.
func (t *Tracker) explainPress(pos *legal.Position, s legal.Side, at int64) (best play.Explanation, tied, ok bool) {
	plies := 1
	if s != pos.Turn() {
		plies = 2
	}
	list := t.explanations(pos, s, at, plies == 2, t.latestUS())
	for i := range list {
		o := &list[i]
		switch {
		case o.Cost-list[0].Cost >= explainMargin, ok && o.Kind == "" && !o.Whole:
			continue // a piece stands where it puts none
		case o.Kind != "" || !o.Press || len(o.Moves) != plies || !o.Whole:
			return best, false, false
		case !ok:
			best, ok = *o, true
		case slices.Equal(o.Moves, best.Moves), slices.Contains(best.Arcs, play.ArcLater): // which stood last says nothing in a scramble
		case o.Seen[0] > best.Seen[0]:
			best, tied = *o, false
		case o.Seen[0] == best.Seen[0]:
			tied = true
		}
	}
	return best, tied, ok
}

// explainMargin is by how much the explanation of a press must be cheaper than any other.
const explainMargin = 1000

// dearPly is what an explanation by a single ply that nobody pressed may cost: more, and pieces stand where no play
// puts them.
const dearPly = 8000

// dearPair is what an explanation by a forgotten pair of plies may cost where nothing proves that it was forgotten: more,
// and not each of the plies was seen to stand.
const dearPair = 4500

// anyPlyStood says that the board showed a legal move by itself before the given time, and has changed since.
func (t *Tracker) anyPlyStood(before int64) bool {
	if (t.turn.reply == 0 || t.turn.replyAt > before) && !slices.ContainsFunc(t.b.Changes, func(c evidence.Change) bool { return c.Window.Hi <= before }) {
		return false
	}
	base := t.g.last()
	return play.AnyMove(&base.pos, func(m legal.Move) bool {
		place := play.Landing(base.place, m)
		n := t.b.Seen(&place)
		return n >= t.firstShown(m) && n < len(t.b.Changes) && t.shownAt(n) <= before
	})
}

// shownAt is when the board had shown the first n changes; before them stands the reply that stood there when the last press
// was told.
func (t *Tracker) shownAt(n int) int64 {
	if n == 0 {
		return t.turn.replyAt
	}
	return t.b.Changes[n-1].Window.Hi
}

// firstShown is after how many changes the board can have shown a ply first.
func (t *Tracker) firstShown(m legal.Move) int {
	if m == t.turn.reply && m != legal.NoMove {
		return 0
	}
	return 1
}

// merged says that a reading of the clock may have held two presses since the last commit, and before the given time.
func (t *Tracker) merged(before int64) bool { return t.mergedAt > 0 && t.mergedAt < before }

// lag is how late the report of a press can still come that completes the first of n plies. Two plies whose presses
// were merged need none.
func (t *Tracker) lag(n int, at int64) int64 {
	if n == 2 && t.merged(at) {
		return 0
	}
	return t.usualUS(0)
}

// usualUS is how long after a ply the report of its press comes at most in this game: not counted is one that came much
// later than all others, for a hand may linger. Where it is not known yet, it is as late as a report can come, and what
// a slower hand adds.
func (t *Tracker) usualUS(slower int64) int64 {
	longest := t.reportUS() + slower
	if us, known := t.slowestReport(); known {
		return min(us*5/4+marginUS, longest)
	}
	return longest
}

// slowestReport is how long after a ply the report of its press has come at most lately, but for a much later one.
func (t *Tracker) slowestReport() (us int64, known bool) {
	second := int64(0)
	for _, r := range t.reported {
		us, second = max(us, r), max(second, min(us, r))
	}
	if second < us/2 {
		us = second
	}
	return us, t.reported[enoughReports-1] != 0
}

// reportedAfterPlies says that the last presses were reported when the board had shown their plies.
func (t *Tracker) reportedAfterPlies() bool {
	return !slices.ContainsFunc(t.reported[:enoughReports], func(us int64) bool { return us <= 1 })
}

// enoughReports is from how many presses on their reports tell how late others may come.
const enoughReports = 4

// learnReportDelay learns from a press that completes the last ply, to which the first n changes led, how late its
// report came: where that player has not gone on since, so that it is the press of no other ply.
func (t *Tracker) learnReportDelay(by CommittedBy, n int) {
	if n < 0 {
		n = len(t.b.Changes)
	}
	after := t.g.pos()
	mover := after.Turn().Other()
	if by != ByPress || n == 0 || slices.ContainsFunc(t.b.Changes[n:], func(c evidence.Change) bool { return c.Of(mover) }) {
		return
	}
	copy(t.reported[1:], t.reported[:])
	t.reported[0] = max(t.judgedAt-t.b.Changes[n-1].Window.Hi, 1)
}

// reportUS is how long after a ply the report of its press can come: the hand is on its way to the clock as well.
func (t *Tracker) reportUS() int64 { return 2*t.p.ClockLagUS + pressingUS }

// latestUS is the longest time from a ply to the report of its press, also where the hand was slow.
func (t *Tracker) latestUS() int64 { return t.reportUS() + pressingUS }

// catchUpInQuiet commits plies that stand on the board one after the other, all but the last one: no report of their
// presses can come any more, and the replies have completed them. The last one follows if the lever has told a press
// since it was made.
func (t *Tracker) catchUpInQuiet() {
	if _, start := array.Number(&t.b.Live); t.pend.on || t.paused() || start {
		return // the game is over where its pieces stand in an array again
	}
	if !t.c.Running() {
		least := unstartedPlies
		if t.playsUnstarted() {
			least = 2
		}
		if t.unstarted() {
			t.catchUpOnBoard(t.now.At, least)
		}
		return
	}
	before, least := t.now.At-2*t.p.ClockLagUS, 2
	switch {
	case t.mergedAt > t.b.LastAt:
		before, least = t.now.At, 1
	case t.c.Fixed:
		least = 1
	}
	told := t.mergedAt
	if t.catchUpOnBoard(before, least) {
		told = max(t.judgedAt, told)
	}
	if t.phase != playing || t.b.LastAt > told {
		return
	}
	base := t.g.last()
	if m, ok := play.OnePly(&base.pos, &t.b.Live); ok && t.c.Turn() != base.pos.Turn() {
		t.commit(m, ByPress, -1)
	}
}

// unstartedPlies is how many plies must stand on the board one after the other, while the clock stands, to be a game and
// not a try: somebody has forgotten the clock, or it is switched off.
const unstartedPlies = 4

// unstarted says that the clock stands and has not run in this game, or shows no time at all.
func (t *Tracker) unstarted() bool {
	none := t.c.Last.Left == 0 && t.c.Last.Right == 0 && !t.c.Flagged()
	return t.c.Valid && !t.c.Running() && (none || t.runSince == 0 && t.g.start >= 0)
}

// playsUnstarted says that plies have been made so.
func (t *Tracker) playsUnstarted() bool { return t.unstarted() && t.g.last().by == ByReply }

// catchUpUnstarted commits such plies as soon as their answer stands on the board, and nothing else does: there is no press
// to wait for.
func (t *Tracker) catchUpUnstarted() {
	if !t.playsUnstarted() || t.pend.on || t.paused() {
		return
	}
	steps := t.shownOnBoard(t.now.At)
	n := len(steps)
	if n == 0 || slices.ContainsFunc(steps, func(s play.Step) bool { return s.Broken }) {
		return
	}
	if _, answered := play.OnePly(&steps[n-1].After, &t.b.Live); answered {
		t.commitSteps(steps)
	}
}

// catchUpOnBoard commits the plies that the board has shown, if they are as many at least. Where several captured pieces
// stand on the board again, the game is over and the pieces are set up anew.
func (t *Tracker) catchUpOnBoard(before int64, least int) bool {
	if base := t.g.last().place; play.Count(play.Surplus(&base, &t.b.Live)) > 1 {
		return false
	}
	steps := t.shownOnBoard(before)
	if i := slices.IndexFunc(steps, func(s play.Step) bool { return s.Broken }); i >= 0 {
		steps = steps[:i] // somebody may still put it right
	}
	if len(steps) < least {
		return false
	}
	t.commitSteps(steps)
	return true
}

// catchUpInHaste does so at a reading of the clock while the board does not come to rest: what has a reply and stood
// there for longer than a press can be on its way has no press.
func (t *Tracker) catchUpInHaste() {
	if before := t.now.At - 2*t.p.ClockLagUS; t.c.Running() && !t.pend.on && !t.paused() && t.c.Fixed && len(t.b.Changes) >= 6 && t.b.Changes[0].Window.Hi <= before {
		t.catchUpOnBoard(before, 2)
	}
}

// shownOnBoard are the plies that the board alone has shown since the last commit, as if there were no clock, and whose
// replies stand on it. Only those count that stood before a time.
func (t *Tracker) shownOnBoard(before int64) (steps []play.Step) {
	if !t.historyKnown() || !t.b.BothPut() {
		return nil
	}
	f := t.followChanges()
	known, putAt := 0, int64(0) // after plies that are not known, how the game goes on
	for s, ok := f.Settled(); ok && s.At <= before && s.Back == 0; s, ok = f.Settled() {
		put, n := t.b.PutBy(&s), len(steps)
		switch {
		case t.notYet(&s, put):
			return steps[:known]
		case n > 1 && t.b.WentOn(steps[n-2].Move, s.Move, putAt):
			return steps[:min(n-2, known)]
		case put != 0 && put < putAt-t.p.LateUS:
			return steps[:max(known-1, 0)] // it stood there before the ply that it answers was made: neither of them was played
		}
		putAt = max(put, putAt)
		if steps = append(steps, s); !s.Broken || s.Plies > 0 {
			known = len(steps)
		}
	}
	return steps[:known]
}

// playedInstead commits the plies that the board has shown one after the other, and the move of s that stands there now, where
// they lead to the same board as m, which never stood by itself, and its reply r: the piece of m stood elsewhere in between,
// and the presses came in one reading of the clock.
func (t *Tracker) playedInstead(s legal.Side, m, r legal.Move, at int64) bool {
	base := t.g.last()
	if t.stoodElsewhere(&base.pos, []legal.Move{m, r}) == 0 {
		return false
	}
	steps := t.shownOnBoard(at)
	n := len(steps)
	if n == 0 || n%2 != 0 || slices.ContainsFunc(steps, func(s play.Step) bool { return s.Broken }) {
		return false
	}
	last, ok := play.OnePly(&steps[n-1].After, &t.b.Live)
	if !ok {
		return false
	}
	t.commitSteps(steps)
	t.guess()
	return t.phase != playing || t.pressed(s, "ok", at, last, -1)
}

// notYet says that a step may be none: nothing was seen of the ply, so that the record is wrong, or two hands moved
// within one scan; or plies are not known, and no press before this one has gone by, be it in one reading with another,
// that nothing explained: the next may explain both (difference.go).
func (t *Tracker) notYet(s *play.Step, put int64) bool {
	if s.Broken {
		return !t.alt.on && t.mergedAt == 0
	}
	return put == 0 && t.unseen(s.Move)
}

// followChanges follows what the board has shown since the last commit, as if there were no clock.
func (t *Tracker) followChanges() *play.Follower {
	list := t.images()
	f := play.Follow(t.g.pos(), t.g.before(), list[0].At)
	for i, im := range list {
		if i == 0 || i+1 == len(list) || !im.Lost || t.b.Changes[i-1].Seq != t.b.Changes[i].Seq { // one dump is one image
			f.Image(im.At, im.Place, im.Lost)
		}
	}
	f.Wake(min(t.now.At, t.b.LastAt+quietUS))
	return f
}

// unseen says that nothing was seen of a ply: its piece was not lifted; or it has not come to an empty square, though
// no report is missing.
func (t *Tracker) unseen(m legal.Move) bool {
	seen := t.b.Touched()
	return seen>>m.From()&1 == 0 || seen>>m.To()&1 == 0 && m.Captured() == legal.NoKind && !t.b.FromDump()
}

// commitSteps commits such plies, and says whose they were.
func (t *Tracker) commitSteps(steps []play.Step) (of [3]bool) {
	defer func(merged int64) { t.mergedAt = merged }(t.mergedAt) // it may hold the presses of the plies after them
	for i := 0; i < len(steps) && t.phase == playing; i++ {
		s, base := &steps[i], t.g.last()
		of[base.pos.Turn()] = true
		n := t.b.ChangesUntil(s.At)
		if s.Broken {
			t.commitUnknown(s, n)
			continue
		}
		place := play.Landing(base.place, s.Move)
		if seen := t.b.Seen(&place); seen >= 0 {
			n = seen
		}
		t.commit(s.Move, ByReply, n)
	}
	return of
}

// commitRowSeen commits the first n plies of an explanation, each of which was seen.
func (t *Tracker) commitRowSeen(x *play.Explanation, n int) {
	done := 0
	for i := range n {
		t.commit(x.Moves[i], ByReply, x.Seen[i]-done)
		if done = x.Seen[i]; t.phase != playing {
			return
		}
	}
}

// historyKnown says that several changes were reported since the last commit, and that a dump has told what reports may
// be missing.
func (t *Tracker) historyKnown() bool {
	timed := !t.p.Passive || t.hands.timed
	return timed && t.phase == playing && !t.sync.unknown && len(t.b.Changes) >= 4 && (!t.sync.lost || t.b.Verified >= t.sync.lostAt) && !t.sync.on && !t.g.last().wrong.open()
}

// answered says that each of the first n plies was seen to stand on the board, one after the other, so long before a
// press that no report of theirs can come any more. Of the last one that does not matter where those before it stood
// for longer still: the press is none of theirs.
func (t *Tracker) answered(x *play.Explanation, n int, at int64) bool {
	if n == 0 || x.Seen[0] < t.firstShown(x.Moves[0]) || x.Seen[0] == 0 && n == 1 {
		return false // judgePair commits a reply alone together with its answer, at the answer's press
	}
	last, all, before := -1, true, n > 1
	for i := range n {
		seen := x.Seen[i]
		if x.Moves[i] == legal.NoMove || seen <= last || seen > len(t.b.Changes) || t.b.OnTheWay(x.Moves[i].To(), seen, passingUS) {
			return false
		}
		last = seen
		stood := t.shownAt(seen)
		all = all && stood <= at-t.lag(n, at)
		before = before && (i == n-1 || stood <= at-t.usualUS(pressingUS))
	}
	return all || before
}

// images are the placements that stood on the board since the last commit.
func (t *Tracker) images() []play.Image {
	list := make([]play.Image, 0, len(t.b.Changes)+1)
	place := t.b.Origin
	list = append(list, play.Image{Place: place, At: t.pressedAt})
	for i := range t.b.Changes {
		c := &t.b.Changes[i]
		place[c.Square] = c.Is
		list = append(list, play.Image{Place: place, At: c.Window.Hi, Lost: c.FromDump})
	}
	return list
}
