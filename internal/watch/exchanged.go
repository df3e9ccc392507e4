package watch

import (
	"bytes"

	"boardwatchd/detector"
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about another board on the line in the middle of a game. Where the configuration names a port and no serial number, any board that comes
// there is watched; but two boards whose cables were exchanged between games that go on would write each game into the record of the other. So what a
// board says behind a gap is held until it has said its number, for a moment. Another board that shows the position of the game replaces the one before;
// one that shows something else is not watched until somebody says that it replaces it, or until it shows that position.

// whose is the question which board a game is played on.
type whose struct {
	until int64  // what comes is held until the board has said its number, at most until then; 0: it is not in question
	other string // the number that another board has said, while a dump of it is awaited
	home  string // the number of the board that was watched last …
	heard int64  // … and when it was last heard
	away  bool   // another board answers, and is not watched
	held  []heldFrame

	unheard bool // the board has said nothing since the link is up: it is asked when it does
	asked   int  // how often it was asked again for its number
}

// known says that what comes is of the board that the game is played on.
func (w *whose) known() bool { return w.until == 0 && !w.away && !w.unheard }

// asksAgain is how often a board is asked again for its number until it is believed without one: an answer may be lost.
const asksAgain = 2

type heldFrame struct {
	frame dgt.Frame
	at    detector.Stamp
}

// askWhose begins to hold what a board says until it is known whether it is the one of the game. Nobody exchanges two cables in a moment: behind a shorter
// gap, that of a program that was started again for example, nothing is held.
func (m *Machine) askWhose() {
	w := &m.link.whose
	if w.home != "" && m.settings.Serial == "" && m.tr.Playing() && m.now.At-w.heard >= m.settings.Timing.Silence/2 {
		w.until = m.link.sendAt + m.whoseWait()
	}
}

func (m *Machine) whoseWait() int64 { return max(m.settings.Timing.Silence/4, dumpWaitUS) }

// askAgain asks a board once more who it is, and holds what it says meanwhile.
func (m *Machine) askAgain() {
	l := &m.link
	l.whose.unheard = false
	l.push(dgt.RequestSerial)
	l.sendAt = max(l.sendAt, m.now.At)
	l.whose.until = l.sendAt + m.whoseWait()
}

// holdsUnknown says that a message waits until it is known which board has sent it.
func (m *Machine) holdsUnknown(f dgt.Frame) bool {
	w := &m.link.whose
	if w.unheard {
		m.askAgain()
	}
	if w.until == 0 {
		return false
	}
	if m.late.reading || len(w.held) == maxHeld {
		m.takeUnknown()
		return false
	}
	f.Data = bytes.Clone(f.Data)
	w.held = append(w.held, heldFrame{f, m.now})
	if w.other != "" && f.ID == dgt.MsgBoard {
		m.decideWhose(w.other)
	}
	return true
}

// saidNumber takes the short serial number of a board.
func (m *Machine) saidNumber(number string) {
	w := &m.link.whose
	if w.unheard {
		if w.unheard = false; number == w.home {
			return
		}
		m.askAgain()
		m.askDump()
	}
	switch {
	case w.away:
		if number == w.home {
			m.takeBoard(number)
		}
	case w.until != 0 && number == w.home:
		m.takeUnknown()
	case w.until != 0:
		m.decideWhose(number)
	case m.settings.Serial == "":
		w.home = number
	}
}

// decideWhose decides about another board, when a dump of it is there.
func (m *Machine) decideWhose(number string) {
	w := &m.link.whose
	w.other = number
	for i := len(w.held) - 1; i >= 0; i-- {
		if p, ok := w.held[i].frame.Board(); ok {
			if m.showsTheGame(&p) {
				w.home = number
				m.takeUnknown()
				return
			}
			m.refuse(number)
			return
		}
	}
}

// whoseDue is when a board has not said its number, or shown what stands on it, in time: then it is believed, or not.
func (m *Machine) whoseDue() {
	switch w := &m.link.whose; {
	case w.other != "":
		m.refuse(w.other)
	case len(w.held) == 0:
		w.until, w.unheard = 0, true
	case w.asked < asksAgain:
		w.asked++
		m.askAgain()
	default:
		m.takeUnknown()
	}
}

// takeUnknown takes what was held as if it had been taken at once.
func (m *Machine) takeUnknown() {
	w := &m.link.whose
	held := w.held
	w.until, w.other, w.held = 0, "", nil
	st := m.now
	for _, h := range held {
		m.pass(h.at.Seq, h.at.At)
		m.now = h.at
		m.frame(h.frame)
	}
	m.now = st
}

// refuse tells that another board answers. Nothing of it is believed.
func (m *Machine) refuse(number string) {
	l := &m.link
	w := &l.whose
	w.until, w.other, w.held, w.away = 0, "", nil, true
	l.stranger, l.strangerTold = true, true
	m.health("wrong_board", words.Say("row.exchanged", number, w.home))
}

// takeBoard watches the board that was not watched.
func (m *Machine) takeBoard(number string) {
	l := &m.link
	l.whose.home, l.whose.away = number, false
	l.stranger, l.strangerTold = false, false
	m.tr.Gap(m.now)
	m.health("answering", words.Say("row.board_taken", number))
	l.push(dgt.SetUpdateNice)
	l.push(dgt.RequestBoard)
	l.push(dgt.RequestClock)
	l.sendAt = max(l.sendAt, m.now.At)
}

// lookAway looks at a dump of a board that is not watched.
func (m *Machine) lookAway(f dgt.Frame) {
	if p, ok := f.Board(); ok && m.link.whose.away && m.showsTheGame(&p) {
		m.takeBoard(m.link.serial)
	}
}

// showsTheGame says that a board shows the last position of the record, or what was last seen of the game, or the array of the next game.
func (m *Machine) showsTheGame(p *dgt.Placement) bool {
	place := placement(p)
	turned := place
	for sq, piece := range place {
		turned[63-sq] = piece
	}
	array := legal.StartSetup(518).Placement
	if place == array || turned == array {
		return true
	}
	if m.tr.Reversed() {
		place = turned
	}
	pos, _ := m.tr.Position()
	return place == pos.Placement() || place == m.tr.Live()
}
