package live

import (
	"time"

	"boardwatchd/rules/words"
)

// Facts are the data about a board and its clock that an operator needs.
type Facts struct {
	Summary
	Serial   string    // as the board last sent it; "": not known
	Reading  string    // of the clock: connected, missing, unknown
	ClockLow bool      // the clock's battery
	BoardLow bool      // the board's battery
	LateUS   int64     // time for which the program stood still, in this journal
	LateAt   time.Time // when it last stood still, if that was since the start
	Remarks  []Remark
}

// A Remark is something that lowers the health of a board.
type Remark struct {
	Health Health
	What   string // as Summary.HealthWhat
	Detail string // as Summary.HealthDetail
	Say    *words.Sentence
}

// Facts returns the facts of all boards, in the order in which they were added.
func (bs *Boards) Facts() []Facts {
	boards := bs.all()
	list := make([]Facts, 0, len(boards))
	for _, b := range boards {
		list = append(list, b.facts())
	}
	return list
}

func (b *Board) facts() Facts {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := Facts{Summary: b.summary(), Serial: b.view.Serial, Reading: "unknown", LateUS: b.view.LateUS, LateAt: b.lateAt}
	if b.view.Clock.Read {
		f.Reading = "connected"
	}
	if b.health.now("clock_missing").what != "" {
		f.Reading = "missing"
	}
	if low := b.health.now("battery_low"); low.what != "" {
		f.ClockLow = low.say != nil && low.say.Key == "row.clock_battery"
		f.BoardLow = !f.ClockLow
	}
	word, first := b.judge()
	if word == Good {
		return f
	}
	f.Remarks = append(f.Remarks, Remark{word, first.what, first.detail, first.say})
	if !b.watching || b.reading || b.stalled.what != "" { // the rest is about the past
		return f
	}
	for i := range conditions {
		if r := b.condition(i); r.what != "" && r.what != first.what {
			f.Remarks = append(f.Remarks, Remark{Warn, r.what, r.detail, r.say})
		}
	}
	for _, r := range [...]remark{b.arrayset.reported, b.clockset.reported} {
		if r.what != "" && r.what != first.what {
			f.Remarks = append(f.Remarks, Remark{Warn, r.what, r.detail, r.say})
		}
	}
	return f
}
