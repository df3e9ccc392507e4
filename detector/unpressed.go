package detector

import (
	"slices"

	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file commits plies whose presses were forgotten, swallowed by the clock, or merged with another one. The board
// has shown each of them by the time of the next press. That press completes the last ply of the player who pressed;
// the replies have completed those before it (FIDE Laws 6.2.1.2).
//
// Time distinguishes them from a scramble, where reports of presses are late and each press completes its own move: a
// report comes at most two seconds late (measured; twice Params.ClockLagUS), so a ply that was on the board before that
// has no press that could still be reported.

// catchUpTo commits the plies that the board has shown, one after the other, before the reported press can have been
// made, and that no press completed. The ply that the press itself completes is judged from there.
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
			return // its press may only be late
		}
		t.lateReportUntil = at + t.latestUS()
	}
	t.commitRowSeen(best, n)
}

// overtaken reports whether a press at a given time may be that of a ply whose press counted as forgotten, because it
// had not been reported as soon as others in this game: its report was only late.
func (t *Tracker) overtaken(at int64) bool { return at < t.lateReportUntil }

// unpressedOf returns how many plies of an explanation come before the one that the press completed.
func unpressedOf(x *play.Explanation) int {
	n := len(x.Moves)
	switch {
	case x.Kind == kinds.IllegalNoMove:
		return 0 // a damaged reading of the clock can look like two presses: it makes no press without a move
	case x.Kind == "" && x.Press, x.Kind != "" && n > 0 && x.Moves[n-1] == legal.NoMove:
		return n - 1
	case x.Kind != "" && n > 0 && x.Moves[n-1].Promotion() != legal.NoKind && x.Seen[n-1] < 0:
		return n - 1 // its promotion piece is not on the board: that is the offence
	}
	return n
}

// explanations returns the explanations of a press from a position; the press was reported at the given time, and usual
// is the delay of reports that costs nothing extra.
func (t *Tracker) explanations(pos *legal.Position, s legal.Side, at int64, merged bool, usual int64) []play.Explanation {
	return t.answers.Explain(pos, t.images(), play.Press{Side: s, At: at, First: t.b.ChangesUntil(at), Lag: t.latestUS(), Usual: usual, Merged: merged, Lost: t.sync.reportsLost})
}

// explainPress returns the cheapest explanation of a press from a position. It must be one legal move of the player who
// pressed, after one of the opponent's if the opponent had the move, need no fault of the board, and be cheaper by a
// margin than any offence. Among several moves at nearly the same cost the one that was on the board last counts: the
// others were tries. Tied means that none was last.
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
			continue // a piece is where the explanation puts none
		case o.Kind != "" || !o.Press || len(o.Moves) != plies || !o.Whole:
			return best, false, false
		case !ok:
			best, ok = *o, true
		// Which was on the board last decides nothing in a scramble.
		case slices.Equal(o.Moves, best.Moves), slices.Contains(best.Arcs, play.ArcLater):
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

// dearPly is the greatest cost of an explanation by a single ply without a press: beyond it, pieces are where no play
// puts them.
const dearPly = 8000

// dearPair is the greatest cost of an explanation by a forgotten pair of plies, where nothing proves that it was
// forgotten: beyond it, not each of the plies was seen.
const dearPair = 4500

// anyPlyStood reports whether the board showed a legal move by itself before the given time, and has changed since.
func (t *Tracker) anyPlyStood(before int64) bool {
	if (t.turn.reply == 0 || t.turn.replyAt > before) && !slices.ContainsFunc(t.b.Changes, func(c evidence.Change) bool { return c.Window.Hi <= before }) {
		return false
	}
	base := t.g.last()
	return play.AnyMove(&base.pos, func(m legal.Move) bool {
		place := play.PlacementAfter(base.place, m)
		n := t.b.Seen(&place)
		return n >= t.firstShown(m) && n < len(t.b.Changes) && t.shownAt(n) <= before
	})
}

// shownAt returns when the board had shown the first n changes; for none it is the time of the reply that was there
// when the last press was reported.
func (t *Tracker) shownAt(n int) int64 {
	if n == 0 {
		return t.turn.replyAt
	}
	return t.b.Changes[n-1].Window.Hi
}

// firstShown returns the number of changes after which the board can first have shown a ply.
func (t *Tracker) firstShown(m legal.Move) int {
	if m == t.turn.reply && m != legal.NoMove {
		return 0
	}
	return 1
}

