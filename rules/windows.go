package rules

// windows are the times in which offences can be dealt with, as the rule set in force and the class of the time control have them.
type windows struct {
	p     *Profile
	class Class
	tight bool // time pressure has begun (US Chess 11A)
}

// until is what ends the time: until_game_end, until_reply or last_moves.
func (w *windows) until() string { return w.p.window(w.class) }

// lookBackMoves is how many of the offender's moves can be looked back to.
func (w *windows) lookBackMoves() int {
	if w.tight && w.p.TimePressureMoves > 0 {
		return w.p.TimePressureMoves
	}
	return w.p.WindowMoves
}

// tooManyMoves says that an offence of one ply is too many moves ago at another.
func (w *windows) tooManyMoves(ply, now int) bool {
	return w.until() == lastMoves && (now-ply)/2 >= w.lookBackMoves()
}

// endsByReply says that the opponent's next move ends the time. Where nobody steps in, a claim was made in time.
func (w *windows) endsByReply(claimed bool) bool {
	return w.until() == untilReply && !(claimed && w.p.Arbiter == "never")
}
