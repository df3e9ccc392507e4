package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"boardwatchd/rules/legal"
)

// An Actor is a person, the clock or the equipment.
type Actor byte

// The actors.
const (
	White     Actor = 'W'
	Black     Actor = 'B'
	Arbiter   Actor = 'A'
	Somebody  Actor = 'N' // a spectator, a neighbour
	Clock     Actor = 'C'
	Equipment Actor = 'X'
)

// Side returns the player's side, NoSide for all other actors.
func (a Actor) Side() legal.Side { return sideOf(string(a)) }

// A Hand is 'R' or 'L'; 0: not given. No sensor sees it.
type Hand byte

// A Reading says whether the board can read a piece that was put down.
type Reading uint8

// The readings.
const (
	Readable Reading = iota
	Inverted         // upside down: the coil is too far from the board
	NoChip           // a piece without a coil
)

var readingWords = [...]string{"", "inverted", "nochip"}

// A TimeEdit is a player's time changed by seconds, or set.
type TimeEdit struct {
	Side legal.Side
	Sec  int
	Set  bool
}

// An Act is one line: an action of an actor. The verb determines which fields are used.
type Act struct {
	Gap      int64 // µs since the end of the line before
	Actor    Actor
	Hand     Hand
	Verb     Verb
	Square   legal.Square // lift, put, knock, stand; slide and nudge: from
	To       legal.Square // slide, nudge: to
	Piece    legal.Piece  // put, drop, hold, transfer; NoPiece: the held piece
	Reading  Reading      // put
	FromHand Hand         // transfer
	ToHand   Hand
	UCI      string     // move
	Side     legal.Side // press, resume, flag, report; NoSide: not given
	Wait     int64      // wait, µs
	Edits    []TimeEdit // settime
	Word     string     // say, report
	Move     int        // report: move=12
	Squares  string     // report: d2-d3
	Result   string     // result

	Line, Column int // in the file
}

// defaultGapUS is the time between two lines without a given gap.
const defaultGapUS = 1_000_000

// longestGapUS bounds the gap of a line: a longer one is a mistyped number.
const longestGapUS = 3_600_000_000

// An ActError describes a fault of an act line, with its byte offset.
type ActError struct {
	Offset  int
	Problem string
}

func (e *ActError) Error() string { return e.Problem }

// ParseAct reads one line. The error is an *ActError.
func ParseAct(text string) (Act, error) {
	p := actParser{words: split(text), end: len(text)}
	p.act.Gap = defaultGapUS
	p.head()
	if p.err == nil {
		vocabulary[p.act.Verb].args(&p)
	}
	if p.err == nil && p.more() {
		p.fail("%q is one word too many; %s takes: %s", p.words[p.at].text, p.act.Verb, p.act.Verb.usage())
	}
	if p.err != nil {
		return Act{}, p.err
	}
	return p.act, nil
}

// String returns the line as ParseAct reads it.
func (a Act) String() string {
	var b strings.Builder
	if a.Gap != defaultGapUS {
		b.WriteString("+" + seconds(a.Gap) + " ")
	}
	b.WriteByte(byte(a.Actor))
	if a.Hand != 0 {
		b.WriteString("/" + string(a.Hand))
	}
	b.WriteString(" " + a.Verb.String())
	for _, w := range a.args() {
		if w != "" {
			b.WriteString(" " + w)
		}
	}
	return b.String()
}

func (a *Act) args() []string {
	piece := ""
	if a.Piece != legal.NoPiece {
		piece = a.Piece.String()
	}
	switch a.Verb {
	case Lift, Knock, Stand:
		return []string{a.Square.String()}
	case Put:
		return []string{a.Square.String(), piece, readingWords[a.Reading]}
	case Drop, Hold:
		return []string{piece}
	case Transfer:
		return []string{piece, string(a.FromHand) + "-" + string(a.ToHand)}
	case Move:
		return []string{a.UCI}
	case Slide, Nudge:
		return []string{a.Square.String() + "-" + a.To.String()}
	case Press, Resume, Flag:
		return []string{letterOf(a.Side)}
	case Wait:
		return []string{seconds(a.Wait)}
	case SetTime:
		var words []string
		for _, e := range a.Edits {
			if e.Set {
				words = append(words, letterOf(e.Side)+"="+shownTime(e.Sec))
				continue
			}
			words = append(words, fmt.Sprintf("%s%+d", letterOf(e.Side), e.Sec))
		}
		return words
	case Say:
		return []string{a.Word}
	case Report:
		words := []string{a.Word, letterOf(a.Side), a.Squares}
		if a.Move > 0 {
			words = append(words, "move="+strconv.Itoa(a.Move))
		}
		return words
	case ResultOf:
		return []string{a.Result}
	}
	return nil
}

// shownTime writes seconds as a clock shows them.
func shownTime(sec int) string {
	if sec >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", sec/3600, sec/60%60, sec%60)
	}
	return fmt.Sprintf("%d:%02d", sec/60, sec%60)
}

func sideOf(word string) legal.Side {
	switch word {
	case "W":
		return legal.White
	case "B":
		return legal.Black
	}
	return legal.NoSide
}

func letterOf(s legal.Side) string {
	switch s {
	case legal.White:
		return "W"
	case legal.Black:
		return "B"
	}
	return ""
}

// seconds writes microseconds as a decimal number of seconds.
func seconds(us int64) string {
	s := fmt.Sprintf("%d.%06d", us/1_000_000, us%1_000_000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// word is a word of a line with its place.
type word struct {
	text string
	at   int
}

func split(text string) (words []word) {
	start := -1
	for i := 0; i <= len(text); i++ {
		blank := i == len(text) || text[i] == ' ' || text[i] == '\t' || text[i] == '\n'
		switch {
		case blank && start >= 0:
			words = append(words, word{text[start:i], start})
			start = -1
		case !blank && start < 0:
			start = i
		}
	}
	return words
}
