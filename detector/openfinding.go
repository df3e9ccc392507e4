package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// newFinding builds the finding for a shape. Its identity is its first evidence: the first change of the turn, or the
// press.
func (t *Tracker) newFinding(sh *offence.Shape, v *offence.View) Found {
	f := Found{Stamp: t.now, Window: v.Press}
	for _, c := range v.Changes {
		if len(f.Evidence) < maxEvidence && (sh.Squares == 0 || sh.Squares>>c.Square&1 != 0) {
			f.Evidence = append(f.Evidence, c.Seq)
		}
	}
	if t.pressSeq != 0 && t.pressAt(v) {
		f.Evidence = append(f.Evidence, t.pressSeq)
	}
	if sh.Shown != nil {
		f.Evidence = append(f.Evidence, sh.Shown.Seq)
	}
	if len(f.Evidence) == 0 {
		f.Evidence = append(f.Evidence, t.now.Seq)
	}
	first := f.Evidence[0]
	slices.Sort(f.Evidence)
	f.Evidence = slices.Compact(f.Evidence)
	f.Case = rules.Case{
		ID: findingID(first, sh.Kind), Kind: sh.Kind, Game: t.games, Ply: v.Ply + 1, Side: sh.Side,
		Proof: sh.Proof, Permille: sh.Permille, UCI: sh.UCI, Squares: play.SquareList(sh.Squares),
		Known: true, Before: *v.Pos, At: v.At, Touched: touched(v), Completed: t.pressAt(v), Answered: sh.Answered,
		Clock: rules.Clocks(t.pressClock), Gained: t.pressGainedSec, Note: sh.Note,
		Articles: sh.Articles, Reason: sh.Reason,
	}
	if sh.Stands {
		if pos, err := sh.After.Standing(); err == nil {
			f.Stands, f.After = true, pos
		}
	}
	return f
}

// maxEvidence bounds the records that a finding names.
const maxEvidence = 64

// pressAt reports whether the view is that of a press, not of a look at the board between presses.
func (t *Tracker) pressAt(v *offence.View) bool { return v.Press.Lo != v.Press.Hi }

// touched lists the pieces that were lifted, each once, in the order of the reports.
func touched(v *offence.View) (list []rules.Touch) {
	var seen uint64
	from := v.Pos.Placement()
	for _, c := range v.Changes {
		if c.Was == legal.NoPiece || from[c.Square] != c.Was || seen>>c.Square&1 != 0 {
			continue
		}
		seen |= 1 << c.Square
		list = append(list, rules.Touch{Square: c.Square, Piece: c.Was})
	}
	return list
}

// An awaited finding stays suspected until everything agrees: a fresh dump with the board, and a second reading of the
// clock with the lever. Nothing on the wire has a checksum; one flipped bit makes a press that never happened.
type awaited struct {
	Found
	board, lever bool  // these have agreed
	due          int64 // in a recording: no dump will come after that
	// After this time the lever need not be read again, if nothing was damaged: the clock is slow to report.
	leverDue int64
}

// maxAwaited bounds the findings that wait, on a board that answers nothing.
const maxAwaited = 32

// awaitDue is when the next finding stops waiting for a dump or for a second reading of the clock.
func (t *Tracker) awaitDue() (first int64) {
	for i := range t.await {
		for _, d := range [...]int64{t.await[i].due, t.await[i].leverDue} {
			if d != 0 && (first == 0 || d < first) {
				first = d
			}
		}
	}
	return first
}

// awaitOver confirms a finding that has waited in vain for a dump, in a recording, or for a second reading of the
// clock, if no byte was damaged.
//
// Where a recording ends earlier, the wait is over at a time that never came (at is later than now), and the finding
// stays suspected.
func (t *Tracker) awaitOver(at int64) {
	for i := 0; i < len(t.await); i++ {
		a := &t.await[i]
		dump, lever := a.due != 0 && a.due <= t.now.At, a.leverDue != 0 && a.leverDue <= t.now.At
		if a.due <= at {
			a.due = 0
		}
		if a.leverDue <= at {
			a.leverDue = 0
		}
		if t.trust.bytesDamaged || !dump && !lever {
			continue
		}
		a.board, a.lever = a.board || dump, a.lever || lever
		if a.board && a.lever {
			t.confirm(i)
			i--
		}
	}
}

// openFinding reports a finding. It waits for confirmation, except in a recording without requested dumps, where the
// model of the board has to do.
func (t *Tracker) openFinding(f Found) {
	a := awaited{Found: f, lever: t.leverSeen || !f.Completed}
	a.board = t.p.Passive && t.dumpsAfterPresses < 2 && !t.trust.bytesDamaged || t.readSince(&f)
	if a.board && a.lever {
		f.State = rules.Confirmed
		t.emit(f)
		return
	}
	if t.p.Passive && !a.board {
		a.due = max(f.Window.Hi+lookUS, t.now.At)
	}
	if !a.lever && f.Kind != kinds.IllegalNoMove {
		a.leverDue = max(f.Window.Hi+leverUS, t.now.At)
	}
	if len(t.await) == maxAwaited {
		t.drop(t.await[0].Found, words.Say("withdrawn.no_answer"))
	}
	a.State = rules.Suspected
	t.emit(a.Found)
	t.await = append(t.await, a)
	t.wantDump = t.wantDump || !a.board
}

