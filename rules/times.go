package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// takeBack subtracts the time credited by irregular presses (laws notes, section 2): once for each press since the
// position that is restored. A delay credits no time. If the move stays, or the move that replaced it, one increment
// stays too, unless the rule set says always. The time of the next period is taken off with the press that has begun it,
// because the clock adds it again when its move counter has been put back.
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
		back := n * unit
		if n > 0 && s.nextPeriod(side) > 0 {
			back += s.nextPeriod(side) - unit
		}
		s.r.TakeBack[side] = max(back-s.bonusOf().m.onClock.taken[side], 0)
	}
}

// nextPeriod returns the seconds that a press since the restored position has added where it began the side's next
// period, the increment included; 0: none has.
func (s *sheet) nextPeriod(side legal.Side) int {
	if s.first != nil {
		return max(s.first.period[side], s.m.period[side])
	}
	return s.m.period[side]
}

// A correction is the part of a ruling's times that is on the clock already, in seconds by legal.Side.
type correction struct{ given, taken [3]int }

// setInStop notes the part of an undecided ruling's times that was set in a stop of the clock, or taken off again: by
// players who correct their illegal move themselves, or by an arbiter who decides later. A side's time was changed by
// the bonus, by the time that presses have added, or by both; any other amount has another reason. If several rulings
// fit, the latest is meant.
func (d *Docket) setInStop(before, after Clocks) {
	for _, m := range slices.Backward(d.matters) {
		if familyOf(&m.c) != kinds.Illegal || !m.live() || m.closed != stillOpen || m.kept != nil {
			continue
		}
		gives := d.givesBonus(m)
		set := m.setAs(&gives.onClock, before, after)
		if set == (correction{}) {
			continue
		}
		for side := range set.given {
			gives.onClock.given[side] += set.given[side]
			gives.onClock.taken[side] += set.taken[side]
		}
		m.correctedFrom, gives.correctedFrom = after, after
		return
	}
}

// givesBonus returns the matter whose bonus a ruling on m gives.
func (d *Docket) givesBonus(m *matter) *matter {
	return (&sheet{d: d, p: d.p, m: m, first: d.earliestBeneath(m)}).bonusOf().m
}

// setAs returns the part of the ruling's times that a change of the clock sets. It is negative if that part was on the
// clock and was taken off.
func (m *matter) setAs(on *correction, before, after Clocks) (set correction) {
	r := m.entry.Ruling
	if r == nil || !r.Clocks.Known {
		return set
	}
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		bonus, back, given, taken := r.Bonus[side], r.TakeBack[side], on.given[side], on.taken[side]
		is := func(change int) bool { return changedBy(after.Of(side)-before.Of(side), change) }
		switch {
		case is(bonus - back):
			set.given[side], set.taken[side] = bonus, back
		case is(bonus):
			set.given[side] = bonus
		case is(-back):
			set.taken[side] = back
		case is(taken - given):
			set.given[side], set.taken[side] = -given, -taken
		case is(-given):
			set.given[side] = -given
		case is(taken):
			set.taken[side] = -taken
		}
	}
	return set
}

// changedBy reports whether a difference of times is that change, give or take the second that the clock has counted.
func changedBy(is, change int) bool {
	off := is - change
	return change != 0 && -editTolerance <= off && off <= editTolerance && (is > editTolerance || is < -editTolerance)
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
