package watch

import (
	"bytes"
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about another board on the line in the middle of a game. If the configuration names a port and no serial
// number, any board at that port is watched; but if the cables of two boards are exchanged during games, each game
// would be written into the record of the other. So after a gap the board's messages are held for a moment, until it
// has sent its number: after a cable was out, after a restart of the computer, after a probe without an answer (a cable
// behind an adapter that stays plugged in), and before a dump that differs by more than a ply from the board last
// observed. Another board that shows the position of the game replaces the one before. A board that shows another
// position is not watched until a person says that it replaces the first, or until it shows that position.

// boardIdentity decides whether the board that answers is the one on which the game is played.
type boardIdentity struct {
	until     int64  // messages are held until the board has sent its number, at most until then; 0: the board is known
	other     string // the number of another board, while a dump of it is awaited
	home      string // the number of the last board watched
	lastHeard int64  // the time of the last message of the board with the number home
	away      bool   // another board answers, and is not watched
	lineCut   bool   // the connection was interrupted after that message: another board may be at the port
	sure      int64  // time at which the number was last confirmed since the link is up; 0: not yet
	held      []heldFrame

	silent bool // nothing was received since the connect or the last probe: the next message causes a request
	asked  int  // number of repeated requests for its number
}

// known reports whether messages come from the board of the game.
func (w *boardIdentity) known() bool { return w.until == 0 && !w.away && !w.silent }

// asksAgain is the number of repeated requests for a board's number before it is accepted without one: an answer may be
// lost.
const asksAgain = 2

type heldFrame struct {
	frame dgt.Frame
	at    evidence.Stamp
}

// holdUntilIdentified begins to hold a board's messages until it is known whether it is the board of the game. Cables
// cannot be exchanged in the moment of a restart, so nothing is held after a short gap.
func (m *Machine) holdUntilIdentified() {
	w := &m.link.boardID
	away := w.lineCut || m.now.At-w.lastHeard >= m.settings.Timing.Silence/2
	if m.exchangeable() && away {
		w.until = m.link.sendAt + m.numberWait()
	}
}

// exchangeable reports whether another board at the port would be written into the record of this board's game.
func (m *Machine) exchangeable() bool {
	return m.link.live && m.link.boardID.home != "" && m.settings.Serial == "" && m.tr.Playing()
}

// requestNumberWhenHeard requests the board's number before its next message is processed: the line may have been
// plugged into another board.
func (m *Machine) requestNumberWhenHeard() {
	if w := &m.link.boardID; m.exchangeable() && w.known() {
		w.silent = true
	}
}

// requestNumberForDump requests the board's number before a dump that differs from the board last observed by more than
// a ply.
func (m *Machine) requestNumberForDump(f dgt.Frame) {
	p, ok := f.Board()
	w := &m.link.boardID
	if !ok || !m.tr.Seen() || w.sure != 0 && m.now.At-w.sure < m.settings.Timing.Silence/2 {
		return
	}
	place, live, differ := m.whiteBelow(&p), m.tr.Live(), 0
	for sq := range place {
		if place[sq] != live[sq] {
			differ++
		}
	}
	if differ > squaresOfAPly {
		m.requestNumberWhenHeard()
	}
}

// squaresOfAPly is the greatest number of squares that a ply changes: castling.
const squaresOfAPly = 4

func (m *Machine) numberWait() int64 { return max(m.settings.Timing.Silence/4, dumpWaitUS) }

// requestNumberAgain requests a board's number once more, and holds its messages meanwhile.
func (m *Machine) requestNumberAgain() {
	l := &m.link
	l.boardID.silent = false
	l.push(dgt.RequestSerial)
	l.sendAt = max(l.sendAt, m.now.At)
	l.boardID.until = l.sendAt + m.numberWait()
}

// heldUntilIdentified reports whether a message waits until its board is known.
func (m *Machine) heldUntilIdentified(f dgt.Frame) bool {
	w := &m.link.boardID
	if f.ID == dgt.MsgBoard {
		m.requestNumberForDump(f)
	}
	if w.silent {
		m.requestNumberAgain()
	}
	if w.until == 0 {
		return false
	}
	if m.late.reading || len(w.held) == maxHeld {
		m.processHeld()
		return false
	}
	f.Data = bytes.Clone(f.Data)
	w.held = append(w.held, heldFrame{f, m.now})
	if w.other != "" && f.ID == dgt.MsgBoard {
		m.decideOtherBoard(w.other)
	}
	return true
}

// numberReceived handles the short serial number of a board.
func (m *Machine) numberReceived(number string) {
	w := &m.link.boardID
	if number == w.home && !w.away {
		w.sure, w.lastHeard, w.lineCut, w.asked = m.now.At, m.now.At, false, 0
	}
	if w.silent {
		if w.silent = false; number == w.home {
			return
		}
		m.requestNumberAgain()
		m.askDump()
	}
	switch {
	case w.away:
		if number == w.home {
			m.watchOtherBoard(number)
		}
	case w.until != 0 && number == w.home:
		m.processHeld()
	case w.until != 0:
		m.decideOtherBoard(number)
	case m.exchangeable() && w.sure != 0 && number != w.home: // a flipped bit makes another number: it must come twice
		m.requestNumberAgain()
		m.askDump()
	case m.settings.Serial == "":
		w.home = number
	}
}

// decideOtherBoard decides about another board once its dump has arrived.
func (m *Machine) decideOtherBoard(number string) {
	w := &m.link.boardID
	w.other = number
	for i := len(w.held) - 1; i >= 0; i-- {
		if p, ok := w.held[i].frame.Board(); ok {
			if m.showsTheGame(&p) {
				w.home = number
				m.processHeld()
				return
			}
			m.ignoreOtherBoard(number)
			return
		}
	}
}

// numberOverdue handles a board that has not sent its number, or its position, in time: it is accepted, unless its
// number is known to be another one.
func (m *Machine) numberOverdue() {
	switch w := &m.link.boardID; {
	case w.other != "":
		m.ignoreOtherBoard(w.other)
	case len(w.held) == 0:
		w.until, w.silent = 0, true
	case w.asked < asksAgain:
		w.asked++
		m.requestNumberAgain()
	default:
		m.processHeld()
	}
}

// processHeld processes the held messages as if they had been processed on arrival.
func (m *Machine) processHeld() {
	w := &m.link.boardID
	held := w.held
	w.until, w.other, w.held, w.sure = 0, "", nil, m.now.At
	st := m.now
	for _, h := range held {
		m.handleDeadlines(h.at.Seq, h.at.At)
		m.now = h.at
		m.frame(h.frame)
	}
	m.now = st
}

// ignoreOtherBoard reports that another board answers. Its messages are ignored, and those before its number was known
// are no evidence about the game.
func (m *Machine) ignoreOtherBoard(number string) {
	l := &m.link
	w := &l.boardID
	w.until, w.other, w.held, w.away = 0, "", nil, true
	l.otherSerial, l.otherSerialReported = true, true
	m.tr.Gap(m.now)
	m.tr.DumpWanted() // that board gets no requests
	m.health("wrong_board", words.Say("row.exchanged", number, w.home))
}

// watchOtherBoard starts watching the other board.
func (m *Machine) watchOtherBoard(number string) {
	l := &m.link
	l.boardID.home, l.boardID.away = number, false
	l.otherSerial, l.otherSerialReported = false, false
	m.tr.Gap(m.now)
	m.health("answering", words.Say("row.board_taken", number))
	l.push(dgt.SetUpdateNice)
	l.push(dgt.RequestBoard)
	l.push(dgt.RequestClock)
	l.sendAt = max(l.sendAt, m.now.At)
}

// checkOtherBoard examines a dump of a board that is not watched.
func (m *Machine) checkOtherBoard(f dgt.Frame) {
	if p, ok := f.Board(); ok && m.link.boardID.away && m.showsTheGame(&p) {
		m.watchOtherBoard(m.link.serial)
	}
}

// showsTheGame reports whether a board shows the last position of the record, or the last one observed of the game, or
// the array of the next game.
func (m *Machine) showsTheGame(p *dgt.Placement) bool {
	place, array := m.whiteBelow(p), legal.StartSetup(518).Placement
	if place == array || fromOtherSide(place) == array {
		return true
	}
	pos, _ := m.tr.Position()
	return place == pos.Placement() || place == m.tr.Live()
}

// whiteBelow returns a board's placement as White of this game sees it.
func (m *Machine) whiteBelow(p *dgt.Placement) legal.Placement {
	place := placement(p)
	if m.tr.Reversed() {
		return fromOtherSide(place)
	}
	return place
}

func fromOtherSide(place legal.Placement) legal.Placement {
	slices.Reverse(place[:])
	return place
}
