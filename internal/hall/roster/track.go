package roster

import (
	"slices"
	"time"

	"boardwatchd/internal/hall/wire"
)

// Runs follows which runs of the program use one computer's key.
type Runs struct {
	heard        []wire.Self // one message of each run, the newest last
	heardAgainAt time.Time   // when an earlier run was last heard again
	heardAgain   int         // how often that happened, one soon after the other
}

const (
	maxRuns = 4
	// runsOverAfter is the pause after which two runs are no longer reported: several beats of each.
	runsOverAfter = 30 * time.Second
	// runsBack is how often an earlier run must be heard again: one delayed message alone makes two changes, there and
	// back.
	runsBack = 3
)

// Hear takes in the Self of a beat.
func (r *Runs) Hear(s wire.Self, now time.Time) {
	if s.Run == "" {
		return // an older program
	}
	i := slices.IndexFunc(r.heard, func(o wire.Self) bool { return o.Run == s.Run })
	switch {
	case i < 0:
		r.heard = append(r.heard, s)
		if len(r.heard) > maxRuns {
			r.heard = r.heard[1:]
		}
	case i < len(r.heard)-1:
		if now.Sub(r.heardAgainAt) > runsOverAfter {
			r.heardAgain = 0
		}
		r.heardAgainAt = now
		r.heardAgain++
		r.heard = append(slices.Delete(r.heard, i, i+1), s)
	}
}

// TwoAtOnce reports whether two runs are active at the same time.
func (r *Runs) TwoAtOnce(now time.Time) bool {
	return r.heardAgain >= runsBack && now.Sub(r.heardAgainAt) <= runsOverAfter
}

// Apart reports whether the last two runs are, or may be, on different computers.
func (r *Runs) Apart() bool {
	n := len(r.heard)
	return n < 2 || r.heard[n-1].Boot == "" || r.heard[n-1].Boot != r.heard[n-2].Boot
}

// Hosts are the host names of two runs; one name if both are on the same computer, or on computers of the same name.
func (r *Runs) Hosts() (list []string) {
	for _, s := range r.heard[max(0, len(r.heard)-2):] {
		if s.Host != "" && !slices.Contains(list, s.Host) {
			list = append(list, s.Host)
		}
	}
	slices.Sort(list) // which of them was heard last changes with each beat
	return list
}

// Offset follows the difference of a computer's clock from the hall's.
type Offset struct{ last []time.Duration }

const (
	// offsets is how many beats are compared: the one that came quickest tells best.
	offsets = 5
	// offsetsBehind is how many of them must say that a clock is behind: so does each beat that comes late, and where
	// the hall has much to do all of them may for half a minute.
	offsetsBehind = 30
)

// Hear takes in the time in a beat and the time when it was heard.
func (o *Offset) Hear(wallMS int64, now time.Time) {
	if wallMS == 0 {
		return
	}
	o.last = append(o.last, time.Duration(wallMS-now.UnixMilli())*time.Millisecond)
	if len(o.last) > offsetsBehind {
		o.last = o.last[1:]
	}
}

// Known is how far the clock is ahead; false: too few beats were heard.
func (o *Offset) Known() (ahead time.Duration, known bool) {
	if len(o.last) < 2 {
		return 0, false
	}
	ahead = slices.Max(o.last[max(0, len(o.last)-offsets):]) // a message only comes late
	if ahead < 0 {
		ahead = min(slices.Max(o.last), 0)
	}
	if ahead < -maxClockOffset && len(o.last) < offsetsBehind {
		return 0, false // the beats of a start may all have come late
	}
	return ahead, true
}

// A Home is the place where a board belongs.
type Home struct {
	Serial   string `json:"serial"`
	Computer string `json:"computer"`
	Board    string `json:"board"` // its name there
}

// Homes are the homes of all boards that have answered.
type Homes struct {
	List    []Home
	Changed bool // set by a change; the program that keeps the list clears it

	of map[string]int // by serial number, the index in List
}

// maxHomes is how many are remembered; the oldest is forgotten.
const maxHomes = 4096

// OpenHomes starts from a saved list.
func OpenHomes(list []Home) *Homes {
	h := &Homes{List: list}
	h.index()
	return h
}

func (h *Homes) index() {
	h.of = map[string]int{}
	for i, o := range h.List {
		h.of[o.Serial] = i
	}
}

// Hear notes where a board answers. Member reports whether a computer is in the hall.
func (h *Homes) Hear(now Home, member func(computer string) bool) {
	i, known := h.of[now.Serial]
	if !known {
		h.List, h.Changed = append(h.List, now), true
		if len(h.List) > maxHomes {
			h.List = slices.Delete(h.List, 0, 1)
			h.index()
			return
		}
		h.of[now.Serial] = len(h.List) - 1
		return
	}
	was := h.List[i]
	ofItself := was.Computer == now.Computer && was.Board == "board-"+was.Serial
	if was != now && (ofItself || !member(was.Computer)) {
		h.List[i], h.Changed = now, true
	}
}

// Moved returns where a board was before, if it answers elsewhere now.
func (h *Homes) Moved(now Home) (was Home, moved bool) {
	i, known := h.of[now.Serial]
	if !known || h.List[i] == now {
		return was, false
	}
	return h.List[i], true
}

// Accept makes the place where a board answers now its home.
func (h *Homes) Accept(now Home) {
	if i, known := h.of[now.Serial]; known && h.List[i] != now {
		h.List[i], h.Changed = now, true
	}
}