// readSince reports whether a dump has been seen since the press could be judged, and the squares of the finding have
// not changed after it.
func (t *Tracker) readSince(f *Found) bool {
	if t.b.Verified < f.Window.Hi+t.p.LateUS {
		return false
	}
	for _, c := range t.b.Changes {
		if c.Window.Hi <= t.b.Verified {
			continue
		}
		if f.Kind == kinds.IllegalNoMove {
			return false
		}
		for _, sq := range f.Squares {
			if c.Square == sq {
				return false
			}
		}
	}
	return true
}

// leverStays counts a reading of the clock as the second look at the lever.
func (t *Tracker) leverStays(l evidence.Lever) {
	if !l.Known {
		return // the first reading after a loss is a state, not a second look
	}
	if !l.Flipped {
		t.leverSeen = true
	}
	for i := 0; i < len(t.await); i++ {
		a := &t.await[i]
		if a.lever {
			continue
		}
		if l.Flipped && a.Kind == kinds.IllegalNoMove && !t.answeredNullPress(&a.Found) {
			t.drop(a.Found, words.Say("withdrawn.lever_back"))
			t.lastNullPress = Found{}
			i--
			continue
		}
		a.lever = true
		if a.board {
			t.confirm(i)
			i--
		}
	}
}

// answeredNullPress reports whether the opponent has made a legal move since a press without a move: the next press is
// then the opponent's, and confirms that the lever was pressed before.
func (t *Tracker) answeredNullPress(f *Found) bool {
	top := t.g.last()
	if t.phase != playing || t.trust.bytesDamaged || !top.wrong.nullMove || !top.wrong.open() || top.wrong.done.finding != f.ID {
		return false
	}
	_, ok := play.OnePly(&top.pos, &t.b.Live)
	return ok
}

// confirm reports a finding on which everything agrees.
func (t *Tracker) confirm(i int) {
	f := t.await[i].Found
	t.await = append(t.await[:i], t.await[i+1:]...)
	if f.Kind == kinds.Unreadable && f.UCI != "" && t.allRead(f.Squares) {
		t.drop(f, words.Say("withdrawn.read_again"))
		return
	}
	f.Stamp, f.State = t.now, rules.Confirmed
	f.Evidence = append(f.Evidence[:len(f.Evidence):len(f.Evidence)], t.now.Seq)
	t.emit(f)
}

// allRead reports whether every piece that counts on one of the squares is also read there.
func (t *Tracker) allRead(list []legal.Square) bool {
	return !slices.ContainsFunc(list, func(sq legal.Square) bool { return t.b.Readings[sq].Differs })
}

// openCertain reports a finding that needs no fresh look: the record itself shows it.
func (t *Tracker) openCertain(f Found) {
	f.State = rules.Confirmed
	t.emit(f)
}

// dumped counts a dump as the fresh look that suspected findings wait for; n squares read otherwise than in the model.
func (t *Tracker) dumped(n int) {
	if n == 0 {
		t.trust.bytesDamaged, t.trust.movesUntilTrusted = false, 0
	}
	if t.pressedAt > 0 && t.now.At-t.pressedAt < lookUS {
		t.dumpsAfterPresses++
	}
	if len(t.await) == 0 {
		return
	}
	for i := 0; i < len(t.await); i++ {
		a := &t.await[i]
		switch {
		case n > 0 && !t.dumpConcerns(&a.Found, n):
			t.wantDump = true
		case n > 0:
			t.withdrawContradicted(a.Found)
			i--
		case a.board:
		default:
			a.board = true
			if a.lever {
				t.confirm(i)
				i--
			}
		}
	}
}

// dumpConcerns reports whether one of the last n changes, which the dump made, is on a square of the finding.
func (t *Tracker) dumpConcerns(f *Found, n int) bool {
	if f.Kind == kinds.IllegalNoMove {
		return true
	}
	n = min(n, len(t.b.Changes))
	for _, c := range t.b.Changes[len(t.b.Changes)-n:] {
		for _, sq := range f.Squares {
			if c.Square == sq {
				return true
			}
		}
	}
	return n == 0
}

// withdrawContradicted withdraws a finding that the fresh dump contradicts, and looks again.
func (t *Tracker) withdrawContradicted(f Found) {
	if top := t.g.last(); t.b.HistoryIncomplete || !top.wrong.open() || top.ply != f.Ply || t.phase != playing {
		t.drop(f, words.Say("withdrawn.reports_lost"))
		return
	}
	t.drop(f, words.Say("withdrawn.read_again"))
	t.g.nodes = t.g.nodes[:len(t.g.nodes)-1]
	t.fault = fault{}
	base := t.g.last()
	if m, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		t.note("move_corrected", words.Say("row.move_corrected"))
		t.commit(m, ByPress, -1)
		return
	}
	t.mayPlayOnFrom(t.b.Live, f.Side.Other(), 1)
}

// reportTurn reports an event around an open case.
func (t *Tracker) reportTurn(what TurnKind, s legal.Side) {
	g := -1
	if what == PressedBack {
		g = t.pressGainedSec
	}
	t.emit(Turn{Stamp: t.now, Game: t.games, What: what, Side: s, Clock: t.c.Times(), Gained: g})
}
