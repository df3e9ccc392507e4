package rules_test

import (
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// A revised game is judged by two revisions of the core: the one that watched it, and the one that reads it again.
type revised struct {
	*game
	now   *rules.Docket
	sees  func(rules.Case) (rules.Case, bool) // maps a case of the other core to the case of this one
	heard bool                                // the other revision's output is in the journal
	told  map[string]rules.Entry
}

// asOther returns a case under another name, with another first evidence.
func asOther(c rules.Case) (rules.Case, bool) {
	_, kind, _ := strings.Cut(c.ID, ":")
	c.ID = "1:" + kind
	return c, true
}

func unseenCase(c rules.Case) (rules.Case, bool) { return c, false }

func revise(t *testing.T, sees func(rules.Case) (rules.Case, bool)) *revised {
	t.Helper()
	p := profile(t, "fide-rapid-supervised")
	r := &revised{now: rules.NewDocket(p), sees: sees, heard: true, told: map[string]rules.Entry{}}
	r.tell(rules.OtherCore{On: true})
	r.game = begin(t, "fide-rapid-supervised", startFEN)
	r.tell(rules.Begun{Game: 1, Position: r.pos, Clock: r.clock})
	r.tell(rules.OtherGame{Game: 1})
	r.also = func(e rules.Event, said []rules.Entry) {
		if f, ok := e.(rules.Found); ok {
			c, there := r.sees(f.Case)
			if e = (rules.Found{Case: c}); !there {
				e = rules.OtherMoved{}
			}
		}
		if d, ok := e.(rules.Decision); ok {
			r.seq++
			d.Seq = r.seq
			e = d
		}
		r.tell(e)
		for _, entry := range said {
			if r.heard {
				r.tell(rules.OtherSaid{Seq: r.seq, Entry: entry, Decides: true})
			}
		}
	}
	return r
}

func (r *revised) tell(e rules.Event) {
	for _, entry := range r.now.Step(e) {
		r.told[entry.ID] = entry
	}
}

// goOn ends the part that the other revision judged.
func (r *revised) goOn() {
	r.also = nil
	r.tell(rules.OtherCore{On: false})
}

// ledger checks the strikes of this core.
func (r *revised) ledger(white, black int) {
	r.t.Helper()
	if s := r.now.Strikes(); s[legal.White] != white || s[legal.Black] != black {
		r.t.Errorf("the ledger is %d, %d, want %d, %d", s[legal.White], s[legal.Black], white, black)
	}
}

// stands checks this core's entry for a finding: state, alert, decision.
func (r *revised) stands(id, want string) {
	r.t.Helper()
	e := r.told[id]
	if got := strings.TrimSpace(e.State.String() + " " + e.Alert.String() + " " + e.Decided); got != want {
		r.t.Errorf("%s is %s, want %s", id, got, want)
	}
}

func (r *revised) say(do string) { r.tell(rules.Decision{Seq: 1000, Finding: r.last, Do: do}) }

func TestADecisionOfAnotherRevisionHolds(t *testing.T) {
	for name, sees := range map[string]func(rules.Case) (rules.Case, bool){"named otherwise": asOther, "not found": unseenCase} {
		t.Run(name, func(t *testing.T) {
			r := revise(t, sees)
			r.knight()
			r.decide(r.last, "confirm")
			r.ledger(1, 0)
			r.goOn()
			r.ledger(1, 0)
			r.stands(r.last, "confirmed now confirm")
			r.say("undo")
			r.ledger(0, 0)
			r.stands(r.last, "confirmed now")
			for do, want := range map[string]string{"reject": "withdrawn log reject", "accident": "confirmed log accident", "later": "confirmed advise later"} {
				r.say(do)
				r.ledger(0, 0)
				r.stands(r.last, want)
			}
			r.say("confirm")
			r.ledger(1, 0)
			if name == "named otherwise" {
				r.stands("1:illegal.knight", "confirmed log")
			}
			r.tell(rules.Begun{Game: 2, Position: legaltest.Position(t, startFEN)})
			r.ledger(0, 0)
		})
	}
}

func TestOneIncidentUnderTwoNamesIsOneStrike(t *testing.T) {
	r := revise(t, asOther)
	r.knight()
	r.decide(r.last, "confirm")
	r.goOn()
	r.tell(rules.Decision{Seq: 1000, Finding: "1:illegal.knight", Do: "confirm"})
	r.ledger(1, 0)
	r.say("undo")
	r.ledger(0, 0)

	// The other way round: a finding of the other revision alone was open, and is decided when the matching one has
	// been.
	r = revise(t, asOther)
	r.knight()
	r.goOn()
	r.tell(rules.Decision{Seq: 1000, Finding: "1:illegal.knight", Do: "confirm"})
	r.ledger(1, 0)
	r.say("confirm")
	r.ledger(1, 0)
	r.stands(r.last, "confirmed log confirm")
}

func TestWhatWasDismissedDoesNotComeBack(t *testing.T) {
	for _, do := range []string{"reject", "accident", "sensor", "unseen", "later"} {
		r := revise(t, asOther)
		r.knight()
		r.decide(r.last, do)
		r.goOn()
		r.stands("1:illegal.knight", "confirmed log")
		r.tell(rules.Stopped{Seq: 2000, Turn: legal.Black})
		r.stands("1:illegal.knight", "confirmed log")
		r.ledger(0, 0)

		// This core finds it only now.
		r = revise(t, unseenCase)
		r.knight()
		c, _ := asOther(r.entry(r.last).Case)
		r.decide(r.last, do)
		r.goOn()
		r.tell(rules.Found{Case: c})
		r.stands("1:illegal.knight", "confirmed log")
	}
}

func TestAnOpenFindingOfAnotherRevisionCanBeDecided(t *testing.T) {
	r := revise(t, unseenCase)
	r.knight()
	r.goOn()
	r.say("undo") // nothing to undo
	r.ledger(0, 0)
	r.say("confirm")
	r.ledger(1, 0)
	r.stands(r.last, "confirmed now confirm")
}

// A new offence at the same ply is another incident: it did not exist when the first was decided.
func TestALaterFindingAtTheSamePlyIsReported(t *testing.T) {
	r := revise(t, unseenCase)
	r.knight()
	c := r.entry(r.last).Case
	r.decide(r.last, "reject")
	r.goOn()
	c.ID, c.Kind = "3000:illegal.knight", kinds.IllegalKnight
	r.tell(rules.Found{Case: c})
	r.stands(c.ID, "confirmed now")
}

// Two offences at the same ply that both revisions found are two incidents.
func TestTheOtherRevisionsOwnWordsAreReported(t *testing.T) {
	names := map[string]string{}
	r := revise(t, func(c rules.Case) (rules.Case, bool) {
		if to := names[c.ID]; to != "" {
			c.ID = to
		}
		return c, true
	})
	r.knight()
	first := r.last
	c := r.entry(first).Case
	second := rules.Case{}
	second = c
	second.ID = "900:illegal.knight"
	r.now.Step(rules.Found{Case: second}) // this core finds it first
	c.ID = "901:illegal.knight"
	names[c.ID] = "none:x"
	r.step(rules.Found{Case: c})
	r.seq = 1000
	r.decide(c.ID, "reject")
	r.step(rules.Found{Case: second})
	r.goOn()
	r.stands(second.ID, "confirmed now")
}

func TestTheSameFindingKeepsItsOutcome(t *testing.T) {
	weaker := func(c rules.Case) (rules.Case, bool) {
		c.Proof = rules.Hint
		return c, true
	}
	r := revise(t, weaker)
	r.knight()
	r.decide(r.last, "confirm")
	r.ledger(1, 0)
	r.goOn()
	r.ledger(1, 0)
	r.stands(r.last, "confirmed now confirm")
	r.say("undo")
	r.ledger(0, 0)
	r.stands(r.last, "confirmed log") // a hint, as this core has it
}

func TestTheLedgerSurvivesAnotherBeginningOfTheGame(t *testing.T) {
	r := revise(t, func(c rules.Case) (rules.Case, bool) { return c, true })
	r.knight()
	r.decide(r.last, "confirm")
	r.step(rules.SetStrikes{White: 2, Black: 1})
	r.tell(rules.Begun{Game: 2, Position: r.pos}) // only this core sees a new game
	r.goOn()
	r.ledger(2, 1)
	r.say("undo")
	r.ledger(1, 1)

	r = revise(t, func(c rules.Case) (rules.Case, bool) { return c, true })
	r.knight()
	r.decide(r.last, "confirm")
	r.tell(rules.OtherMoved{})
	r.tell(rules.OtherGame{Game: 2}) // only the other one saw it
	r.goOn()
	r.ledger(0, 0)
}

func TestAClaimRestoresAnUnseenOffence(t *testing.T) {
	r := revise(t, asOther)
	r.knight()
	r.decide(r.last, "unseen")
	r.goOn()
	r.tell(rules.Claim{Seq: 2000, What: "illegal", Side: legal.Black})
	r.stands(r.last, "confirmed now")
	r.stands("1:illegal.knight", "confirmed log")
}

func TestADecisionWithoutAnAnswerHolds(t *testing.T) {
	r := revise(t, unseenCase)
	r.knight()
	r.heard = false
	r.decide(r.last, "confirm")
	r.ledger(1, 0)
	r.goOn()
	r.ledger(1, 0)
	r.stands(r.last, "confirmed now confirm")
}

// A decision holds even in a journal that has lost the findings.
func TestADecisionHoldsWhereNothingWasHeard(t *testing.T) {
	r := revise(t, func(c rules.Case) (rules.Case, bool) { return c, true })
	r.heard = false
	r.knight()
	r.decide(r.last, "confirm")
	r.goOn()
	r.ledger(1, 0)
	r.stands(r.last, "confirmed now confirm")
}
