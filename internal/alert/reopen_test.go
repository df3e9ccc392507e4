package alert

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/record"
)

func TestABoardThatIsOpenedAgainIsAsItWas(t *testing.T) {
	for _, c := range []struct {
		claim string
		story func(t *testing.T, r *rig)
	}{
		{"raised", func(*testing.T, *rig) {}},
		{"seen", func(t *testing.T, r *rig) {
			if _, err := r.box.Seen(t.Context(), ID("12", knight), "Ada"); err != nil {
				t.Error(err)
			}
		}},
		{"decided", func(_ *testing.T, r *rig) { r.decide("12", knight, "confirm", "confirmed") }},
		{"later", func(_ *testing.T, r *rig) { r.decide("12", knight, "later", "confirmed") }},
		{"answered meanwhile", func(_ *testing.T, r *rig) { r.say("12", knight, "expired", "log", `,"decided":null`) }},
		{"raised again", func(_ *testing.T, r *rig) {
			r.decide("12", knight, "confirm", "confirmed")
			rest(time.Second)
			r.decide("12", knight, "undo", "confirmed")
		}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				hall, second := &fake{name: "hall"}, &fake{name: "second2"}
				r := newRig(t, Options{}, hall, second).start()
				defer r.stop()
				r.say("12", knight, "suspected", "log", `,"decided":null`)
				rest(time.Second)
				r.say("12", knight, "confirmed", "now", `,"decided":null`)
				rest(2 * time.Second)
				c.story(t, r)
				rest(2 * time.Second)
				before, told, events := r.alert("12", knight), hall.got(), r.events("12")
				r.mu.Lock()
				r.changes = nil
				r.mu.Unlock()
				for range 3 {
					r.reopen("12")
					rest(2 * time.Second)
				}
				rest(25 * time.Second)
				if after := r.alert("12", knight); !reflect.DeepEqual(before, after) {
					t.Errorf("before %+v\nafter  %+v", before, after)
				}
				equal(t, "the hall's messages", hall.got(), told...)
				equal(t, "records", r.events("12"), events...)
				if len(r.changes) != 0 {
					t.Errorf("the page was told of %v", r.changes)
				}
			})
		})
	}
}

func TestWhileAJournalIsReadItsBoardRests(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall, second := &fake{name: "hall", script: fails(away)}, &fake{name: "second2"}
		r := newRig(t, Options{Escalate: 20 * time.Second}, hall, second).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(2 * time.Second)
		before := r.box.Alerts()
		r.read("12") // and it is not ready for an hour
		hall.does(nil)
		r.box.Said("12", []byte(`{"type":"health"}`))
		rest(time.Hour)
		equal(t, "the hall's messages", hall.got())
		equal(t, "the second arbiter's messages", second.got())
		if now := r.box.Alerts(); !reflect.DeepEqual(before, now) {
			t.Errorf("shown before %+v\nnow %+v", before, now)
		}
		r.say("13", "970:illegal.king", "confirmed", "now", "")
		rest(time.Second)
		equal(t, "another board's", hall.got(), "970:illegal.king v1 open")
		r.read("12") // it has failed, and is tried again
		r.box.Ready("12")
		rest(time.Second)
		if a := r.alert("12", knight); !a.Over {
			t.Errorf("its time is over: %+v", a)
		}
	})
}

func TestAJournalThatCannotBeOpenedChangesNothingThatIsShown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		before := shown(r.box)
		r.box.Begin("12", "12-r1")
		rest(time.Minute)
		if now := shown(r.box); !reflect.DeepEqual(before, now) {
			t.Errorf("before %v, now %v", before, now)
		}
		if a, err := r.box.Seen(t.Context(), ID("12", knight), "Ada"); err != nil || a.State != Seen {
			t.Errorf("a person can still see it: %v %v", a.State, err)
		}
		r.reopen("12")
		rest(time.Second)
		if a := r.alert("12", knight); a.State != Seen || a.Version != 2 {
			t.Errorf("opened at last: %+v", a)
		}
	})
}

