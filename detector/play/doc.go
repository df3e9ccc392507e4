// Package play answers one question: which play explains what the board and the clock have shown?
//
// # What it knows
//
// It knows positions and legal moves (rules/legal), the placements that the board has shown one after the other,
// presses or readings of the clock, and one table of costs (arcs.go). It does not know bytes, penalties, profiles,
// alerts, or the wording of a finding. The caller gives the position where a game begins, and turns the board: a
// placement has White on ranks 1 and 2 at the start.
//
// # How it decides
//
// Evidence is what was seen: images (a placement, and when it was reported), a press, and losses. A story is one course
// of play that can explain the evidence: a line of plies, the offence in it, if any, and what it costs to believe it,
// in milli-nats (thousandths of a natural logarithm of a probability):
//
//	images, press, losses ──► the arcs of arcs.go ──► explanations, cheapest first
//
// Explain does this from one known position. It returns what one press has completed, with the plies before it that no
// press completed and the reply that may have begun, or more plies where the board is ahead of the presses (later.go).
// It is a function of its arguments: it keeps nothing, and the caller decides what is committed. The detector calls it
// at each press after which the board shows more than one legal move (explainPress in detector/unpressed.go).
//
// Follower does it without a clock. As there are no presses, each image is evidence by itself: it adds to the cost of
// each course for what it shows beyond the course's position (the rows of a press), weighed by how long the image
// stayed or how many dumps have shown it (grades in patience.go). An image that is replaced at once hardly counts; one
// that stayed for a second was hardly a stop on the way. A course goes on by no ply, one, or two; by more where a dump
// shows what two do not explain, if the time between the dumps allows it; back to an earlier position that is on the
// board again; or, where nothing explains an image, by plies that are not known. Where two courses reach the same
// position by different plies at nearly the same cost, these plies are not known either, and are reported as a span
// (Step.Broken). The ways of the kings to the centre at the end are not plies (Last). With a clock, the detector gives
// a Follower all the images since the last commit where the presses do not show enough (unpressed.go).
//
// # The caller's loop
//
//	for _, x := range play.Explain(root, images, press) { ... } // cheapest first
//
//	f := play.Follow(position, before, now) // without a clock
//	for each input, in order of time:
//		f.Wake(now)
//		f.Image / f.Again / f.Gone
//		for s, ok := f.Settled(); ok; s, ok = f.Settled() { ... }
//		at, ok := f.Deadline()
//	for s, ok := f.Last(kings); ok; s, ok = f.Last(kings) { ... }
//
// Time is an argument, in microseconds, and never goes back. There is no clock, no goroutine, no floating point, and no
// map that is ranged over: the same input gives the same answer.
//
// # Input that it survives
//
// Images may show anything: pieces that no play can have brought there, no kings, sixty-four queens. Explain then
// returns expensive explanations or none. A position of the caller's must be one that rules/legal admits.
//
// # Where a situation is added
//
// A situation is a row of arcs.go: its name, its cost, the source of the number. If it may apply only under a
// condition, the row names its guard. It is never a flag.
//
// # Limits
//
// Explain returns at most maxExplanations. A story goes through at most longestChain plies that no press completed, and
// through at most seven plies without any image. Explain looks at all images that it is given. A ply with its press
// takes about 30 µs and 4 kB, a forgotten pair 0.1 ms, an offence 0.6 ms, plies without any image 10 ms.
//
// Source: inference notes, sections 2 and 6; FIDE Laws 6.2.1, 7.5.1 to 7.5.3.
package play
