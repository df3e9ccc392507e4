package players

import "boardwatchd/rules/legal"

// handsLagUS is the delay of the second hand after the first (timing notes 2.1: two-handed grasps end 60 to 100 ms
// apart).
const handsLagUS = 60_000

// twoHanded performs a capture, a castling or a promotion with both hands together. It returns false if the move has
// nothing to do for a second hand.
func (h *Hands) twoHanded(t Transfer) bool {
	lag := func() { h.Wait(h.scaled(h.rng.Around(handsLagUS, &spreadHand))) }
	switch {
	case t.RookFrom != legal.NoSquare && t.From != t.To && t.RookFrom != t.RookTo:
		king, rook := h.table[t.From], h.table[t.RookFrom]
		h.Lift(t.From)
		lag()
		h.Lift(t.RookFrom)
		h.Wait(h.carry(t.RookFrom, t.RookTo))
		h.PutPiece(t.To, king)
		lag()
		h.PutPiece(t.RookTo, rook)
	case t.RookFrom != legal.NoSquare:
		return false
	case t.Put != legal.NoPiece && t.Victim == legal.NoSquare: // the new piece waits in the other hand
		h.Lift(t.From)
		lag()
		h.PutPiece(t.To, t.Put)
		h.Wait(h.scaled(handsLagUS))
		h.Drop()
	case t.Put == legal.NoPiece && t.Victim != legal.NoSquare:
		mover := h.table[t.From]
		h.Lift(t.From)
		lag()
		h.Lift(t.Victim)
		h.Wait(h.carry(t.From, t.To))
		h.PutPiece(t.To, mover)
		h.Wait(h.scaled(handsLagUS))
		h.Drop()
	default:
		return false
	}
	return true
}
