package alert

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/record"
)

var errDisk = errors.New("the disk is full")

func TestNothingIsLostBetweenDeedAndRecord(t *testing.T) {
	for _, c := range []struct {
		claim string
		disk  func(context.Context, string) error
	}{
		{"sent, and killed before the record", func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }},
		{"sent, and the disk does not take the record", func(context.Context, string) error { return errDisk }},
	} {
		t.Run(c.claim, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				hall := &fake{name: "hall"}
				r := newRig(t, Options{}, hall)
				r.setDisk(c.disk)
				r.start()
				defer func() { r.stop() }()
				r.say("12", knight, "confirmed", "now", "")
				rest(time.Second)
				r.restart(5*time.Second, func() { r.setDisk(nil) })
				rest(5 * time.Second)
				equal(t, "messages: the same id and version again, which a receiver drops", hall.got(), knight+" v1 open", knight+" v1 open")
				r.restart(time.Second)
				rest(5 * time.Second)
				if n := len(hall.got()); n != 2 {
					t.Errorf("recorded, and sent %d times", n)
				}
			})
		})
	}
}

func TestKilledBeforeItWasSent(t *testing.T) {
	for _, c := range []struct {
		claim string
		hangs bool // it still hangs after the restart
		told  time.Duration
	}{
		{"the receiver answers again", false, time.Second},
		{"the receiver hangs on, and is asked again after the time that an attempt has", true, sendTimeout + 2*firstPause},
	} {
		t.Run(c.claim, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				hall := &fake{name: "hall", script: hangs}
				r := newRig(t, Options{}, hall).start()
				defer func() { r.stop() }()
				r.say("12", knight, "confirmed", "now", "")
				rest(time.Second)
				answers := func() { hall.does(nil) }
				if c.hangs {
					r.restart(time.Minute)
					rest(sendTimeout / 2)
					answers()
					equal(t, "messages while the first attempt hangs", hall.got())
				} else {
					r.restart(time.Minute, answers)
				}
				rest(c.told)
				equal(t, "messages", hall.got(), knight+" v1 open")
			})
		})
	}
}

func TestAClosingIsOwedAcrossARestart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer func() { r.stop() }()
		r.say("12", knight, "confirmed", "now", "")
		r.say("12", "970:illegal.king", "confirmed", "now", "")
		rest(time.Second)
		hall.does(fails(away))
		r.say("12", knight, "withdrawn", "log", "")
		r.decide("12", "970:illegal.king", "confirm", "confirmed")
		rest(time.Second)
		r.restart(time.Minute, func() { hall.does(nil) })
		rest(5 * time.Second)
		equal(t, "messages", hall.got()[2:], knight+" v2 withdrawn", "970:illegal.king v2 decided")
	})
}

func TestNothingIsSentWhileAJournalIsRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer func() { r.stop() }()
		hall.does(fails(away))
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		r.decide("12", knight, "confirm", "confirmed")
		rest(time.Second)
		r.stop()
		told := len(r.changes)
		hall.does(nil)
		records := r.records["12"]
		r.start()
		r.box.Begin("12", "12-r1")
		for _, rec := range records {
			r.box.Recovered("12", rec)
			rest(200 * time.Millisecond)
		}
		r.box.Ready("12")
		rest(time.Minute)
		equal(t, "messages about what was decided before", hall.got())
		if more := r.changes[told:]; len(more) != 0 {
			t.Errorf("changes were told of what is over: %v", more)
		}
	})
}

func TestExpiryCountsFromRaisingAcrossARestart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: fails(away)}
		r := newRig(t, Options{}, hall).start()
		defer func() { r.stop() }()
		rest(time.Hour)
		r.say("12", knight, "confirmed", "now", "")
		rest(4 * time.Minute)
		r.restart(5 * time.Minute)
		rest(2 * time.Minute)
		if a := r.alert("12", knight); !a.Over || a.RaisedMS != epoch.Add(time.Hour).UnixMilli() {
			t.Errorf("11 minutes after raising: %+v", a)
		}
		hall.does(nil)
		r.restart(time.Hour)
		rest(time.Minute)
		equal(t, "messages after its time", hall.got())
		equal(t, "records", r.events("12"), "expired v1")
		if len(r.box.Alerts()) != 1 {
			t.Error("the page does not show it any more")
		}
	})
}

