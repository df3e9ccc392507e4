package detector

// Every duration of the tracker, in microseconds, each with its reason; those that an operator can set are Params. Those
// of the rooms below are in theirs: play/patience.go, and beside the check that uses it in offence and hint.

// How fast hands are.
const (
	// noHandUS is how soon no two hands press one after the other.
	noHandUS = 60_000
	// stayUS is how long a piece that slides is not read on a square.
	stayUS = 100_000
	// quickestPutUS is the least time from putting one piece down to the opponent's putting down the next.
	quickestPutUS = 200_000
	// swungUS is how soon a lever that came back and is down again has bounced: two people have not made two moves
	// meanwhile.
	swungUS = 350_000
	// handUS is the least that a player takes from the lift of a piece to the press, and the clock to report it.
	handUS = 400_000
	// pressingUS is how long a hand in a hurry takes from the piece to the clock.
	pressingUS = 500_000
	// quickestPlyUS is the least time that two hands need for a ply and its press: five plies in a second are none.
	quickestPlyUS = 500_000
	// heldUS is for how long a hand holds a piece in a scramble.
	heldUS = 2_000_000
	// awayUS is how long a piece may be in the opponent's hand for its square to be a reply begun, takenUS that of a piece
	// that the reply may capture, and fetchUS that of a pawn that is taken off for the piece that it becomes: that may have
	// to be found.
	awayUS, takenUS, fetchUS = 4_000_000, 30_000_000, 60_000_000
)

// How long something must stand, or keep still, to be what it looks like.
const (
	// putUS is how long the presser's own pieces must have stood still for the move to be over. Laws notes 1.3: wait
	// until all is quiet.
	putUS = 500_000
	// passingUS is for how long a slid piece is read on a square that it passes: two scans at most.
	passingUS = 500_000
	// quietUS is how long the board must have stood as the press left it.
	quietUS = 600_000
	// lyingUS is how long pieces that are not read must have lain.
	lyingUS = 1_500_000
	// stayedUS is how long a lever must have stayed where it came to right after a press, for that to have been a press
	// without a move: one that bounces is back within moments.
	stayedUS = 3_000_000
	// slideUS is how long a board that shows a row of plies against what was seen may be in the middle of a slide, or of
	// a capture.
	slideUS = 3_000_000
	// arrayUS is how long a start position with an error must stand before it is reported as certain: pieces are still
	// being set up before that.
	arrayUS = 5_000_000
)

// How late something may come.
const (
	// marginUS is how much later a report may come that is not unusual.
	marginUS = 300_000
	// lookUS is how soon after a press a dump that was asked for at the press is there.
	lookUS = 1_400_000
	// leverUS is how long after a press the second reading of the clock is waited for: a late clock must not make a late
	// alert.
	leverUS = 1_450_000
	// correctUS is how long after a press the dump that it asked for may revise the move: a dump takes 0.1 to 0.4 s, and
	// one more is asked for when the first disagrees (protocol notes, section 9).
	correctUS = 2_000_000
	// backUS is how soon the opponent must press back for a press without a move to count for nothing.
	backUS = 2_000_000
	// promptUS is how soon after the reply a forgotten press is noticed, most often when the opponent finds the lever
	// down. A later press may still be that, and so nobody is accused of it at once.
	promptUS = 2_500_000
	// freshStartUS is how long after the clock was started a press without a move is still part of starting it
	// (reconstruction notes 7.4).
	freshStartUS = 3_000_000
	// lateTicks is how many seconds the clock must count after a press until board reports come too late to belong
	// before it. The first can follow at once, so that the second is the one that proves a second.
	lateTicks = 2
)

// What the displays and the presses say of time that nobody saw.
const (
	// faceUS is by how much the difference of two displayed times and of the moments of their readings can be wrong: a
	// second of the display, and a second by which a reading comes late.
	faceUS = 2_200_000
	// waitedSlackUS is by how much the seconds of the displays may exceed the time between two readings: one second for
	// each side, because a display shows whole seconds, and half a second for a clock that reports its seconds late.
	waitedSlackUS = 2_500_000
	// firstPaceUS is what the pace of a game is taken for at first.
	firstPaceUS = 2_000_000
)

// Which side of the clock is White's (sides.go).
const (
	// inTimeUS is from the last square of a ply to the report of its press, at most: the hand, and the clock's report.
	inTimeUS = 1_700_000
	// mostLateUS is how much later than that counts: a press may be forgotten for a while.
	mostLateUS = 1_500_000
	// exchangedUS is how much better the exchanged sides must fit: three presses of a game with time to think; and
	// assumedUS where the sides were only assumed.
	exchangedUS, assumedUS = 4_000_000, 1_200_000
	// keptUS is how much better the sides as they are can have fitted, so that a clock that is turned round is noticed.
	keptUS = 3_000_000
	// turnedUS is how much it weighs that a clock is started on the wrong side.
	turnedUS = exchangedUS - mostLateUS
)
