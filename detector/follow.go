package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
)

// This file follows a game without a clock, where the board alone shows what was played (play.Follower). A ply is
// committed when the board shows its reply, or when it has been on the board for long; the last one of a game when the
// game or the recording ends.

// followsBoard reports whether no clock shows whose turn it is.
func (t *Tracker) followsBoard() bool {
	return t.phase == playing && t.c.Absent() && !t.sync.active && (t.sync.beforeAt == 0 || t.follower != nil)
}

// follow gives the present board to the inference. Lost means that reports may be missing.
func (t *Tracker) follow(lost bool) {
	if !t.followsBoard() {
		t.follower = nil
		return
	}
	t.beginToFollow()
	if _, kings := kingsResult(&t.b.Live); kings {
		t.follower.Gone(t.now.At)
		return
	}
	n := len(t.b.Changes)
	t.follower.Image(t.now.At, t.b.Live, lost || n > 0 && t.b.Changes[n-1].FromDump)
	t.takeSettled()
}

// followAgain notes a dump that confirms the board.
func (t *Tracker) followAgain() {
	if t.follower != nil && t.followsBoard() {
		t.follower.Again(t.now.At)
		t.takeSettled()
	}
}

// followDue is when the board will have stayed long enough to show more; 0: never.
func (t *Tracker) followDue() int64 {
	if t.follower == nil || !t.followsBoard() {
		return 0
	}
	at, _ := t.follower.Deadline()
	return at
}

// followOn looks again because nothing has changed for a while.
func (t *Tracker) followOn() {
	t.follower.Wake(t.now.At)
	if t.takeSettled(); t.follower != nil && t.follower.Stands() && !t.follower.Explains() {
		t.wantDump = true
	}
}

// beginToFollow starts at the last position of the record.
func (t *Tracker) beginToFollow() {
	base := t.g.last()
	if t.follower != nil && t.follower.Root().Key() == base.pos.Key() {
		return
	}
	t.follower = play.Follow(base.pos, t.g.before(), t.now.At)
}

// takeSettled commits the steps that the inference has settled.
func (t *Tracker) takeSettled() {
	for t.phase == playing && t.follower != nil {
		s, ok := t.follower.Settled()
		if !ok {
			return
		}
		t.commitStep(&s, ByReply)
	}
}

// commitStep commits one step.
func (t *Tracker) commitStep(s *play.Step, by CommittedBy) {
	switch {
	case s.Back > 0:
		t.follower = nil
		t.takeBack(s.Back)
		t.beginToFollow()
		return
	case s.Broken:
		t.commitUnknown(s, len(t.b.Changes))
		return
	case t.answeredBefore(s):
		s.Broken, s.Plies = true, 1
		t.commitUnknown(s, 0)
		return
	}
	base := t.g.last()
	if !base.pos.IsLegal(s.Move) { // the record has gone on without the follower
		t.follower = nil
		t.beginToFollow()
		return
	}
	place := play.PlacementAfter(base.place, s.Move)
	t.commit(s.Move, by, t.b.Seen(&place))
}

// answeredBefore reports whether a ply cannot be the one that its reply answers: the board never showed it by itself,
// because the opponent's piece had long been on its present square when that of the ply was put down.
func (t *Tracker) answeredBefore(s *play.Step) bool {
	base := t.g.last()
	place, put := play.PlacementAfter(base.place, s.Move), t.b.PutBy(s)
	if put == 0 || t.b.Seen(&place) >= 0 {
		return false
	}
	return slices.ContainsFunc(t.b.Changes, func(c evidence.Change) bool {
		return c.Is.Side() == base.pos.Turn().Other() && !c.FromDump && c.Is == t.b.Live[c.Square] && c.Is != place[c.Square] && put-c.Window.Hi >= evidence.StoodUS
	})
}

// commitStanding commits, at the end, the plies that the board shows without a reply. It returns false where a clock
// shows what was played.
func (t *Tracker) commitStanding() bool {
	if t.follower == nil || !t.followsBoard() {
		return false
	}
	_, kings := kingsResult(&t.b.Live)
	for t.phase == playing {
		s, ok := t.follower.Last(kings)
		if !ok {
			break
		}
		t.commitStep(&s, ByTerminal)
	}
	return true
}

// commitUnknown goes on after plies that are not known, and that the first n changes have led to.
func (t *Tracker) commitUnknown(s *play.Step, n int) {
	if t.betweenPlies(&s.After) {
		return
	}
	t.trust.movesUntilTrusted, t.trust.castlingRightsDoubtful = movesUntilSound, true
	base := t.g.last().ply
	if s.Plies == 0 {
		t.rebaseOn(s.After, base+1, true)
	} else {
		t.pushNotKnown(s.After, base+s.Plies, base+1, base+s.Plies)
	}
	t.b.Rebase(n)
	t.clearDoubts()
}
