package hands

// Teach adds what a move shows about the board and, if it was a simple one that was pressed, about the player; without
// a tempo only about the board. A disturbed move shows nothing, and neither do reports that came all at once, as from a
// recording that is fed at full speed.
func (d *Handling) Teach(scan *Scan, tempo *Tempo) bool {
	r := d.Reports
	if d.Trouble || !timed(r) {
		return false
	}
	scan.Add(r, d.Reversed)
	if tempo != nil && d.Kind == NoKind && len(r) == 2 && r[0].Lift() && !d.Unpressed {
		tempo.Add(d.From, d.To, r[0].At, r[1].At)
	}
	return true
}

// timed reports whether the reports are spread over the least time of a hand (timing notes 2.1: 80 ms to the next
// square, at 5 g).
func timed(r []Report) bool {
	const atOnce = 20_000 // µs
	return len(r) > 1 && r[len(r)-1].At-r[0].At >= atOnce
}
