package score

import "fmt"

// A Named curve goes into a diagram.
type Named struct {
	Name  string
	Curve Curve
}

// lowestRate is where the diagram of detection against false alarms begins.
const lowestRate = 1e-4

// ROC draws what is found against what it costs, with the interval at one false alarm per 1,000 where there are enough
// cases to know that point.
func ROC(title string, curves ...Named) Plot {
	p := Plot{
		Title: title,
		X:     Axis{Label: "false alarms among one-handed moves", Lo: lowestRate, Hi: 1, Log: true},
		Y:     Axis{Label: "two-handed moves found", Lo: 0, Hi: 1},
	}
	for _, n := range curves {
		s := Series{Name: n.Name, Line: n.Curve.line()}
		p.Desc += fmt.Sprintf("%s (%d one-handed, %d two-handed): ", n.Name, n.Curve.One, n.Curve.Two)
		if at := n.Curve.At(0.001); n.Curve.One < 1000 {
			p.Desc += "too few for one false alarm per 1,000.\n"
		} else {
			s.Marks = []Mark{{X: 0.001, Y: at.Found.Rate(), From: at.Found.Low, To: at.Found.High}}
			p.Desc += percents(at.Found) + " found at one false alarm per 1,000.\n"
		}
		p.Series = append(p.Series, s)
	}
	p.Series = append(p.Series, Series{Name: "guessing", Line: guess(), Faint: true})
	p.Desc += "The further left and up a line runs, the better; bars are 95 % intervals."
	return p
}

// line is the curve as steps, from the lowest rate that so many cases can tell from none.
func (c Curve) line() []XY {
	if c.One == 0 || c.Two == 0 {
		return nil
	}
	var line []XY
	first := max(lowestRate, 1/float64(c.One))
	last := XY{X: first, Y: c.At(first).Found.Rate()}
	line = append(line, last)
	for i := range c.scores {
		next := XY{X: float64(c.alarms[i]) / float64(c.One), Y: float64(c.hits[i]) / float64(c.Two)}
		// A tenth of a pixel is not worth a point.
		if next.X > last.X*1.004 || next.X > first && next.Y > last.Y+0.002 {
			line = append(line, XY{X: next.X, Y: last.Y}, next)
			last = next
		}
	}
	return append(line, XY{X: 1, Y: last.Y}, XY{X: 1, Y: 1})
}

func guess() (line []XY) {
	for x := lowestRate; x < 1; x *= 1.3 {
		line = append(line, XY{X: x, Y: x})
	}
	return append(line, XY{X: 1, Y: 1})
}

// Calibrated draws what came true against what was stated.
func Calibrated(title string, bins []Bin) Plot {
	p := Plot{
		Title: title,
		X:     Axis{Label: "stated confidence", Lo: 1e-4, Hi: 1, Log: true},
		Y:     Axis{Label: "came true", Lo: 1e-4, Hi: 1, Log: true},
	}
	s := Series{Name: "cases by stated confidence, with 95 % intervals"}
	wrong, bold := 0, 0
	for _, b := range bins {
		s.Marks = append(s.Marks, Mark{X: b.Stated, Y: b.Observed, From: b.From, To: b.To})
		if !b.Holds() {
			wrong++
		}
		if b.Bold() {
			bold++
		}
	}
	p.Series = []Series{s, {Name: "stated = came true", Line: guess(), Faint: true}}
	p.Desc = fmt.Sprintf("%d bins of stated confidence; in %d of them what was stated lies outside the 95 %% interval of what came true, in %d "+
		"above it: too sure of itself, and below the dotted line.", len(bins), wrong, bold)
	return p
}

func percents(s Share) string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*s.Rate(), 100*s.Low, 100*s.High)
}
