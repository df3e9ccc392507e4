package emulator

import "boardwatchd/rules/legal"

// script writes acts with a pace of its own. Each verb begins at now.
type script struct {
	now   int64
	table legal.Placement
	acts  []Act
}

func (s *script) Wait(us int64) { s.now += us }

func (s *script) sense(sq legal.Square, p legal.Piece) {
	s.acts = append(s.acts, Act{At: s.now, Verb: Sense, Square: sq, Piece: p})
	s.table[sq] = p
}

// fly moves a piece through the air.
func (s *script) fly(from, to legal.Square) {
	p := s.table[from]
	s.sense(from, legal.NoPiece)
	s.Wait(350_000)
	s.sense(to, p)
}

// clear removes everything from the board, one piece at a time.
func (s *script) clear() {
	for sq, p := range s.table {
		if p != legal.NoPiece {
			s.sense(legal.Square(sq), legal.NoPiece)
			s.Wait(500_000)
		}
	}
}

func (s *script) clock(v Verb, side legal.Side, us int64) {
	s.acts = append(s.acts, Act{At: s.now, Verb: v, Side: side, US: us})
}

func (s *script) Press(side legal.Side)             { s.clock(PressOf, side, 0) }
func (s *script) Run(side legal.Side)               { s.clock(RunOf, side, 0) }
func (s *script) Pause()                            { s.clock(PauseAll, legal.NoSide, 0) }
func (s *script) Lever(turn legal.Side)             { s.clock(LeverTo, turn, 0) }
func (s *script) SetTime(side legal.Side, us int64) { s.clock(SetTime, side, us) }
func (s *script) AddTime(side legal.Side, us int64) { s.clock(AddTime, side, us) }
func (s *script) DropFlag(side legal.Side)          { s.clock(DropFlag, side, 0) }
func (s *script) Unplug()                           { s.clock(ClockOut, legal.NoSide, 0) }
func (s *script) Plug()                             { s.clock(ClockIn, legal.NoSide, 0) }