// The clock of a small computer is wrong until the network sets it, and the opening record has the time of before.
func TestTheAgeOfAnAlertIsReadFromTheTimeLine(t *testing.T) {
	for _, behind := range []time.Duration{0, 24 * time.Hour, -24 * time.Hour} {
		for _, c := range []struct {
			claim  string
			before time.Duration // from the raising to the restart
			goesOn bool          // the journal: the hall's program starts again, not the board's
			told   bool
		}{
			{"the board's program starts again", 2 * time.Second, false, true},
			{"the board's program starts again when its time is over", 11 * time.Minute, false, false},
			{"the hall's program starts again", 2 * time.Second, true, true},
			{"the hall's program starts again when its time is over", 11 * time.Minute, true, false},
		} {
			t.Run(fmt.Sprintf("behind by %v, %s", behind, c.claim), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					hall := &fake{name: "hall"}
					r := newRig(t, Options{}, hall)
					r.records["12"], r.behind = nil, behind
					r.opening("12")
					rest(time.Hour)
					r.write("12", record.Wake, nil)
					r.answers("12", knight, "confirmed", "now", "") // and the program ends before it was sent
					rest(c.before)
					if c.goesOn {
						r.write("12", record.Wake, nil)
					} else {
						r.goOn("12")
					}
					r.start()
					defer func() { r.stop() }()
					rest(time.Second)
					a := r.alert("12", knight)
					if (len(hall.got()) == 1) != c.told || a.Over == c.told {
						t.Errorf("messages %q, over %t", hall.got(), a.Over)
					}
					if want := epoch.Add(time.Hour).UnixMilli(); a.RaisedMS != want {
						t.Errorf("raised %v too late", time.Duration(a.RaisedMS-want)*time.Millisecond)
					}
				})
			})
		}
	}
}

func TestTheSameStateIsReadFromTheJournal(t *testing.T) {
	for seed := range uint64(200) {
		bubble(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 4))
			hall, second := &fake{name: "hall"}, &fake{name: "second2"}
			opt, quiet := Options{Escalate: 20 * time.Second, Expire: 100 * time.Hour}, 2*time.Minute
			if seed%2 == 0 { // so that no time of expiry falls into the restart
				opt.Expire, quiet = 0, 11*time.Minute
			}
			r := newRig(t, opt, hall, second).start()
			defer func() { r.stop() }()
			r.between = time.Duration(seed%3) * 10 * time.Millisecond
			decided := map[string]string{}
			for range 40 {
				board, finding := []string{"12", "13"}[rnd.IntN(2)], fmt.Sprintf("%d:illegal.king", rnd.IntN(4))
				key := board + finding
				if decided[key] == "" {
					r.say(board, finding, "suspected", "now", `,"decided":null`)
					decided[key] = "null"
				}
				switch rnd.IntN(6) {
				case 0, 1:
					states, classes := []string{"suspected", "confirmed", "confirmed", "withdrawn", "expired"}, []string{"now", "now", "advise", "log"}
					r.say(board, finding, states[rnd.IntN(len(states))], classes[rnd.IntN(len(classes))], `,"decided":`+decided[key])
				case 2:
					word := []string{"confirm", "reject", "later", "unseen", "undo", "undo"}[rnd.IntN(6)]
					if decided[key] = `"` + word + `"`; word == "undo" {
						decided[key] = "null"
					}
					r.decide(board, finding, word, "confirmed")
				case 3:
					hall.does([]func(context.Context, Message) error{nil, fails(away), fails(errors.New("403"))}[rnd.IntN(3)])
				case 4:
					_, _ = r.box.Seen(t.Context(), ID(board, finding), "Ada")
				case 5:
					rest(time.Second)
					r.reopen(board)
				}
				rest(time.Duration(rnd.IntN(40)) * time.Second)
			}
			hall.does(nil)
			rest(quiet)
			before := shown(r.box)
			sent := len(hall.got()) + len(second.got())
			if seed%5 == 0 {
				r.reopen("12")
				r.reopen("13")
			} else {
				r.restart(time.Second)
			}
			rest(3 * time.Second)
			if after := shown(r.box); !reflect.DeepEqual(before, after) {
				t.Errorf("seed %d\nbefore the restart %v\nafter it           %v", seed, before, after)
			}
			if n := len(hall.got()) + len(second.got()); n != sent {
				t.Errorf("seed %d: %d messages more after the restart", seed, n-sent)
			}
		})
	}
}

// shown returns the state that must be the same before and after a restart.
func shown(o *Outbox) (list []string) {
	for _, a := range o.Alerts() {
		by := "-"
		if a.SeenBy != nil {
			by = *a.SeenBy
		}
		var ch []string
		for _, d := range a.Channels {
			if d.State == Sent || d.State == GivenUp && !a.Over {
				ch = append(ch, d.Channel+" "+d.State)
			}
		}
		list = append(list, fmt.Sprintf("%s v%d %s %s %s step %d by %s over %t %s", a.ID, a.Version, a.State, a.Reason, a.Level, a.Step, by, a.Over, strings.Join(ch, ",")))
	}
	return list
}

