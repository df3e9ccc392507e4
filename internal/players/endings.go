package players

import (
	"boardwatchd/internal/emulator"
	"boardwatchd/rules/legal"
)

// finish plans the end of a game after its last press, up to cueOver.
func (p *pair) finish(left int64) []emulator.Act {
	h := p.hands
	p.liftAt, p.before = emulator.Never, h.table
	switch p.game.end {
	case EndFlag:
		if !p.noClock {
			h.Wait(left + second) // the clock determines the time; see flagged
			return h.Take()
		}
	case EndLeave:
		h.Wait(second)
		h.cue(cueOver.ref(0))
		return h.Take()
	}
	h.Wait(p.rng.Around(2*second, &spreadSlow))
	h.Pause()
	if p.game.end != EndStop {
		h.Wait(p.rng.Around(2*second, &spreadSlow))
		h.KingsToCentre(p.game.result)
	}
	if c := p.conduct; c != nil && c.noisy && c.rng.PPM(c.innocents[len(c.innocents)-1]) {
		p.analyse()
	}
	h.Wait(2 * second)
	h.cue(cueOver.ref(0))
	return h.Take()
}

// flagged plans the end of a game after a side's flag has fallen.
func (p *pair) flagged(now int64, side legal.Side) []emulator.Act {
	h := p.hands
	p.game.result, p.game.end = winner(side.Other()), EndFlag
	h.Now = max(now, h.Now) + p.rng.Around(2*second, &spreadSlow)
	h.KingsToCentre(p.game.result)
	h.Wait(2 * second)
	h.cue(cueOver.ref(0))
	return h.Take()
}

// adjourn interrupts the game and sets it up again later: the clock is stopped, the pieces are removed one by one, and
// everything is put back.
func (p *pair) adjourn() []emulator.Act {
	h := p.hands
	p.liftAt, p.before = emulator.Never, h.table
	standing := h.table
	h.Wait(second)
	h.Pause()
	h.Wait(5 * second)
	h.Arrange(legal.Placement{})
	h.Wait(p.rng.Around(analysisUS, &spreadTight))
	h.Arrange(standing)
	h.Wait(5 * second)
	h.Run(p.pos.Turn())
	h.cue(cueTurn.ref(p.ply))
	return h.Take()
}

// KingsToCentre shows a result: both kings on light centre squares when White won, on dark ones when Black won, on one
// of each for a draw. Pieces in the way are removed first. DGT protocol notes, section 13.
func (h *Hands) KingsToCentre(result string) {
	white, black := legal.E4, legal.D5
	switch result {
	case "0-1":
		white, black = legal.D4, legal.E5
	case "1/2-1/2":
		white, black = legal.E4, legal.E5
		if h.rng.Permille(500) {
			white, black = legal.D4, legal.D5
		}
	}
	for _, sq := range [...]legal.Square{white, black} {
		if p := h.table[sq]; p != legal.NoPiece && p.Kind() != legal.King {
			h.Lift(sq)
			h.Drop()
			h.pause()
		}
	}
	kings := [...]struct {
		piece legal.Piece
		to    legal.Square
	}{{legal.BlackKing, black}, {legal.WhiteKing, white}}
	for _, k := range kings { // recorded: both kings are in the air together
		if from := h.find(k.piece); from != legal.NoSquare && from != k.to {
			h.Lift(from)
			h.pause()
		}
	}
	for _, k := range kings {
		if h.table[k.to] != k.piece {
			h.PutPiece(k.to, k.piece)
			h.pause()
		}
	}
}

func (h *Hands) find(p legal.Piece) legal.Square {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if h.table[sq] == p {
			return sq
		}
	}
	return legal.NoSquare
}

func (h *Hands) pause() { h.Wait(h.scaled(h.rng.Around(500_000, &spreadSlow))) }

// Arrange sets up another position, one piece at a time: a piece that another square needs goes there, surplus ones go
// beside the board, and missing ones come from there. An arbiter restores a position with the same verb.
func (h *Hands) Arrange(target legal.Placement) {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		p := h.table[sq]
		if p == legal.NoPiece || p == target[sq] {
			continue
		}
		h.Lift(sq)
		h.pause()
		if to := h.wanted(p, &target); to != legal.NoSquare {
			h.Put(to)
			h.pause()
			continue
		}
		h.Drop()
	}
	for _, sq := range h.shuffled() {
		if p := target[sq]; p != h.table[sq] {
			h.PutPiece(sq, p)
			h.pause()
		} else if h.blind[sq] {
			h.Stand(sq)
			h.pause()
		}
	}
}

// wanted returns an empty square on which the target has this piece.
func (h *Hands) wanted(p legal.Piece, target *legal.Placement) legal.Square {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if target[sq] == p && h.table[sq] == legal.NoPiece {
			return sq
		}
	}
	return legal.NoSquare
}

// shuffled returns all squares in a random order.
func (h *Hands) shuffled() [64]legal.Square {
	var order [64]legal.Square
	for i := range order {
		j := h.rng.Below(int64(i + 1))
		order[i] = order[j]
		order[j] = legal.Square(i)
	}
	return order
}
