package presses

import "boardwatchd/rules/legal"

// face is the display of the clock, with the last press that it includes.
type face struct {
	shown   [2]int64 // seconds of White and Black
	turn    legal.Side
	running bool
	flag    legal.Side
	press   int // index of the last press that moved the lever; -1 before the first
}

type change struct {
	at int64
	face
}

// clock is the clock itself. It is advanced in the order of time, and stores every change of its face.
type clock struct {
	at      int64
	left    [2]int64 // microseconds of White and Black
	turn    legal.Side
	running bool
	flag    legal.Side
	press   int
	bonus   int64
	changes []change
}

func index(s legal.Side) int {
	if s == legal.Black {
		return 1
	}
	return 0
}

func (c *clock) face() face {
	f := face{turn: c.turn, running: c.running, flag: c.flag, press: c.press}
	for i, left := range c.left {
		f.shown[i] = (left + sec - 1) / sec // section 15.2: 0:00:00 comes together with the flag, so the rest is rounded up
	}
	return f
}

func (c *clock) note() { c.changes = append(c.changes, change{c.at, c.face()}) }

// advance runs the running side's time down, and notes each tick and the fall of the flag.
func (c *clock) advance(to int64) {
	for c.running && c.flag == legal.NoSide {
		left := &c.left[index(c.turn)]
		step := *left - (*left-1)/sec*sec
		if c.at+step > to {
			*left -= to - c.at
			break
		}
		c.at += step
		*left -= step
		if *left == 0 {
			c.flag, c.running = c.turn, false
		}
		c.note()
	}
	c.at = max(c.at, to)
}

// push presses one side of the lever down; it returns false if it was down already.
func (c *clock) push(side legal.Side, at int64, press int) bool {
	c.advance(at)
	if c.turn != side || c.flag != legal.NoSide {
		return false
	}
	if c.running {
		c.left[index(side)] += c.bonus
	}
	c.turn, c.press = side.Other(), press
	c.note()
	return true
}

func (c *clock) run(at int64, running bool) {
	c.advance(at)
	if c.flag == legal.NoSide && c.running != running {
		c.running = running
		c.note()
	}
}

func (c *clock) add(at int64, side legal.Side, us int64) {
	c.advance(at)
	c.left[index(side)] += us
	c.note()
}

// bytes returns the seven data bytes of message 8D (section 5.4): right first, status last.
func (f face) bytes(whiteLeft, bonus bool) [7]byte {
	var d [7]byte
	sides := [2]legal.Side{legal.White, legal.Black} // right, left
	if whiteLeft {
		sides = [2]legal.Side{legal.Black, legal.White}
	}
	for i, side := range sides {
		s := f.shown[index(side)]
		hour := byte(min(s/3600, 9))
		if bonus {
			hour |= 0x20
		}
		if f.flag == side {
			hour |= 0x10
		}
		d[3*i], d[3*i+1], d[3*i+2] = hour, bcd(s/60%60), bcd(s%60)
	}
	d[6] = 0x08
	if f.turn == sides[0] {
		d[6] = 0x12
	}
	if f.running {
		d[6] |= 0x01
	}
	return d
}

func bcd(v int64) byte { return byte(v/10<<4 | v%10) }
