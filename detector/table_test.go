package detector

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// A table is the board, the clock and the people of a story. It keeps the real board, so that a dump shows it even
// where a report was lost or false.
type table struct {
	t      *Tracker
	now    int64
	seq    evidence.Seq
	pieces legal.Placement // the real board, White at the near side
	turn   bool            // the board lies the other way round: squares are turned on the wire
	pos    legal.Position  // the position that the moves of the preamble lead to
	said   strings.Builder
	finds  []Found // every finding, each time it was reported

	outcomes []Outcome // everything that was reported
	looks    []string  // whether the record came to a ply in time

	clock  bool               // one is connected
	white  evidence.ClockSide // White's side of it
	read   evidence.ClockReading
	tickAt int64

	asleep  bool // inputs wait, because the program stands still
	since   int64
	waiting []func()
	faces   []*evidence.ClockReading // the clock readings among the waiting inputs
	width   int64                    // how much earlier than it is stamped an input may have arrived; -1: it did not wait
	down    bool                     // nothing reaches the tracker
	slow    bool                     // the clock does not report the seconds
	delay   int                      // seconds that are not counted after a press; 0: a press adds bonusSec
	resting int                      // how many of them are left
	shown   bool                     // what the clock showed at a press is narrated
	clockAt int64                    // when the requested reading comes
	passive bool                     // requests for a dump are not answered
	dumpAt  int64                    // when the requested dump comes

	unpolled bool   // the board does not read the clock
	after    func() // called after every input
}

const (
	bonusSec = 2
	answerUS = 200_000 // a dump at 9600 baud takes 70 ms, the rest is the spacing of commands
	secondUS = 1_000_000
)

func newTable() *table {
	tb := &table{clock: true, white: evidence.LeftSide, width: -1}
	tb.read = evidence.ClockReading{Left: 180, Right: 180, Up: evidence.LeftSide}
	tb.after = func() {}
	tb.t = New(DefaultParams())
	tb.t.hands.timed = true // a story has times
	return tb
}

// do performs one act: "[+SECONDS] VERB ARGUMENTS". Verbs:
//
//	start [NUMBER]      the start array (518 is the orthodox one) is seen, and the clock is started; not narrated
//	position FEN        the game has come to here by legal moves, the clock runs; not narrated
//	play MOVES          ordinary moves, each pressed; not narrated, but the tracker must have followed
//	e2 -   e4 P         the square is reported to read so
//	lost e4 P           the same happens on the board, and the report is lost
//	misread e4 q        the square is reported to read so, falsely
//	dump [FEN]          the board sends a dump: of itself, or of another position
//	wait                nothing happens
//	press white         the lever goes down on that side
//	stop, run           the clock's button
//	stops white         that side presses, and the clock is stopped before it reports either
//	starts black        the press that starts the clock: lever and run in one message
//	lever white         with the clock stopped the lever is moved: White's turn
//	set white 55        that side's time is set
//	flag white          that side's time is used up, and the clock stops
//	flagged white       that side's flag is shown, and the clock goes on
//	twice               a polled clock shows two presses in one message
//	clock unpolled, clock polled   the board does not read the clock for a while: presses are merged
//	clock out, clock in the clock's plug
//	down, up            the cable comes out, or the daemon is not running; it is back, and asks for board and clock
//	unheard, heard      all reports are lost, without a mark; they arrive again
//	asleep, awake       the program stands still; it goes on, and the waiting inputs come at once
//	watchdog            the program gives the board up and asks it again; not while some of its reports are unread
//	ply 6               in a wanted story: the record should have come to that ply by now
//	slow clock          from now on the clock reports levers and stops, and no seconds
//	delay 3             from now on a press adds nothing, and that many seconds after it are not counted
//	faces               from now on the times of presses, and what they gained, are narrated too
//	noise               bytes were damaged
//	finish              the recording ends
//	piece 1-0           a result piece is put on the board
//	told FEN            a person enters the position of the game
//	told 1-0            a person enters the result
//	claim draw3 black   a player claims a draw
//	scan 225            from now on the board is known to scan in 225 ms; batch 225: all squares at once
//	code e4             that square reads a code that is none of the twelve pieces
//	hold, release       a person pauses judgement; it is resumed
//
// and before the start: "passive" (requests for dumps are not answered), "no clock", "white right", "turned",
// "orthodox only".
func (tb *table) do(act string) error {
	w := strings.Fields(act)
	if len(w) == 0 {
		return errors.New("no verb")
	}
	if d, ok := strings.CutPrefix(w[0], "+"); ok {
		us, err := microseconds(d)
		if err != nil {
			return err
		}
		tb.pass(tb.now + us)
		w = w[1:]
	}
	if len(w) == 0 {
		return errors.New("no verb")
	}
	err := tb.verb(w[0], w[1:])
	tb.hear()
	return err
}

