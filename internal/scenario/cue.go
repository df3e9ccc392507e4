package scenario

import (
	"strconv"
	"strings"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// A Cue is a person's input to the program.
type Cue struct {
	At   int64
	Kind record.Kind // Instruct or Decide
	Text string      // the input in words for people

	instruct watch.Instruction
	decide   bool // the arbiter confirms the open finding
}

func strikes(s Sides) watch.Instruction {
	return watch.Instruction{Do: watch.DoStrikes, White: watch.Value(strconv.Itoa(s.White)), Black: watch.Value(strconv.Itoa(s.Black))}
}

func switched(name string) watch.Instruction {
	return watch.Instruction{Do: watch.DoFlag, Name: name, On: true}
}

func (p *planner) cue(i watch.Instruction) {
	text := strings.Join(strings.Fields(strings.Join([]string{i.Do, i.What, i.Name, i.Result, i.Side, i.Squares}, " ")), " ")
	p.note(Cue{Kind: record.Instruct, Text: text, instruct: i})
}

func (p *planner) note(c Cue) {
	c.At = p.now
	p.cues = append(p.cues, c)
}

// lossOf returns the result in which a side loses.
func lossOf(s legal.Side) string {
	if s == legal.White {
		return "0-1"
	}
	return "1-0"
}

// nameOf returns a side in the words of the contract, "" for none.
func nameOf(s legal.Side) string {
	if s == legal.NoSide {
		return ""
	}
	return s.String()
}

// Decides reports whether the cue is the arbiter's decision about the finding that is open at that time.
func (c *Cue) Decides() bool { return c.decide }

// Body returns the record's body; confirm is the finding that the arbiter decides about. It returns nil if there is
// nothing to decide.
func (c *Cue) Body(confirm string) []byte {
	switch {
	case !c.decide:
		return c.instruct.Body()
	case confirm == "":
		return nil
	}
	return watch.Decision{Finding: confirm, Decision: "confirm", By: "arbiter"}.Body()
}

// tell handles words spoken, reports, agreements and signatures.
func (p *planner) tell(a *Act) {
	switch a.Verb {
	case Say:
		if claim, ok := strings.CutPrefix(a.Word, claimPrefix); ok {
			p.cue(watch.Instruction{Do: watch.DoClaim, What: claim, Side: nameOf(a.Actor.Side())})
		}
	case Report:
		p.cue(watch.Instruction{Do: watch.DoReport, What: a.Word, Side: nameOf(a.Side), Move: a.Move, Squares: a.Squares})
	case ResultOf:
		p.cue(watch.Instruction{Do: watch.DoResult, Result: a.Result})
	case Resign:
		p.cue(watch.Instruction{Do: watch.DoResult, Result: lossOf(a.Actor.Side()), Side: nameOf(a.Actor.Side())})
	case Sign:
		p.cue(watch.Instruction{Do: watch.DoSign, Side: nameOf(a.Actor.Side())})
	}
}

// restore puts the last good position back. If the arbiter does it, the open finding was decided before.
func (p *planner) restore() {
	if !p.hasBase {
		p.fail("no good position is known that could be put back")
		return
	}
	byArbiter := p.at.Actor == Arbiter
	if byArbiter {
		p.note(Cue{Kind: record.Decide, Text: "confirm", decide: true})
	}
	p.now += stepUS
	p.arrange(p.base.Placement())
	if byArbiter {
		p.cue(watch.Instruction{Do: watch.DoRestore})
	}
}

// turned returns the orientation of the board. A stage direction anywhere in the case gives it, from the beginning.
func (c *Case) turned() turn {
	for i := range c.Acts {
		for t := quarter; t <= threeFourth; t++ {
			if a := &c.Acts[i]; a.Verb == Say && strings.Contains(a.Word, "white pieces on "+directions[t]) {
				return t
			}
		}
	}
	return straight
}
