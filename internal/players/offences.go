package players

import (
	"fmt"
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// The players of the other files never break a rule, which only tests that a watcher reconstructs games. To test that
// it accuses exactly the guilty, players must commit offences and record them exactly.

// Offences is the frequency of offences and their consequences. They need a clock.
type Offences struct {
	PerMille int        // of the turns in which a common offence is possible; 0: never
	Kinds    []Rate     // nil means every row of OffenceNames with its usual share
	After    *Aftermath // nil means UsualAftermath
}

// Rate is the frequency of one kind, as a share of PerMille: 1,000 means PerMille turns of 1,000 in which it is
// possible, 20,000 means twenty times as many (but never more than all).
type Rate struct {
	Kind  string // a name of OffenceNames or InnocentNames; the part before a colon means all its ways
	Share int
}

// After is the reaction to an offence.
type After uint8

const (
	AfterUnset  After = iota
	Stands            // it is not noticed: the opponent continues from the position
	FastReply         // the same, and the opponent's hand touches a piece 0.3 to 1 s after the press
	ReplyFirst        // the opponent has moved before the offender presses
	Stopped           // the opponent stops the clock, the arbiter corrects everything and sets the clocks
	PressedBack       // the opponent restarts the clock of the offender, who corrects and plays a legal move
	PutRight          // the offender corrects without being asked while the opponent's clock runs
	afterCount
)

var aftermathNames = [afterCount]string{"unset", "stands", "fast-reply", "reply-first", "stopped", "pressed-back", "put-right"}

func (a After) String() string {
	if int(a) < len(aftermathNames) {
		return aftermathNames[a]
	}
	return fmt.Sprintf("after(%d)", uint8(a))
}

// Aftermath is the weight of each After; the draw is among those that the offence allows.
type Aftermath [afterCount]int

// UsualAftermath is an opponent who notices two of three offences.
var UsualAftermath = Aftermath{Stands: 220, FastReply: 90, ReplyFirst: 90, Stopped: 380, PressedBack: 160, PutRight: 60}

// ClockEdit is the arbiter's change of the clocks before the game continues.
type ClockEdit uint8

// The edits. EditedAsRuled subtracts the increment of the illegal press and adds the opponent's minutes (FIDE Laws
// 7.5.5, A.3).
const (
	NotEdited ClockEdit = iota
	EditedAsRuled
	KeptIncrement // the bonus is given, the increment is forgotten
	WrongSide     // the bonus goes to the offender
	WrongAmount   // half the bonus, or twice
)

func (c ClockEdit) String() string {
	names := [...]string{"not-edited", "right", "kept-increment", "wrong-side", "wrong-amount"}
	if int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("edit(%d)", uint8(c))
}

// offenceRow is one kind of offence, or one way to commit it.
type offenceRow struct {
	kind    kinds.Kind
	way     string // one of several; "": the only one
	share   int
	allowed [afterCount]bool
	chained bool // also possible directly after another offence
	find    func(p *pair) (possibleOffence, bool)
}

// name returns the kind, or kind:way.
func (r *offenceRow) name() string { return strings.TrimSuffix(string(r.kind)+":"+r.way, ":") }

func after(list ...After) (set [afterCount]bool) {
	for _, a := range list {
		set[a] = true
	}
	return set
}

var (
	everyWay    = after(Stands, FastReply, ReplyFirst, Stopped, PressedBack, PutRight)
	undoneOnly  = after(Stopped, PressedBack, PutRight)
	noReplyYet  = after(Stands, FastReply, Stopped, PressedBack)
	tidiedAfter = after(Stopped, PutRight)
)

// offenceRows are in the order in which a turn tries them: rarely possible ones first. The shares make every row
// frequent enough for a test, not as frequent as in real tournaments.
var offenceRows = []offenceRow{
	{kind: kinds.IllegalKingCapture, share: 6_000, allowed: undoneOnly, chained: true, find: illegalTransfer(kinds.IllegalKingCapture)},
	{kind: kinds.IllegalCastleRightLost, share: 4_000, allowed: everyWay, find: castling(kinds.IllegalCastleRightLost)},
	{kind: kinds.IllegalCastleOutOfCheck, share: 20_000, allowed: everyWay, find: castling(kinds.IllegalCastleOutOfCheck)},
	{kind: kinds.IllegalCastleThroughCheck, share: 20_000, allowed: everyWay, find: castling(kinds.IllegalCastleThroughCheck)},
	{kind: kinds.IllegalCastleIntoCheck, share: 20_000, allowed: everyWay, find: castling(kinds.IllegalCastleIntoCheck)},
	{kind: kinds.IllegalCastleBlocked, share: 6_000, allowed: everyWay, find: castling(kinds.IllegalCastleBlocked)},
	{kind: kinds.IllegalCastleKingOnly, share: 3_000, allowed: noReplyYet, find: kingOnly},
	{kind: kinds.IllegalEPPawnLeft, share: 15_000, allowed: noReplyYet, find: pawnLeft},
	{kind: kinds.PressBeforeDone, way: "victim", share: 8_000, allowed: after(Stands), find: victimLate},
	{kind: kinds.IllegalEPLate, share: 1_500, allowed: everyWay, find: lateEnPassant},
	{kind: kinds.IllegalPromoIncomplete, way: "pawn", share: 6_000, allowed: noReplyYet, find: pawnStays},
	{kind: kinds.IllegalPromoIncomplete, way: "empty", share: 4_000, allowed: after(Stands, Stopped), find: pieceLater(legal.Queen)},
	{kind: kinds.IllegalPromoIncomplete, way: "knight", share: 4_000, allowed: after(Stands, Stopped), find: pieceLater(legal.Knight)},
	{kind: kinds.PromoWrongColour, share: 6_000, allowed: tidiedAfter, find: wrongColour},
	{kind: kinds.IllegalPromoTwo, share: 10_000, allowed: tidiedAfter, find: twoPieces},
	{kind: kinds.IllegalLeftInCheck, share: 1_200, allowed: everyWay, find: illegalTransfer(kinds.IllegalLeftInCheck)},
	{kind: kinds.IllegalExposesKing, share: 2_000, allowed: everyWay, find: illegalTransfer(kinds.IllegalExposesKing)},
	{kind: kinds.IllegalKingIntoCheck, share: 150, allowed: everyWay, find: illegalTransfer(kinds.IllegalKingIntoCheck)},
	{kind: kinds.IllegalKnight, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalKnight)},
	{kind: kinds.IllegalBishop, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalBishop)},
	{kind: kinds.IllegalRook, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalRook)},
	{kind: kinds.IllegalQueen, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalQueen)},
	{kind: kinds.IllegalKing, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalKing)},
	{kind: kinds.IllegalPawn, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalPawn)},
	{kind: kinds.IllegalJump, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalJump)},
	{kind: kinds.IllegalOwnCapture, share: 80, allowed: everyWay, find: illegalTransfer(kinds.IllegalOwnCapture)},
	{kind: kinds.IllegalNoMove, share: 80, allowed: after(Stands, FastReply, Stopped, PressedBack), find: noMove},
	{kind: kinds.OutOfTurn, share: 60, allowed: tidiedAfter, find: outOfTurn},
	{kind: kinds.PressBeforeDone, share: 80, allowed: after(Stands), find: inTheAir},
	{kind: kinds.Displaced, share: 80, allowed: tidiedAfter, find: displaced},
	{kind: kinds.Unreadable, share: 60, allowed: tidiedAfter, find: knockedOver},
}

// OffenceNames lists the names allowed in Offences.Kinds.
func OffenceNames() []string {
	var names []string
	for i := range offenceRows {
		names = append(names, offenceRows[i].name())
	}
	return names
}

// shareOf returns the share of a row; if rates are given, rows that they do not name have none.
func shareOf(name string, usual int, given []Rate) int {
	if given == nil {
		return usual
	}
	share := 0
	kind, _, _ := strings.Cut(name, ":")
	for _, r := range given {
		if r.Kind == name || r.Kind == kind {
			share = r.Share
		}
	}
	return share
}

// checkRates refuses an unknown name.
func checkRates(given []Rate, known []string) error {
	for _, r := range given {
		found := false
		for _, name := range known {
			kind, _, _ := strings.Cut(name, ":")
			found = found || r.Kind == name || r.Kind == kind
		}
		if !found {
			return fmt.Errorf("kind %q is not known; the names are %s", r.Kind, strings.Join(known, ", "))
		}
	}
	return nil
}