func (tb *table) verb(verb string, args []string) error {
	arg := strings.Join(args, " ")
	if sq, ok := legal.ParseSquare(verb); ok {
		return tb.field(sq, arg, true, true)
	}
	switch verb {
	case "passive":
		tb.passive = true
		p := tb.t.p
		p.Passive = true
		tb.t.SetParams(p)
	case "turned":
		tb.turn = true
	case "no":
		tb.clock = false
	case "white":
		tb.white, tb.read.Up = evidence.RightSide, evidence.RightSide
	case "orthodox":
		p := DefaultParams()
		p.Chess960 = array.Never
		tb.t = New(p)
		tb.t.hands.timed = true
	case "start", "position", "play":
		return tb.preamble(verb, arg)
	case "lost", "misread":
		sq, ok := legal.ParseSquare(args[0])
		if !ok {
			return errors.New("no square")
		}
		return tb.field(sq, args[1], verb == "misread", verb == "lost")
	case "dump":
		if arg != "" {
			p, err := placementOf(arg)
			if err != nil {
				return err
			}
			tb.pieces = p
		}
		tb.dump()
	case "wait":
	case "down", "up":
		tb.link(verb == "up")
	case "unheard", "heard":
		tb.down = verb == "unheard"
	case "asleep":
		tb.asleep, tb.since = true, tb.now
	case "awake":
		tb.awake()
	case "watchdog":
		if len(tb.waiting) > 0 {
			return nil
		}
		tb.t.Gap(tb.stamp())
		tb.t.DumpWanted()
		tb.dumpAt, tb.clockAt = tb.now+600_000, tb.now+700_000
	case "ply":
		n, err := strconv.Atoi(arg)
		word := "has"
		if tb.t.g.last().ply < n {
			word = "lacks"
		}
		tb.looks = append(tb.looks, fmt.Sprintf("record %s ply %d in time", word, n))
		return err
	case "slow":
		tb.slow = true
	case "delay":
		n, err := strconv.Atoi(arg)
		tb.delay = n
		return err
	case "faces":
		tb.shown = true
	case "noise":
		tb.t.Noise(tb.stamp())
	case "finish":
		tb.t.Finish(tb.stamp())
	case "piece":
		tb.t.ResultPiece(tb.stamp(), arg)
	case "scan", "batch":
		us, err := microseconds("0." + fmt.Sprintf("%03s", arg))
		tb.t.hands.sensor = hands.Sensor{PeriodUS: us, Order: hands.Raster, Fit: 950, Lead: 500, JitterUS: 4_000, Moves: 60}
		if verb == "batch" {
			tb.t.hands.sensor.Order = hands.Batch
		}
		return err
	case "code":
		sq, ok := legal.ParseSquare(arg)
		if !ok {
			return errors.New("no square")
		}
		tb.t.ResultPiece(tb.stamp(), "1-0")
		return tb.field(sq, "-", true, false)
	case "told":
		return tb.told(arg)
	case "claim":
		if len(args) != 2 {
			return errors.New("claim what, and who?")
		}
		side := legal.White
		if args[1] == "black" {
			side = legal.Black
		}
		tb.t.Claim(tb.stamp(), args[0], side)
	case "hold", "release":
		tb.t.Hold(tb.stamp(), verb == "hold")
	default:
		return tb.clockVerb(verb, arg)
	}
	return nil
}

func microseconds(s string) (int64, error) {
	whole, frac, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole+(frac + "000000")[:6], 10, 64)
	return n, err
}

func placementOf(fen string) (legal.Placement, error) {
	if !strings.Contains(fen, " ") {
		fen += " w - - 0 1"
	}
	s, err := legal.ParseFEN(fen)
	return s.Placement, err
}

func (tb *table) stamp() evidence.Stamp {
	tb.after() // the input before this one, if nobody has listened since
	tb.seq++
	return evidence.Stamp{Seq: tb.seq, At: tb.now, Waited: tb.width >= 0}
}

