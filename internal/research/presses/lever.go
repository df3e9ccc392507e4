package presses

import "boardwatchd/rules/legal"

// finish plans the player's use of the clock after a move. Lever and turn are in step when the mover's time runs: a
// press moves the lever. They are out of step when the opponent has not pressed: a press then does nothing, and after
// it both are in step again, so that forgotten presses come in pairs.
func (p *planner) finish(n int, mover legal.Side, placed int64, t tempo) {
	at := placed + p.r.skewed(t.press)
	p.forgot[index(mover)] = max(p.forgot[index(mover)]-1, 0)
	p.base = placed
	switch {
	case p.owed >= 0:
		p.makeUp(n, mover, placed, at)
	case p.clock.turn != mover:
		p.class(n, Forgotten, -1)
		if p.r.chance(50, 100) {
			p.class(n, Dead, p.push(mover, n, at, EndOfPly))
		}
		p.pair = true
	default:
		p.press(n, mover, placed, at)
	}
}

// makeUp handles the case that a player notices after the reply that the ply before was not pressed. It is pressed now,
// and then the reply.
func (p *planner) makeUp(n int, mover legal.Side, placed, at int64) {
	owed := p.owed
	p.owed = -1
	if p.r.chance(40, 100) { // the mover finds the lever down on the own side
		p.class(n, Dead, p.push(mover, n, at, EndOfPly))
	}
	at = max(placed, p.clock.at) + p.r.between(300*ms, 2500*ms)
	late := p.push(mover.Other(), owed, at, EndOfPly)
	p.class(owed, Late, late)
	p.base = p.truth.Presses[late].At
	if p.r.chance(10, 100) { // the reply is forgotten
		if p.truth.Plies[n].Class == NoClass {
			p.class(n, Forgotten, -1)
		}
		return
	}
	at = p.truth.Presses[late].At + p.r.between(150*ms, 1200*ms)
	p.class(n, Pressed, p.push(mover, n, at, EndOfPly))
	p.base = p.truth.Plies[n].PressAt
}

// press is the ordinary end of a ply, with its irregularities.
func (p *planner) press(n int, mover legal.Side, placed, at int64) {
	h := p.o.Habits
	forget := h.Forget
	if p.forgot[index(mover)] > 0 {
		forget = h.ForgetAgain
	}
	switch draw := int(p.r.between(0, 10000)); {
	case draw < forget:
		p.class(n, Forgotten, -1)
		p.forgot[index(mover)] = 3
		return
	case draw < forget+h.PressAfterTalk:
		p.class(n, Forgotten, -1)
		p.owed = n
		return
	case draw < forget+h.PressAfterTalk+h.SlowPress && p.scramble == 0:
		p.class(n, Pressed, p.push(mover, n, placed+p.r.between(2*sec, 8*sec), EndOfPly))
		return
	}
	press := p.push(mover, n, at, EndOfPly)
	p.class(n, Pressed, press)
	if p.truth.Presses[press].Moved && p.per(h.Bounce) {
		p.push(mover.Other(), -1, p.clock.at+p.r.between(15*ms, 80*ms), BounceBack)
		p.push(mover, -1, p.clock.at+p.r.between(15*ms, 80*ms), BounceDown)
	}
	if p.per(h.DoubleTap) {
		p.push(mover, -1, p.clock.at+p.r.between(80*ms, 300*ms), SecondTap)
	}
	if p.scramble > 0 {
		return // the opponent looks at the board, not at the clock: base stays at the placement
	}
	p.base = p.truth.Plies[n].PressAt
	if p.per(h.StopAfterPress) {
		p.base = p.pause(p.clock.at+p.r.between(500*ms, 4*sec), "stopped by the opponent after a press")
	}
}

func (p *planner) class(n int, c PressClass, press int) {
	ply := &p.truth.Plies[n]
	ply.Class = c
	if press >= 0 {
		ply.Press, ply.PressAt = press, p.truth.Presses[press].At
	}
}

func (p *planner) stop(at int64, reason string) {
	p.clock.run(at, false)
	p.truth.Stops = append(p.truth.Stops, Stop{At: at, AfterPly: len(p.truth.Plies) - 1, Reason: reason})
}

func (p *planner) resume(at int64) int64 {
	at = max(at, p.clock.at+100*ms)
	p.clock.run(at, true)
	p.truth.Stops[len(p.truth.Stops)-1].ResumeAt = at
	return at
}

// pause stops the clock for a while, and returns the instant from which play continues.
func (p *planner) pause(at int64, reason string) int64 {
	at = max(at, p.clock.at+50*ms, p.lastAct+50*ms)
	p.stop(at, reason)
	until := at + p.r.between(3*sec, 40*sec)
	if p.per(10 * p.o.Habits.Adjust) {
		if square, ok := p.anySquare(p.pos.Turn()); ok {
			p.touch(at+sec, square, p.r.between(200*ms, sec), "adjusted in a pause")
		}
	}
	turn := p.clock.turn
	if p.r.chance(p.o.Habits.LeverInPause, 100) {
		p.truth.Stops[len(p.truth.Stops)-1].LeverMoved = true
		p.push(turn, -1, at+p.r.between(500*ms, 2*sec), InPause)
		if p.r.chance(70, 100) {
			p.push(turn.Other(), -1, p.clock.at+p.r.between(200*ms, 900*ms), InPause)
		}
	}
	until = p.resume(max(until, p.lastAct+100*ms))
	if p.clock.turn != turn && p.clock.flag == legal.NoSide {
		n := p.push(turn.Other(), -1, until+p.r.between(400*ms, 3*sec), Correction)
		until = p.truth.Presses[n].At
	}
	return until
}