// merged reports whether a reading of the clock may have held two presses since the last commit and before the given
// time.
func (t *Tracker) merged(before int64) bool { return t.mergedAt > 0 && t.mergedAt < before }

// lag returns how late the report of a press can still come that completes the first of n plies. Two plies whose
// presses were merged have none to come.
func (t *Tracker) lag(n int, at int64) int64 {
	if n == 2 && t.merged(at) {
		return 0
	}
	return t.usualUS(0)
}

// usualUS returns the longest usual time from a ply to the report of its press in this game. One report that came much
// later than all others does not count, for a hand may linger. Until it is known, it is the longest possible time, plus
// that of a slower hand.
func (t *Tracker) usualUS(slower int64) int64 {
	longest := t.reportUS() + slower
	if us, known := t.slowestReport(); known {
		return min(us*5/4+marginUS, longest)
	}
	return longest
}

// slowestReport returns the longest recent time from a ply to the report of its press, without a single much later one.
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

// reportedAfterPlies reports whether the last presses were reported when the board had shown their plies.
func (t *Tracker) reportedAfterPlies() bool {
	return !slices.ContainsFunc(t.reported[:enoughReports], func(us int64) bool { return us <= 1 })
}

// enoughReports is the number of presses from which on their reports show how late others may come.
const enoughReports = 4

// learnReportDelay learns the delay of the report of a press that completes the last ply, to which the first n changes
// led. It does so only where that player has not gone on since, so that the press is that of no other ply.
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

// reportUS returns the longest time from a ply to the report of its press, which includes the hand's way to the clock.
func (t *Tracker) reportUS() int64 { return 2*t.p.ClockLagUS + pressingUS }

// latestUS returns the longest time from a ply to the report of its press, for a slow hand as well.
func (t *Tracker) latestUS() int64 { return t.reportUS() + pressingUS }