// pass lets time go by: seconds are counted, deadlines are kept, and the board answers when it was asked for a dump.
func (tb *table) pass(to int64) {
	for {
		at := to
		if tb.tickAt != 0 {
			at = min(at, tb.tickAt)
		}
		if tb.dumpAt != 0 {
			at = min(at, tb.dumpAt)
		}
		if tb.clockAt != 0 {
			at = min(at, tb.clockAt)
		}
		if d, ok := tb.t.Deadline(); ok && !tb.asleep {
			at = min(at, max(d, tb.now))
		}
		tb.now = at
		if !tb.asleep {
			tb.t.Wake(evidence.Stamp{Seq: tb.seq, At: at})
		}
		if tb.tickAt == at {
			tb.tick()
		}
		if tb.dumpAt == at {
			tb.dumpAt = 0
			tb.dump()
		}
		if tb.clockAt == at {
			tb.clockAt = 0
			tb.show()
		}
		tb.hear()
		if d, ok := tb.t.Deadline(); at == to && tb.tickAt != at && (!ok || d > at || tb.asleep) {
			return
		}
	}
}

func (tb *table) field(sq legal.Square, piece string, told, true_ bool) error {
	p := legal.NoPiece
	if piece != "-" {
		if p = pieceOf(piece); p == legal.NoPiece {
			return fmt.Errorf("no piece %q", piece)
		}
	}
	if true_ {
		tb.pieces[sq] = p
	}
	if told && !tb.down {
		if tb.turn {
			sq = 63 - sq
		}
		tb.send(nil, func() {
			tb.t.Field(tb.stamp(), sq, p, evidence.Window{Lo: tb.now - max(tb.width, 0) - tb.t.p.ScanUS, Hi: tb.now})
		})
	}
	return nil
}

func pieceOf(s string) legal.Piece {
	for p := legal.WhitePawn; p <= legal.BlackKing; p++ {
		if p.String() == s {
			return p
		}
	}
	return legal.NoPiece
}

// link takes the cable out or puts it in. The board's answers to the first questions come within a second.
func (tb *table) link(up bool) {
	tb.down = !up
	tb.t.Gap(tb.stamp())
	tb.t.DumpWanted()
	tb.dumpAt, tb.clockAt = 0, 0
	if up {
		tb.dumpAt, tb.clockAt = tb.now+600_000, tb.now+700_000
	}
}

func (tb *table) dump() {
	if tb.down {
		return
	}
	p := tb.pieces
	if tb.turn {
		p = play.Rotated(p)
	}
	tb.send(nil, func() {
		tb.t.Dump(tb.stamp(), p)
	})
}

// send hands something to the tracker, now or when the program goes on.
func (tb *table) send(face *evidence.ClockReading, it func()) {
	if tb.asleep {
		tb.waiting, tb.faces = append(tb.waiting, it), append(tb.faces, face)
		return
	}
	it()
}

// awake lets the program go on: all that has waited is read at once, and deadlines pass in between only where the
// clock's seconds prove it. Then the board is asked whether all is known.
func (tb *table) awake() {
	now := tb.now
	tb.asleep = false
	for i, w := range Waited(evidence.Window{Lo: tb.since, Hi: now}, tb.faces) {
		tb.t.Wake(evidence.Stamp{Seq: tb.seq, At: w.Lo})
		tb.hear()
		tb.now, tb.width = w.Hi, w.Hi-w.Lo
		tb.waiting[i]()
		tb.hear()
	}
	tb.now, tb.width = now, -1
	tb.waiting, tb.faces = nil, nil
	tb.dumpAt = now + answerUS
}

// told is what a person says of the game: its position, or its result.
func (tb *table) told(arg string) error {
	if arg == "*" {
		tb.t.GoOn(tb.stamp())
		return nil
	}
	if !strings.Contains(arg, "/") || arg == "1/2-1/2" {
		tb.t.Conclude(tb.stamp(), arg)
		return nil
	}
	s, err := legal.ParseFEN(arg)
	if err != nil {
		return err
	}
	pos, err := s.Position()
	if err != nil {
		return err
	}
	tb.t.SetPosition(tb.stamp(), pos)
	return nil
}

// hear writes down what the tracker said.
func (tb *table) hear() {
	for _, o := range tb.t.Take() {
		tb.outcomes = append(tb.outcomes, o)
		if f, ok := o.(Found); ok {
			tb.finds = append(tb.finds, f)
		}
		line := narrate(o)
		if p, ok := o.(Pressed); ok && tb.shown {
			line += fmt.Sprintf(" %+d %s", p.Gained, face(p.Clock))
		}
		if line != "" {
			fmt.Fprintln(&tb.said, line)
		}
	}
	tb.t.Release()
	if tb.t.DumpWanted() && !tb.passive && tb.dumpAt == 0 {
		tb.dumpAt = tb.now + answerUS
	}
	tb.after()
}
