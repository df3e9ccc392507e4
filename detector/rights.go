package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// keptRights are the castling rights of a position whose king and rook still stand where they stood.
func keptRights(s *legal.Setup, live *legal.Placement) legal.Rights { return play.KeptRights(s, live) }

// homeRights are the most generous orthodox rights that a placement allows.
func homeRights(p *legal.Placement) legal.Rights {
	start := legal.StartSetup(orthodoxArrayNumber)
	return keptRights(&start, p)
}