// catchUpInQuiet commits plies that the board has shown one after the other, all but the last: no report of their
// presses can come any more, and the replies have completed them. The last one follows if the lever has shown a press
// since it was made.
func (t *Tracker) catchUpInQuiet() {
	if _, start := array.Number(&t.b.Live); t.pend.on || t.paused() || start {
		return // the game is over where its pieces are in an array again
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
	case t.c.SidesSettled:
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

// unstartedPlies is the number of plies that the board must show one after the other, while the clock is stopped, to be
// a game and not a try: the clock was forgotten, or is switched off.
const unstartedPlies = 4

// unstarted reports whether the clock is stopped and has not run in this game, or shows no time at all.
func (t *Tracker) unstarted() bool {
	none := t.c.Last.Left == 0 && t.c.Last.Right == 0 && !t.c.Flagged()
	return t.c.Valid && !t.c.Running() && (none || t.clockStartedAt == 0 && t.g.start >= 0)
}

// playsUnstarted reports whether plies have been made without the clock.
func (t *Tracker) playsUnstarted() bool { return t.unstarted() && t.g.last().by == ByReply }

// catchUpUnstarted commits such plies as soon as the board shows their answer, and nothing else: there is no press to
// wait for.
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

// catchUpOnBoard commits the plies that the board has shown, if there are at least the given number. Where several
// captured pieces are on the board again, the game is over and the pieces are being set up.
func (t *Tracker) catchUpOnBoard(before int64, least int) bool {
	if base := t.g.last().place; play.Count(play.Surplus(&base, &t.b.Live)) > 1 {
		return false
	}
	steps := t.shownOnBoard(before)
	if i := slices.IndexFunc(steps, func(s play.Step) bool { return s.Broken }); i >= 0 {
		steps = steps[:i] // the error may still be corrected
	}
	if i := slices.IndexFunc(steps, func(s play.Step) bool { return t.b.PutBy(&s) == 0 }); i >= 0 {
		steps = steps[:i] // nobody has put that piece there: pieces are collected
	}
	if len(steps) < least {
		return false
	}
	t.commitSteps(steps)
	return true
}

// catchUpInHaste does so at a reading of the clock while the board does not come to rest: a ply with a reply that has
// been on the board for longer than a press takes to be reported has no press.
func (t *Tracker) catchUpInHaste() {
	if before := t.now.At - 2*t.p.ClockLagUS; t.phase == playing && t.c.Running() && !t.pend.on && !t.paused() && t.c.SidesSettled && len(t.b.Changes) >= 6 && t.b.Changes[0].Window.Hi <= before {
		t.catchUpOnBoard(before, 2)
	}
}

// shownOnBoard returns the plies that the board alone has shown since the last commit, as if there were no clock, with
// their replies on the board. Only plies from before the given time count.
func (t *Tracker) shownOnBoard(before int64) (steps []play.Step) {
	if !t.historyKnown() || !t.b.BothPut() {
		return nil
	}
	f := t.followChanges()
	known, putAt := 0, int64(0) // after plies that are not known, how the game goes on
	o := outran{Tracker: t, from: t.turnPressedAt}
	for s, ok := f.Settled(); ok && s.At <= before && s.Back == 0; s, ok = f.Settled() {
		put, n := t.b.PutBy(&s), len(steps)
		switch {
		case t.notYet(&s, put), o.next(&s):
			return steps[:known]
		case n > 1 && t.b.WentOn(steps[n-2].Move, s.Move, putAt):
			return steps[:min(n-2, known)]
		case put != 0 && put < putAt-t.p.LateUS:
			// It was there before the ply that it answers was made: neither of them was played.
			return steps[:max(known-1, 0)]
		}
		putAt = max(put, putAt)
		if steps = append(steps, s); !s.Broken || s.Plies > 0 {
			known = len(steps)
		}
	}
	return steps[:known]
}

// playedInstead commits the plies that the board has shown one after the other, and the present move of s, where they
// lead to the same board as m and its reply r. The board never showed m by itself, its piece was on another square in
// between, and the presses came in one reading of the clock.
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
	t.noteGuessedPlies()
	return t.phase != playing || t.pressed(s, "ok", at, last, -1)
}

// notYet reports whether a step may be wrong. Either nothing was seen of the ply, so that the record is wrong or two
// hands moved within one scan; or its plies are not known, and there was no unexplained press before this one, not even
// merged with another: the next press may explain both (difference.go).
func (t *Tracker) notYet(s *play.Step, put int64) bool {
	if s.Broken {
		return !t.alt.on && t.mergedAt == 0
	}
	return put == 0 && t.unseen(s.Move)
}

// followChanges follows the board since the last commit, as if there were no clock.
func (t *Tracker) followChanges() *play.Follower {
	list := t.images()
	f := play.Follow(t.g.pos(), t.g.before(), list[0].At)
	for i, im := range list {
		// One dump is one image.
		if i == 0 || i+1 == len(list) || !im.Lost || t.b.Changes[i-1].Seq != t.b.Changes[i].Seq {
			f.Image(im.At, im.Place, im.Lost)
		}
	}
	f.Wake(min(t.now.At, t.b.LastAt+quietUS))
	return f
}

// unseen reports whether nothing was seen of a ply: its piece was not lifted; or it has not come to an empty square,
// though no report is missing.
func (t *Tracker) unseen(m legal.Move) bool {
	seen := t.b.Touched()
	return seen>>m.From()&1 == 0 || seen>>m.To()&1 == 0 && m.Captured() == legal.NoKind && !t.b.FromDump()
}

// commitSteps commits such plies, and returns whose they were.
func (t *Tracker) commitSteps(steps []play.Step) (of [3]bool) {
	defer func(merged int64) { t.mergedAt = merged }(t.mergedAt) // it may hold the presses of later plies
	for i := 0; i < len(steps) && t.phase == playing; i++ {
		s, base := &steps[i], t.g.last()
		of[base.pos.Turn()] = true
		n := t.b.ChangesUntil(s.At)
		if s.Broken {
			t.commitUnknown(s, n)
			continue
		}
		place := play.PlacementAfter(base.place, s.Move)
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

// historyKnown reports whether several changes were reported since the last commit, and a dump has replaced any missing
// reports.
func (t *Tracker) historyKnown() bool {
	timed := !t.p.Passive || t.hands.timed
	return timed && t.phase == playing && !t.sync.pliesUnknown && len(t.b.Changes) >= 4 && (!t.sync.reportsLost || t.b.Verified >= t.sync.lostAt) && !t.sync.active && !t.g.last().wrong.open()
}

// answered reports whether each of the first n plies was seen on the board, one after the other, so long before a press
// that no report of theirs can come any more. The time of the last one does not matter where those before it were on
// the board for longer still: the press is none of theirs.
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

// images returns the placements that the board has shown since the last commit.
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
