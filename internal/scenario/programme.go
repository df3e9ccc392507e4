package scenario

import (
	"fmt"
	"slices"

	"boardwatchd/internal/emulator"
)

// restUS is the time between two cases of a programme, in which people read the answer and it becomes final.
const restUS = 6_000_000

// Programme plays cases one after the other at one board: in between, the clock is stopped, the next position is set up
// and the clock is set. They must be cases for the same board. The plan's Begins, Ends and Preamble are those of the
// last case.
func Programme(cases []*Case) (*Plan, error) {
	var whole *Plan
	for _, c := range cases {
		from := int64(0)
		if whole != nil {
			from = whole.Ends + restUS
		}
		p := planner{now: from}
		if whole != nil {
			next, err := c.Plan(0)
			if err != nil {
				return nil, fmt.Errorf("case %s: %w", c.ID, err)
			}
			p.table = whole.left
			p.act(emulator.Act{Verb: emulator.PauseAll})
			p.now += defaultGapUS
			p.arrange(next.Table)
			p.now += defaultGapUS
			p.setClock(c, next.Clock)
		}
		plan, err := c.Plan(p.now)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		if whole != nil {
			if plan.ScanUS != whole.ScanUS {
				return nil, fmt.Errorf("case %s: its board scans in %d ms and the one before in %d ms; emulate them one by one", c.ID, plan.ScanUS/1000, whole.ScanUS/1000)
			}
			plan.Acts = slices.Concat(whole.Acts, p.acts, plan.Acts)
			plan.Cues = append(whole.Cues, plan.Cues...)
			plan.Table, plan.Clock = whole.Table, whole.Clock
		}
		whole = plan
	}
	return whole, nil
}

// setClock sets a stopped clock for the next case.
func (p *planner) setClock(c *Case, o emulator.ClockOptions) {
	p.act(emulator.Act{Verb: emulator.LeverTo, Side: c.Start.Setup.Turn})
	for _, side := range [...]Actor{White, Black} {
		bonus := int64(o.BonusSec) * 1_000_000
		p.act(emulator.Act{Verb: emulator.SetBonus, Side: side.Side(), US: bonus})
		p.act(emulator.Act{Verb: emulator.SetTime, Side: side.Side(), US: int64(o.BaseSec)*1_000_000 + bonus})
	}
}
