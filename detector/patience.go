package detector

// This file holds every duration of the tracker, in microseconds, each with its reason; the durations that an operator
// can set are Params. The packages below keep theirs in play/patience.go, and beside the check that uses them in
// offence and hint.

// How fast hands are.
const (
	// noHandUS is the time within which no two hands press one after the other.
	noHandUS = 60_000
	// stayUS is longer than a sliding piece is read on a square.
	stayUS = 100_000
	// quickestPutUS is the least time between putting down a piece and the opponent's putting down the next.
	quickestPutUS = 200_000
	// swungUS is the time within which a lever that came back and is down again has bounced: two people cannot make two
	// moves in it.
	swungUS = 350_000
	// handUS is the least time from the lift of a piece to the report of the press.
	handUS = 400_000
	// pressingUS is how long a hand in a hurry takes from the piece to the clock.
	pressingUS = 500_000
	// quickestPlyUS is the least time that two hands need for a ply and its press.
	quickestPlyUS = 500_000
	// heldUS is how long a hand holds a piece in a scramble.
	heldUS = 2_000_000
	// awayUS is how long a piece may be in the opponent's hand for its empty square to be a reply begun, takenUS the same
	// for a piece that the reply may capture, and fetchUS for a pawn that is taken off to be promoted: the new piece may
	// have to be found.
	awayUS, takenUS, fetchUS = 4_000_000, 30_000_000, 60_000_000
)

// How long something must stay so, to be what it looks like.
const (
	// putUS is how long the presser's own pieces must have rested for the move to be over. Laws notes 1.3: wait until
	// all is quiet.
	putUS = 500_000
	// passingUS is how long a sliding piece is read on a square that it passes: two scans at most.
	passingUS = 500_000
	// quietUS is how long the board must have been as the press left it.
	quietUS = 600_000
	// lyingUS is how long pieces that are not read must have lain.
	lyingUS = 1_500_000
	// stayedUS is how long a lever must have stayed down right after the opponent's press for that to have been a press
	// without a move: one that bounces is back within moments.
	stayedUS = 3_000_000
	// slideUS is how long a board that shows a row of plies contrary to the reports may be in the middle of a slide or
	// a capture.
	slideUS = 3_000_000
	// settingUpUS is how long players take to set up the pieces for the next game.
	settingUpUS = 180_000_000
	// standsUS is how long a clock must stand until the lever shows whose turn it is: it is put right after the pieces,
	// mostly when the clock runs again.
	standsUS = 30_000_000
	// arrayUS is how long a start position with an error must stay before it is reported as certain: until then the
	// pieces may still be being set up.
	arrayUS = 5_000_000
)

// How late something may come.
const (
	// marginUS is how much later than usual a report may come.
	marginUS = 300_000
	// lookUS is the time after a press by which a dump requested at the press has come.
	lookUS = 1_400_000
	// leverUS is how long after a press the second reading of the clock is awaited: a late clock must not delay an
	// alert.
	leverUS = 1_450_000
	// correctUS is how long after a press the dump that it requested may revise the move: a dump takes 0.1 to 0.4 s,
	// and a second one is requested when the first disagrees (protocol notes, section 9).
	correctUS = 2_000_000
	// backUS is the time within which the opponent must press back to cancel a press without a move.
	backUS = 2_000_000
	// promptUS is the time after the reply within which a forgotten press is usually noticed, mostly when the opponent
	// finds the lever down. A later press may still be a forgotten one, so that it accuses nobody at once.
	promptUS = 2_500_000
	// freshStartUS is how long after the clock was started a press without a move is still part of starting it
	// (reconstruction notes 7.4).
	freshStartUS = 3_000_000
	// lateTicks is the number of seconds that the clock must count after a press until board reports come too late to
	// belong before it. The first can follow at once, so that only the second proves a second.
	lateTicks = 2
)

// What the displays and the presses show of time without reports.
const (
	// faceUS is the greatest error of the difference between two displayed times, compared with the times of their
	// readings: a second of the display, and a second by which a reading comes late.
	faceUS = 2_200_000
	// waitedSlackUS is by how much the seconds of the displays may exceed the time between two readings: one second for
	// each side, because a display shows whole seconds, and half a second for a clock that reports late.
	waitedSlackUS = 2_500_000
	// firstPaceUS is the assumed pace at the beginning of a game.
	firstPaceUS = 2_000_000
)

// Which side of the clock is White's (sides.go).
const (
	// inTimeUS is the longest time from the last square of a ply to the report of its press: the hand, and the clock's
	// report.
	inTimeUS = 1_700_000
	// mostLateUS is the greatest delay beyond that which counts: a press may be forgotten for a while.
	mostLateUS = 1_500_000
	// exchangedUS is how much better the exchanged sides must fit: three presses of a game with time to think;
	// assumedUS is the same where the sides were only assumed.
	exchangedUS, assumedUS = 4_000_000, 1_200_000
	// keptUS is the greatest credit of the present sides, so that a clock that is turned round is noticed.
	keptUS = 3_000_000
	// replayUS is how long the start position stands before it is the next game, while the clock stands and was not set:
	// an arbiter who plays a game again from there moves sooner.
	replayUS = 15_000_000
	// turnedUS is the weight of a clock that is started on the wrong side.
	turnedUS = exchangedUS - mostLateUS
)