func TestWhatTheMachineOwedIsPartOfTheRecovery(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", `,"decided":null`)
		rest(time.Second)
		// The station dies between the decision and its answer.
		r.box.Entered("12", r.write("12", record.Decide, []byte(`{"finding":"`+knight+`","decision":"confirm","by":"Ada"}`)))
		r.read("12")
		r.tell("12", r.answers("12", knight, "confirmed", "now", `,"decided":"confirm"`))
		rest(5 * time.Second)
		r.box.Ready("12")
		rest(time.Second)
		if a := r.alert("12", knight); a.State != Decided || a.Version != 2 || a.SeenBy == nil {
			t.Errorf("the alert is %+v", a)
		}
		equal(t, "messages", hall.got(), knight+" v1 open", knight+" v2 decided")
	})
}

func TestTheLiveLoopsOpeningsAndGapsAreNoRecovery(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		rest(time.Second)
		r.say("12", knight, "confirmed", "now", "")
		r.box.Recovered("12", r.write("12", record.Gap, []byte(`{"cause":"the link was lost"}`)))
		rest(100 * time.Millisecond)
		equal(t, "messages", hall.got(), knight+" v1 open")
	})
}

func TestASendThatIsOnItsWayWhileABoardIsOpenedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		free := make(chan struct{})
		hall := &fake{name: "hall", script: func(context.Context, Message) error { <-free; return nil }}
		r := newRig(t, Options{}, hall)
		r.setDisk(func(context.Context, string) error { return errUnwatched })
		r.start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		r.read("12")
		close(free)
		rest(time.Minute)
		r.box.Ready("12")
		r.setDisk(nil)
		rest(time.Minute)
		equal(t, "messages", hall.got(), knight+" v1 open")
		equal(t, "records", r.events("12"), "sent hall v1")
		if n := r.box.Notices(); len(n) != 0 {
			t.Errorf("notices: %v", n)
		}
	})
}

func TestWhatABoardThatWasAwayCouldNotWriteIsWrittenOnce(t *testing.T) {
	for _, c := range []struct {
		claim string
		err   error
		taken bool // the journal contains it all the same
	}{
		{"not watched", errUnwatched, false},
		{"in force, and lost with the station", errInForce, false},
		{"in force, and on the disk at last", errInForce, true},
	} {
		t.Run(c.claim, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				hall, second := &fake{name: "hall"}, &fake{name: "second2"}
				r := newRig(t, Options{Escalate: time.Minute}, hall, second)
				tries := 0
				r.setDisk(func(context.Context, string) error { tries++; return c.err })
				r.start()
				defer r.stop()
				r.say("12", knight, "confirmed", "now", "")
				rest(10 * time.Second)
				if _, err := r.box.Seen(t.Context(), ID("12", knight), "Ada"); !errors.Is(err, c.err) {
					t.Errorf("seen: %v", err)
				}
				rest(30 * time.Second)
				if errors.Is(c.err, errInForce) && tries != 3 { // sent, seen, sent: once each
					t.Errorf("%d attempts to write what is in force", tries)
				}
				if n := r.box.Notices(); (len(n) > 0) != errors.Is(c.err, errInForce) {
					t.Errorf("notices: %v", n)
				}
				r.setDisk(nil)
				want := []string{"sent hall v1", "seen v1", "sent hall v2"}
				if c.taken {
					for _, body := range []string{`"sent","channel":"hall","version":1`, `"seen","by":"Ada","version":1`, `"sent","channel":"hall","version":2`} {
						r.write("12", record.Instruct, fmt.Appendf(nil, `{"do":"alert","finding":%q,"event":%s}`, knight, body))
					}
				}
				r.reopen("12")
				rest(2 * time.Minute)
				if a := r.alert("12", knight); a.State != Seen || a.Version != 2 || a.Step != 1 {
					t.Errorf("the alert is %+v", a)
				}
				equal(t, "messages", hall.got(), knight+" v1 open", knight+" v2 seen")
				got := r.events("12")
				slices.Sort(want)
				slices.Sort(got)
				equal(t, "records", got, want...)
			})
		})
	}
}

