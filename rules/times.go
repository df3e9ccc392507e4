package rules

import "boardwatchd/rules/legal"

// takeBack subtracts the time credited by irregular presses (laws notes, section 2): once for each press since the
// position that is restored. A delay credits no time. Where the move stands, or the one that has replaced it, one
// increment stays, unless the rule set says always.
func (s *sheet) takeBack() {
	p := s.p
	if p.TakeBack == "never" || p.TakeBack == "restored" && s.r.Position != restore && !s.m.replaced {
		return
	}
	unit, ok := s.d.clock.credited()
	if !ok {
		return
	}
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		n := s.counted(side)
		if side == s.m.c.Side && s.m.replaced && s.m.pressedOnce && p.TakeBack == "restored" {
			n = max(n-1, 0)
		}
		s.r.TakeBack[side] = n * unit
	}
}

// counted returns the number of a side's increments that a correction takes back: those since the position that is
// restored.
func (s *sheet) counted(side legal.Side) int {
	if s.first != nil {
		return max(s.first.counted[side], s.m.counted[side])
	}
	return s.m.counted[side]
}

// clocks returns the absolute times to set: as displayed, less the increment, plus the bonus.
func (s *sheet) clocks() {
	if !s.m.correctedFrom.Known || s.r.Result != "" || s.m.carriedOut {
		return
	}
	s.r.Clocks = s.m.correctedFrom
	s.r.addTimes()
}

// addTimes makes the displayed times those to set.
func (r *Ruling) addTimes() {
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		t := sideOf(&r.Clocks, side)
		*t = max(*t-r.TakeBack[side]+r.Bonus[side], 0)
	}
}
