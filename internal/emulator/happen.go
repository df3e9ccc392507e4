package emulator

import (
	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

// act does one act at the table.
func (e *Emulator) act(now int64, a Act) {
	side := e.sideOf(a.Side)
	switch a.Verb {
	case Sense:
		e.scan.sense(now, e.scan.number(a.Square), codeOf(a.Piece))
		return
	case Cue:
		e.cue(now, a.Ref)
		return
	case PressOf:
		if e.clock.press(now, side) {
			e.logLever(now, side)
		}
	case RunOf:
		e.clock.run(now, side)
	case PauseAll:
		e.clock.pause(now)
	case LeverTo:
		if e.clock.press(now, 1-side) {
			e.logLever(now, 1-side)
		}
	case SetTime:
		e.clock.setTime(now, side, a.US)
	case AddTime:
		e.clock.settle(now)
		e.clock.setTime(now, side, max(0, e.clock.left[side]+a.US))
	case SetBonus:
		e.clock.bonus[side] = a.US
	case ShowFlag:
		e.clock.settle(now)
		e.clock.shown[side] = now + flagShownUS
	case DropFlag:
		e.clock.drop(now, side)
	case ClockOut:
		e.clock.plugged = false
	case ClockIn:
		e.clock.plugged = !e.clock.absent
	}
	e.showFace(now)
}

// sideOf returns a player's side of the clock.
func (e *Emulator) sideOf(s legal.Side) int {
	if s == legal.Black {
		return 1 - e.white
	}
	return e.white
}

// playerAt returns the reverse of sideOf.
func (e *Emulator) playerAt(side int) legal.Side {
	if side == e.white {
		return legal.White
	}
	return legal.Black
}

// logLever writes a press into the board's own log.
func (e *Emulator) logLever(now int64, side int) {
	r := e.clock.reading(now)
	if side == 0 {
		e.board.memory.lever(clockproto.Left, r.Left.Seconds)
		return
	}
	e.board.memory.lever(clockproto.Right, r.Right.Seconds)
}

// showFace passes the display on if it has changed.
func (e *Emulator) showFace(now int64) {
	if face := e.clock.reading(now).Encode(); face != e.face {
		e.face = face
		e.relay.changed(now, face)
	}
}

// sendBytes puts bytes on the line, with the line's faults.
func (e *Emulator) sendBytes(now int64, p []byte, id dgt.ID) {
	if !e.linked || now < e.trouble.speak {
		return
	}
	if f := e.trouble.armed; f != nil && (f.Frame == 0 || f.Frame == id) {
		e.line.send(now, p[:min(f.N, len(p))])
		e.trouble.armed = nil
		e.trouble.speak = never // nothing more is sent before the cable is pulled
		e.trouble.plan(Fault{At: e.line.end(now) + e.line.latency + 1, Kind: Unplug, For: f.For})
		return
	}
	e.line.send(now, e.trouble.spoil(p, id))
}

// misfortune applies the faults that are due.
func (e *Emulator) misfortune(now int64) {
	t := &e.trouble
	if t.replug <= now {
		t.replug = never
		e.linked = true
		e.restart(now)
		e.notifyLink(now)
	}
	if t.clockIn <= now {
		t.clockIn = never
		e.act(now, Act{Verb: ClockIn})
	}
	if t.next <= now {
		t.flick(now, func(sq legal.Square, hidden bool) { e.scan.hide(now, e.scan.number(sq), hidden) })
	}
	for len(t.agenda) > 0 && t.agenda[0].At <= now {
		f := t.agenda[0]
		t.agenda = t.agenda[1:]
		e.fault(now, f)
	}
}

func (e *Emulator) fault(now int64, f Fault) {
	t := &e.trouble
	switch f.Kind {
	case Unplug:
		e.line.cut()
		e.wire.cut()
		e.linked, t.speak, t.armed = false, 0, nil
		e.pulls++
		t.replug = now + max(f.For, 1)
		e.notifyLink(now)
	case UnplugInFrame:
		t.armed = &f
	case PowerCycle:
		e.restart(now)
	case DropToBus:
		e.board.hear(now, byte(dgt.BusPing))
	case Mute:
		t.speak = now + f.For
	case Noise:
		e.line.send(now, t.noise(int64(f.N)))
	case Stream80:
		for range f.N {
			e.line.send(now, []byte{0x80})
		}
	case SpuriousLog:
		e.send(now, dgt.Log{Data: e.board.memory.dump()})
	case ClockGone:
		e.act(now, Act{Verb: ClockOut})
		t.clockIn = now + max(f.For, 1)
	case BatteryLow:
		e.clock.battery = true
		e.showFace(now)
	case BlankClock:
		e.send(now, dgt.ClockData{})
	}
}

// restart powers the board up again: it reads the pieces on it.
func (e *Emulator) restart(int64) {
	e.scan.known = e.scan.coil
	e.board.restart(e.scan.known)
}

func (e *Emulator) notifyLink(now int64) {
	if e.onLink != nil {
		e.onLink(now, e.linked)
	}
}