func TestTheEndDoesNotWaitForBoardsThatHaveEnded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall)
		r.setDisk(func(context.Context, string) error { return errUnwatched })
		r.start()
		for i := range 20 {
			r.say("12", fmt.Sprintf("%d:illegal.king", i), "confirmed", "now", "")
		}
		rest(500 * time.Millisecond)
		begun := time.Now()
		r.stop()
		if took := time.Since(begun); took > 100*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

// The id of a finding may occur again in the next round's journal.
func TestAnotherRoundIsAnotherAlert(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{URL: func() string { return "http://192.0.2.7:8160" }}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		first := hall.all()[0].m
		r.mu.Lock()
		r.records["12"], r.names["12"], r.changes = nil, "12-r2", nil
		r.mu.Unlock()
		r.opening("12")
		r.reopen("12")
		rest(time.Second)
		if len(r.box.Alerts()) != 0 || len(r.changes) != 1 || r.changes[0].State != Closed || r.changes[0].Version != 2 {
			t.Errorf("alerts %v, the page was told of %v", r.box.Alerts(), r.changes)
		}
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		second := hall.all()[1].m
		if first.ID != second.ID || first.Version != second.Version {
			t.Errorf("the ids are %s and %s, versions %d and %d", first.ID, second.ID, first.Version, second.Version)
		}
		if first.key() == second.key() || first.tag() == second.tag() || first.Ref == second.Ref || first.AckURL == second.AckURL {
			t.Errorf("a receiver takes %s for %s", second.key(), first.key())
		}
		if text := r.changes[0].Text; text != "Board 12: no longer needed" {
			t.Errorf("the page was told %q", text)
		}
		if _, err := r.box.Ack(t.Context(), token(first)); !errors.Is(err, ErrToken) {
			t.Errorf("the last round's button: %v", err)
		}
		if _, err := r.box.Ack(t.Context(), token(second)); err != nil {
			t.Errorf("this round's: %v", err)
		}
		equal(t, "records", r.events("12"), "sent hall v1", "seen v1")
	})
}

func token(m Message) string { return m.AckURL[strings.LastIndexByte(m.AckURL, '/')+1:] }

func TestLaterIsOneChangeLiveAndAfterARestart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer func() { r.stop() }()
		r.say("12", knight, "confirmed", "now", `,"decided":null`)
		rest(time.Second)
		r.decide("12", knight, "later", "confirmed")
		_ = r.box.Alerts() // reading between the two changes has no effect
		rest(time.Second)
		live := r.alert("12", knight)
		r.mu.Lock()
		r.records["12"] = slices.DeleteFunc(r.records["12"], func(rec record.Record) bool { return rec.Kind == record.Instruct })
		r.mu.Unlock()
		hall.does(fails(away))
		r.restart(time.Second)
		rest(time.Second)
		if again := r.alert("12", knight); live.Version != 2 || again.Version != 2 || live.State != again.State || live.Level != Advise {
			t.Errorf("live %+v\nfrom the journal %+v", live, again)
		}
	})
}

func TestADecisionWithoutAnAnswerCountsAllTheSame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{}).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		rec := r.write("12", record.Decide, []byte(`{"finding":"`+knight+`","decision":"confirm","by":"Ada"}`))
		r.box.Entered("12", rec)
		rest(time.Second)
		if a := r.alert("12", knight); a.State != Decided || a.Version != 2 || *a.SeenBy != "Ada" {
			t.Errorf("the alert is %+v", a)
		}
	})
}

