package play

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// An Image is a placement that the board has shown, and when it was reported.
type Image struct {
	Place legal.Placement
	At    int64
	Lost  bool // a dump has found it: the changes between it and the image before are unknown
}

// A Press is one press of the clock by a known player.
type Press struct {
	Side  legal.Side
	At    int64
	First int   // index of the image at the time of the report
	Lag   int64 // the longest time from the ply that it completes to its report
	Usual int64 // the usual time
	// Merged: a reading since the last completed ply held two presses. Lost: reports may have been lost since then.
	Merged, Lost bool
}

// An Explanation is one story that can explain the evidence since the last completed ply.
type Explanation struct {
	Moves []legal.Move // in order; NoMove is an act that no legal move makes
	Seen  []int        // for each, the index of the image that showed the board after it, or -1
	Kind  kinds.Kind   // the offence that the press completed; "": none
	Cost  Cost
	Arcs  []Arc
	// The image in which the piece of the last move came to rest, even if the next piece was already lifted; 0: none
	// was seen.
	Rests int
	Press bool // the last of the moves, or the offence, was completed by the press
	Whole bool // no piece is missing, extra or misread, neither at the press nor now
}

// faulty marks the arcs that play cannot cause: pieces that are missing, extra or misread.
var faulty = mark(ArcAir, ArcGhost, ArcMisread, ArcMore, ArcPromotionUnread, ArcPromotionPawn)

// Explain returns the explanations of one press, cheapest first: at most maxExplanations. It is a function of its
// arguments.
func Explain(root legal.Position, images []Image, pr Press) []Explanation {
	if len(images) == 0 {
		return nil
	}
	ev := evidence{images: images, merged: pr.Merged, lost: pr.Lost}
	pr.First = min(max(pr.First, 0), len(images)-1)
	start := basis{at: newNode(root), have: -1}
	if start.at.place == images[0].Place {
		start.have = 0
	}
	list := ev.stories(&start, &pr)
	slices.SortStableFunc(list, func(a, b *story) int { return int(a.cost - b.cost) })
	list = distinct(list)
	var out []Explanation
	for _, st := range list[:min(len(list), maxExplanations)] {
		if x, ok := ev.explanation(st); ok {
			out = append(out, x)
		}
	}
	return out
}

// explanation returns the story as an Explanation. It returns false where a ply of the story was taken back, and
// neither made again nor answered by its capture.
func (e *evidence) explanation(st *story) (x Explanation, ok bool) {
	x = Explanation{Cost: st.cost, Arcs: st.marks.Arcs(), Whole: (st.marks|st.left)&faulty == 0, Kind: st.kind, Press: st.kind != ""}
	line := st.line.list()
	for i, p := range line {
		after := st.at
		if i+1 < len(line) {
			after = line[i+1].from
		}
		_, last, ok := e.seenAt(p.have, &after.place)
		if _, back, is := e.seenAt(last, &p.from.place); ok && is {
			again, taken := p.from.by(&after.place), e.at(e.end() - 1).Place[p.move.To()].Side() == p.from.turn().Other()
			if again != nil && !taken && !e.reported(back, again) {
				return x, false
			}
		}
		if ends := i+1 == len(line); !ok {
			last = -1
			switch s := p.from.by(&after.place); {
			case ends && st.marks.has(ArcLater):
				last = st.have
			case ends && s != nil:
				x.Rests, _ = e.lifted(p.have, s)
			}
		}
		x.Moves, x.Seen, x.Press = append(x.Moves, p.move), append(x.Seen, last), x.Press || p.pressed
	}
	return x, true
}