func TestTokensSurviveARestart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{URL: func() string { return "http://192.0.2.7:8160" }}, hall).start()
		defer func() { r.stop() }()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		link := hall.all()[0].m.AckURL
		token := link[strings.LastIndexByte(link, '/')+1:]
		r.restart(time.Second)
		rest(5 * time.Second)
		for i, wrong := range []string{
			"", "x", token + "A", token[1:], strings.ToUpper(token), token[:42] + string(token[42]^1), "A" + token[1:], strings.Repeat("A", 43), strings.Repeat("A", 1<<16),
		} {
			if _, err := r.box.Ack(t.Context(), wrong); !errors.Is(err, ErrToken) {
				t.Errorf("wrong token %d: %v", i, err)
			}
		}
		if a, err := r.box.Ack(t.Context(), token); err != nil || *a.SeenBy != "hall" {
			t.Errorf("the button of an old notification: %v", err)
		}
		r.decide("12", knight, "confirm", "confirmed")
		if _, err := r.box.Ack(t.Context(), token); !errors.Is(err, ErrOver) {
			t.Errorf("after the decision: %v", err)
		}
	})
}

func TestSeenIsInForceWhereTheDiskDoesNotTakeIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		second := &fake{name: "second2"}
		r := newRig(t, Options{Escalate: 20 * time.Second}, second)
		r.disk = func(context.Context, string) error { return errDisk }
		r.start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		if a, err := r.box.Seen(t.Context(), ID("12", knight), "Ada"); !errors.Is(err, errDisk) || a.State != Seen {
			t.Errorf("%v %v", a.State, err)
		}
		if _, err := r.box.Seen(t.Context(), ID("12", knight), "Ada"); !errors.Is(err, errDisk) {
			t.Errorf("asked again, while it is not on the disk: %v", err)
		}
		rest(time.Minute)
		equal(t, "the second arbiter's messages", second.got())
		r.disk = nil
		if _, err := r.box.Seen(t.Context(), ID("12", knight), "Ada"); err != nil {
			t.Errorf("the disk takes it: %v", err)
		}
		if _, err := r.box.Seen(t.Context(), "99~1", "Ada"); !errors.Is(err, ErrUnknown) {
			t.Errorf("an alert that is none: %v", err)
		}
	})
}

// The versions follow from the machine's output and people's actions; the outbox's own events add nothing.
func TestVersionsAreCountedAlikeLiveAndFromTheJournal(t *testing.T) {
	for seed := range uint64(150) {
		bubble(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 6))
			r := newRig(t, Options{Expire: 100 * time.Hour}, &fake{name: "hall"}).start()
			defer func() { r.stop() }()
			r.between = time.Duration(seed%3) * 10 * time.Millisecond
			for range 30 {
				finding := fmt.Sprintf("%d:illegal.king", rnd.IntN(3))
				states, classes := []string{"suspected", "confirmed", "confirmed", "withdrawn", "expired"}, []string{"now", "now", "advise", "on_claim", "log"}
				state, class := states[rnd.IntN(len(states))], classes[rnd.IntN(len(classes))]
				switch rnd.IntN(3) {
				case 0:
					r.say("12", finding, state, class, []string{"", `,"decided":null`}[seed%2])
				case 1:
					words := []string{"confirm", "reject", "later", "unseen", "accident", "sensor", "undo", "undo", "nonsense"}
					r.decideAs("12", finding, words[rnd.IntN(len(words))], state, class)
				case 2:
					_, _ = r.box.Seen(t.Context(), ID("12", finding), "Ada")
				}
				if rnd.IntN(3) > 0 {
					rest(time.Duration(rnd.IntN(3000)) * time.Millisecond)
				}
			}
			rest(time.Minute)
			live := r.box.Alerts()
			kept := r.records["12"]
			r.records["12"] = slices.DeleteFunc(slices.Clone(kept), func(rec record.Record) bool {
				return rec.Kind == record.Instruct && !strings.Contains(string(rec.Body), `"event":"seen"`)
			})
			r.stop()
			r.opt.Channels = nil
			r.goOn("12")
			r.start()
			rest(time.Second)
			read := r.box.Alerts()
			if len(read) != len(live) {
				t.Fatalf("seed %d: %d alerts live, %d from the journal", seed, len(live), len(read))
			}
			for i := range live {
				a, b := live[i], read[i]
				if a.ID != b.ID || a.Version != b.Version || a.State != b.State || a.Reason != b.Reason || a.Level != b.Level {
					t.Errorf("seed %d\nlive             %+v\nfrom the journal %+v", seed, a, b)
				}
			}
		})
	}
}