func TestABoardWithoutBeginIsReadyAfterASecond(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall)
		r.write("12", record.Wake, nil)
		r.answers("12", knight, "confirmed", "now", "")
		r.box = New(r.opt)
		for _, rec := range r.records["12"] {
			r.box.Recovered("12", rec)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.box.Run(ctx) }()
		rest(900 * time.Millisecond)
		equal(t, "while it may be read", hall.got())
		rest(200 * time.Millisecond)
		equal(t, "after a second of silence", hall.got(), knight+" v1 open")
		cancel()
		<-ended
	})
}

func TestAJournalOfAnyLengthIsReadInBoundedMemory(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{}).start()
		defer r.stop()
		for i := range maxOpen + maxKept + 300 {
			r.write("12", record.Wake, nil)
			r.answers("12", fmt.Sprintf("%d:illegal.king", i), "confirmed", "now", "")
		}
		for range 2 {
			r.read("12")
			_ = r.box.Alerts()
			if n := len(r.box.desks["12"].fresh); n > maxOpen+maxKept {
				t.Errorf("%d findings are being rebuilt", n)
			}
			r.box.Ready("12")
			rest(time.Second)
			if list := r.box.Alerts(); len(list) != maxOpen || list[maxOpen-1].Finding != "3299:illegal.king" {
				t.Errorf("%d alerts", len(list))
			}
		}
	})
}

// TestLateIsKeptWhenAJournalIsReadAnew: no record says what was heard late, and what a reading finds first while late
// output comes is late as well.
func TestLateIsKeptWhenAJournalIsReadAnew(t *testing.T) {
	const other = "970:illegal.king"
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{}).start()
		defer r.stop()
		late := func(finding string, want bool) {
			t.Helper()
			if a := r.alert("12", finding); a.Late != want {
				t.Errorf("%s: late is %v", finding, a.Late)
			}
		}
		r.box.Late("12", true)
		r.say("12", knight, "confirmed", "now", "")
		r.box.Late("12", false)
		r.reopen("12")
		rest(time.Second)
		late(knight, true)
		r.box.Late("12", true)
		r.answers("12", other, "confirmed", "now", "") // in the journal, and not heard
		r.reopen("12")
		r.box.Late("12", false)
		rest(time.Second)
		late(other, true)
		r.reopen("12")
		rest(time.Second)
		late(knight, true)
		late(other, true)
	})
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{}).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		r.box.Late("12", true)
		r.reopen("12")
		rest(time.Second)
		if a := r.alert("12", knight); a.Late {
			t.Error("what was known before is late")
		}
	})
}

// The files of a journal take another name while it is written, because another journal has that one: what is sent from
// then on is of the new one, what was to be written is written, and nothing changes when the journal is read again.
func TestAJournalThatTakesAnotherName(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		renamed := false
		r.setDisk(func(context.Context, string) error {
			if renamed {
				return nil
			}
			renamed = true
			r.box.Renamed("12", "12-r1--2")
			r.box.Alerts() // which takes it
			return errors.New("the disk stalls")
		})
		r.say("12", knight, "confirmed", "now", `,"decided":null`)
		rest(5 * time.Second)
		equal(t, "records", r.events("12"), "sent hall v1")
		r.say("12", "2:illegal.knight", "confirmed", "now", `,"decided":null`)
		rest(5 * time.Second)
		list := hall.all()
		if len(list) != 2 || list[0].m.Journal != "12-r1" || list[1].m.Journal != "12-r1--2" {
			t.Errorf("%d messages: %+v", len(list), list)
		}
		if want := refOf(r.box.opt.Refs, "12-r1--2", ID("12", knight)); r.box.refs[want] == nil || len(r.box.refs) != 2 {
			t.Errorf("the first one is not known by its new name among %d", len(r.box.refs))
		}
		r.mu.Lock()
		r.names["12"], r.changes = "12-r1--2", nil
		r.mu.Unlock()
		r.reopen("12")
		rest(5 * time.Second)
		if r.mu.Lock(); len(r.changes) != 0 || len(hall.all()) != 2 {
			t.Errorf("the page was told of %v, sent were %d", r.changes, len(hall.all()))
		}
		r.mu.Unlock()
	})
}
