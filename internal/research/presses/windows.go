package presses

// windows draws the gaps and the standstills. They are drawn after the game was planned, so that the game is the same
// with and without them.
func windows(o Options, r *rng, t *Truth) {
	t.Gaps = window(r, t, o.Gaps, 2*sec, 40*sec)
	for i := range t.Gaps {
		keeps := r.chance(50, 100)
		t.Gaps[i].LosesMode = o.GapKind == LosesMode || o.GapKind == AnyGap && !keeps
	}
	t.Standstills = window(r, t, o.Standstills, sec, 30*sec)
}

func window(r *rng, t *Truth, rate int, lo, hi int64) []Window {
	var list []Window
	free := t.StartedAt
	for _, ply := range t.Plies {
		if !r.chance(rate, 10000) {
			continue
		}
		w := Window{From: ply.FirstTouch + r.between(-sec, 1500*ms)}
		w.To = min(w.From+r.between(lo, hi), t.EndAt-sec)
		if w.From < free || w.To <= w.From {
			continue
		}
		free = w.To + sec
		list = append(list, w)
	}
	for i := range list {
		w := &list[i]
		in := func(at int64) bool { return at >= w.From && at < w.To }
		for n, ply := range t.Plies {
			if ply.FirstTouch < w.To && ply.Placed >= w.From || ply.PressAt != 0 && in(ply.PressAt) {
				w.Plies = append(w.Plies, n)
			}
		}
		for _, press := range t.Presses {
			if press.Moved && in(press.At) {
				w.LeverMoved = true
			}
		}
	}
	return list
}
