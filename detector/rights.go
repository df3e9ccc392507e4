package detector

import (
	"boardwatchd/detector/array"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// homeRights are the most generous orthodox rights that a placement allows.
func homeRights(p *legal.Placement) legal.Rights {
	start := legal.StartSetup(array.OrthodoxNumber)
	return play.KeptRights(&start, p)
}
