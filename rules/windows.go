package rules

// windows holds the times in which offences can be dealt with, by the rule set in force and the class of the time
// control.
type windows struct {
	p     *Profile
	class Class
	tight bool // time pressure has begun (US Chess 11A)
}

// until returns the end of the window: until_game_end, until_reply or last_moves.
func (w *windows) until() string { return w.p.window(w.class) }

// lookBackMoves returns the number of the offender's moves that the rule set looks back.
func (w *windows) lookBackMoves() int {
	if w.tight && w.p.TimePressureMoves > 0 {
		return w.p.TimePressureMoves
	}
	return w.p.WindowMoves
}

// tooManyMoves reports whether an offence at one ply is too many moves in the past at another.
func (w *windows) tooManyMoves(ply, now int) bool {
	return w.until() == lastMoves && (now-ply)/2 >= w.lookBackMoves()
}

// endsByReply reports whether the opponent's next move closes the window. Under rules without an arbiter's intervention
// a claim that was made in time keeps it open.
func (w *windows) endsByReply(claimed bool) bool {
	return w.until() == untilReply && !(claimed && w.p.Arbiter == "never")
}
