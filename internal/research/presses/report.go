package presses

// reports turns the changes of the clock's face into the board's knowledge, with times. It notes for each press in the
// truth when and how it became known.
func reports(o Options, r *rng, changes []change, list []Press, end int64) []change {
	var known []change
	switch o.Clock {
	case EventClock:
		known = pushed(r, changes)
	case PolledClock:
		known = polled(r, changes, end)
	default:
		known = slow(o, r, changes, list)
	}
	markSeen(known, list)
	return known
}

// pushed: the clock reports every change by itself (section 6.7, items 1, 4 and 5: the mean latency is near zero).
func pushed(r *rng, changes []change) []change {
	var known []change
	var last int64
	for _, c := range changes {
		last = max(last, c.at+r.between(2*ms, 30*ms))
		known = append(known, change{last, c.face})
	}
	return known
}

// polled: the board reads the state; two changes between two readings appear as one (section 16, step 5).
func polled(r *rng, changes []change, end int64) []change {
	var known []change
	next := 0
	for at := r.between(0, sec); at < end+2*sec; at += r.between(970*ms, 1040*ms) {
		before := next
		for next < len(changes) && changes[next].at <= at {
			next++
		}
		if next > before {
			known = append(known, change{at + r.between(3*ms, 15*ms), changes[next-1].face})
		}
	}
	return known
}

// slow: a press makes the clock silent for up to two seconds, and then the state of that instant is reported. A
// swallowed press either makes it silent until the lever moves again or the clock is stopped, or leaves the old lever
// in the reports until the lever moves again.
func slow(o Options, r *rng, changes []change, list []Press) []change {
	var known []change
	var last, silentUntil int64
	press := -1
	stale, silent := false, false
	lever := changes[0].turn
	emit := func(at int64, f face) {
		if stale {
			f.turn, f.press = lever, known[len(known)-1].press
		}
		last = max(last, at)
		if n := len(known); n > 0 && known[n-1].at == last {
			known[n-1].face = f
			return
		}
		known = append(known, change{last, f})
	}
	first := true
	for i, c := range changes {
		if c.press != press {
			press = c.press
			stale, silent = false, false
			ends := list[press].Kind == EndOfPly && c.running
			if ends && (first && r.chance(o.Habits.SwallowFirst, 100) || r.chance(o.Habits.Swallow, 10000)) && len(known) > 0 {
				list[press].Swallowed = true
				lever = known[len(known)-1].turn
				stale = r.chance(20, 100)
				silent = !stale
			}
			if ends {
				first = false
			}
			if until := c.at + r.skewed(span{200 * ms, 2000 * ms}); c.at >= silentUntil {
				silentUntil = until
			}
		}
		if silent && c.running {
			continue
		}
		silent = false
		at := c.at + r.between(30*ms, 250*ms)
		if c.at < silentUntil {
			// Only the last change of the silent time is reported, at its end.
			if i+1 < len(changes) && changes[i+1].at < silentUntil {
				continue
			}
			at = max(at, silentUntil)
		}
		emit(at, c.face)
	}
	return known
}

// markSeen notes for each press when the board knew of it. Two movements that became known in one report are merged.
func markSeen(known []change, list []Press) {
	last := -1
	for _, k := range known {
		if k.press <= last {
			continue
		}
		moved := 0
		for i := last + 1; i <= k.press; i++ {
			if list[i].Moved {
				moved++
			}
		}
		for i := last + 1; i <= k.press; i++ {
			if list[i].Moved {
				list[i].SeenAt, list[i].Merged = k.at, moved > 1
			}
		}
		last = k.press
	}
}
