package play

import "boardwatchd/rules/legal"

// A Lever is one side of the clock. Which of them is White's is a hypothesis of each story.
type Lever uint8

const (
	NoLever Lever = iota
	LeftLever
	RightLever
)

// A Reading is what the clock showed: whole seconds, whose time runs or would run, and whether it runs.
type Reading struct {
	Up          Lever
	Running     bool
	Left, Right int
}

// resting is the time of the side that does not run.
func (r Reading) resting() int {
	if r.Up == LeftLever {
		return r.Right
	}
	return r.Left
}

// An image is a placement that stood on the board.
type image struct {
	place legal.Placement
	at    int64 // when it was reported
	lost  bool  // found by a dump: what lies between it and the image before is not known
}

// A press is a lever that changed while the clock ran, or that was found changed.
type press struct {
	at    int64
	due   int64
	lever Lever // of the player who pressed
	first int   // the image that stood when it was reported, as an index that counts from the beginning of the game
	gap   bool  // in a gap of the line or of the clock
	soon  bool  // within bounceUS of the press before it
	set   bool  // the clock stood before: the lever may have been set by hand
	lag   int64 // for how long a press can be on its way, from the ply to the report
}

// evidence is what was seen since the last settled press. It holds no conclusion.
type evidence struct {
	images  []image
	dropped int // images that were dropped before images[0]: indices count from the beginning of the game

	gapAt, lossAt, mergedAt, stoppedAt int64

	single bool // of one press, for Explain: Heart, which has the presses behind it, does worse with the rows that look at what stood how long
}

// maxImages bounds what is remembered between two settled presses: a board that flickers for minutes must not fill the memory.
const maxImages = 256

const never = int64(-1) << 62

func newEvidence() evidence {
	return evidence{gapAt: never, lossAt: never, mergedAt: never, stoppedAt: never}
}

// end is the index behind the last image.
func (e *evidence) end() int { return e.dropped + len(e.images) }

// at is the image of an index; one that was dropped is the oldest that is left.
func (e *evidence) at(i int) *image { return &e.images[max(i-e.dropped, 0)] }

func (e *evidence) last() *image { return &e.images[len(e.images)-1] }

func (e *evidence) add(im image) {
	if len(e.images) == maxImages {
		e.forget(e.dropped + maxImages/2)
	}
	e.images = append(e.images, im)
}

// forget drops the images before an index.
func (e *evidence) forget(before int) {
	n := min(max(before-e.dropped, 0), max(len(e.images)-1, 0))
	if n == 0 {
		return
	}
	e.images = e.images[:copy(e.images, e.images[n:])]
	e.dropped += n
}

// restedAt is the index at which a square came to read as it reads now.
func (e *evidence) restedAt(sq legal.Square) int {
	i := len(e.images) - 1
	for i > 0 && e.images[i-1].place[sq] == e.images[i].place[sq] {
		i--
	}
	return i
}
