package rules

import (
	"fmt"
	"strings"
)

// Class is the class of a time control.
type Class uint8

const (
	NoClass Class = iota
	Standard
	Rapid
	Blitz
	USRegular
	USDual
	USQuick
	USBlitz
)

var classNames = [...]string{"none", "standard", "rapid", "blitz", "us-regular", "us-dual", "us-quick", "us-blitz"}

func (c Class) String() string { return classNames[c] }

func classNamed(name string) Class {
	for i := 1; i < len(classNames); i++ {
		if classNames[i] == name {
			return Class(i)
		}
	}
	return NoClass
}

// fide returns the FIDE class whose keys apply: blitz, rapid or standard.
func (c Class) fide() Class {
	switch c {
	case USBlitz:
		return Blitz
	case USRegular, USDual, USQuick, NoClass:
		return Standard
	}
	return c
}

// ClassOf returns the class of a time control; all arguments are in seconds. FIDE Laws A.1, B.1: minutes plus sixty
// increments or delays, blitz up to 10 minutes, rapid more than that and less than 60. US Chess 5C: the minutes plus as
// many minutes as the delay (or increment) has seconds: blitz up to 10, quick less than 30, dual up to 65, regular
// more. A base that is not known (less than 0) has no class; an increment or delay that is not known counts as none.
func ClassOf(baseSec, incrementSec, delaySec int, us bool) Class {
	if baseSec < 0 {
		return NoClass
	}
	const minute = 60
	total := baseSec + 60*max(incrementSec, delaySec, 0)
	switch {
	case us && total <= 10*minute:
		return USBlitz
	case us && total < 30*minute:
		return USQuick
	case us && total <= 65*minute:
		return USDual
	case us:
		return USRegular
	case total <= 10*minute:
		return Blitz
	case total < 60*minute:
		return Rapid
	}
	return Standard
}

// us reports whether the rule set classifies time controls as US Chess does.
func (p *Profile) us() bool { return p.Book == bookUS || p.Book == bookUSBlitz }

// Fits returns nil if the rule set may be used with the time control, or an error that names both and the remedy. An
// unknown time control (base less than 0) fits.
func (p Profile) Fits(baseSec, incrementSec, delaySec int) error {
	c := ClassOf(baseSec, incrementSec, delaySec, p.us())
	if c == NoClass || p.allows(c) {
		return nil
	}
	return fmt.Errorf("the rule profile %s is for %s play, and the clock's time control (%d s and %d s a move) is %s; choose another profile or correct the time control",
		p.Name, strings.Join(p.Classes, " or "), baseSec, max(incrementSec, delaySec, 0), c)
}

func (p *Profile) allows(c Class) bool {
	for _, name := range p.Classes {
		if classNamed(name) == c {
			return true
		}
	}
	return false
}

// Values of keys that are used in more than one place.
const (
	bookFIDE    = "fide"
	bookUS      = "us"
	bookUSBlitz = "us-blitz"
	bookWBCA    = "wbca"
	bookDraft   = "rc-2017"

	untilGameEnd = "until_game_end"
	untilReply   = "until_reply"
	lastMoves    = "last_moves"
	byClass      = "by_class"
)

// bonus returns the unit of time for an illegal move in that class of time control.
func (p *Profile) bonus(c Class) int {
	return valueOfClass(c, p.BonusS, p.BonusRapidS, p.BonusBlitzS)
}

// strikes returns the number of illegal moves that lose the game in that class; 0: no number does.
func (p *Profile) strikes(c Class) int {
	return valueOfClass(c, p.StrikesToLose, p.StrikesRapid, p.StrikesBlitz)
}

func valueOfClass(c Class, standard, rapid, blitz int) int {
	switch {
	case c == Rapid && rapid >= 0:
		return rapid
	case c == Blitz && blitz >= 0:
		return blitz
	}
	return standard
}

// window returns until_game_end, until_reply or last_moves.
func (p *Profile) window(c Class) string {
	if p.Window != byClass {
		return p.Window
	}
	if c == Standard || p.Supervised {
		return untilGameEnd
	}
	return untilReply
}
