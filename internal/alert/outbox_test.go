package alert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/record"
)

func TestOneAlertForOneFinding(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "suspected", "now", "")
		rest(time.Second)
		if len(hall.all()) != 0 || len(r.box.Alerts()) != 0 {
			t.Error("a suspicion reached a phone")
		}
		for range 3 {
			r.say("12", knight, "confirmed", "now", `,"decided":null`)
		}
		rest(time.Second)
		for range 3 {
			r.say("12", knight, "confirmed", "now", `,"decided":null`)
		}
		rest(time.Minute)
		equal(t, "messages", hall.got(), knight+" v1 open")
		equal(t, "records", r.events("12"), "sent hall v1")
		if a := r.alert("12", knight); a.Level != Now || a.State != Open || a.Version != 1 || a.Channels[0].State != Sent {
			t.Errorf("the alert is %+v", a)
		}
		if m := hall.all()[0].m; string(m.Ruling) == "" || m.Update {
			t.Errorf("the message has ruling %q, update %t", m.Ruling, m.Update)
		}
	})
}

func TestWhichFindingsAreSent(t *testing.T) {
	for _, c := range []struct {
		claim, state, class, keys string
		told                      bool
	}{
		{"a confirmed offence", "confirmed", "now", "", true},
		{"a hint", "confirmed", "advise", "", true},
		{"a suspicion", "suspected", "now", "", false},
		{"a claim's matter", "confirmed", "on_claim", "", false},
		{"what is only logged", "confirmed", "log", "", false},
		{"what was withdrawn", "withdrawn", "now", "", false},
		{"what is decided already", "confirmed", "now", `,"decided":"confirm"`, false},
	} {
		bubble(t, func(t *testing.T) {
			hall := &fake{name: "hall"}
			r := newRig(t, Options{}, hall).start()
			defer r.stop()
			r.say("12", knight, c.state, c.class, c.keys)
			rest(time.Second)
			if told := len(hall.got()) > 0; told != c.told {
				t.Errorf("%s: told %t, want %t", c.claim, told, c.told)
			}
		})
	}
}

func TestClosingIsToldOnceToWhomWasTold(t *testing.T) {
	for _, c := range []struct {
		claim string
		deed  func(r *rig)
		state string
		want  string
	}{
		{"withdrawn", func(r *rig) { r.say("12", knight, "withdrawn", "log", "") }, Closed, Withdrawn},
		{"expired", func(r *rig) { r.say("12", knight, "expired", "log", "") }, Closed, Expired},
		{"no alert any more", func(r *rig) { r.say("12", knight, "confirmed", "on_claim", "") }, Closed, Closed},
		{"confirmed by the arbiter", func(r *rig) { r.decide("12", knight, "confirm", "confirmed") }, Decided, Decided},
		{"rejected by the arbiter", func(r *rig) { r.decide("12", knight, "reject", "withdrawn") }, Decided, Decided},
		{"not seen by the arbiter", func(r *rig) { r.decide("12", knight, "unseen", "confirmed") }, Decided, Decided},
		{"a decision alone", func(r *rig) {
			r.box.Entered("12", record.Record{Kind: record.Decide, Body: []byte(`{"finding":"` + knight + `","decision":"accident"}`)})
		}, Decided, Decided},
	} {
		t.Run(c.claim, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				hall, second := &fake{name: "hall"}, &fake{name: "second2"}
				r := newRig(t, Options{Escalate: 20 * time.Second}, hall, second).start()
				defer r.stop()
				r.say("12", knight, "confirmed", "now", "")
				rest(time.Second)
				c.deed(r)
				rest(time.Second)
				c.deed(r)
				rest(time.Hour)
				equal(t, "the hall's messages", hall.got(), knight+" v1 open", knight+" v2 "+c.want)
				equal(t, "the second arbiter's messages", second.got())
				last := hall.all()[1].m
				if !last.Closed || !last.Update || last.Priority > 2 || last.AckURL != "" {
					t.Errorf("the last update is %+v", last)
				}
				if a := r.alert("12", knight); a.State != c.state {
					t.Errorf("the alert is %s", a.State)
				}
			})
		})
	}
}

func TestReconfirmedAfterUndoIsTheSameAlert(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{Escalate: 20 * time.Second}, hall).start()
		defer func() { r.stop() }()
		r.say("12", knight, "confirmed", "now", `,"decided":null`)
		rest(time.Second)
		r.decide("12", knight, "confirm", "confirmed")
		rest(time.Hour)
		r.decide("12", knight, "undo", "confirmed")
		rest(time.Second)
		equal(t, "messages", hall.got(), knight+" v1 open", knight+" v2 decided", knight+" v3 open")
		if m := hall.all()[2].m; m.Priority != 4 || strings.Contains(string(pushBytes(m)), `"quiet":true`) {
			t.Errorf("raised anew it makes no sound: %+v", m)
		}
		if m := hall.all()[1].m; !strings.Contains(string(pushBytes(m)), `"quiet":true`) {
			t.Errorf("that it is decided makes a sound: %+v", m)
		}
		a := r.alert("12", knight)
		if a.Step != 1 || a.SeenBy != nil || a.Over {
			t.Errorf("raised anew it is %+v", a)
		}
		r.restart(time.Second)
		rest(5 * time.Second)
		if b := r.alert("12", knight); b.Version != 3 || b.State != Open || len(hall.got()) != 3 {
			t.Errorf("after a restart: %+v, messages %q", b, hall.got())
		}
	})
}

func TestSeenStopsEscalation(t *testing.T) {
	for _, c := range []struct {
		claim string
		see   func(t *testing.T, r *rig, m Message)
		by    string
	}{
		{"by a person on the page", func(t *testing.T, r *rig, m Message) {
			if _, err := r.box.Seen(t.Context(), m.ID, "Ada"); err != nil {
				t.Error(err)
			}
		}, "Ada"},
		{"by the button of a notification", func(t *testing.T, r *rig, m Message) {
			for range 3 { // idempotent
				if a, err := r.box.Ack(t.Context(), m.AckURL[strings.LastIndexByte(m.AckURL, '/')+1:]); err != nil || a.State != Seen {
					t.Errorf("%v %v", a.State, err)
				}
			}
		}, "hall"},
		{"by deciding later", func(_ *testing.T, r *rig, _ Message) { r.decide("12", knight, "later", "confirmed") }, "Ada's phone"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				hall, second := &fake{name: "hall"}, &fake{name: "second2"}
				r := newRig(t, Options{Escalate: 20 * time.Second, URL: func() string { return "http://192.0.2.7:8160/" }}, hall, second).start()
				defer func() { r.stop() }()
				r.say("12", knight, "confirmed", "now", `,"decided":null`)
				rest(10 * time.Second)
				c.see(t, r, hall.all()[0].m)
				rest(time.Minute)
				a := r.alert("12", knight)
				if a.State != Seen || a.Step != 1 || a.SeenBy == nil || *a.SeenBy != c.by || a.Version != 2 {
					t.Errorf("the alert is %+v", a)
				}
				equal(t, "the second arbiter's messages", second.got())
				equal(t, "the hall's messages", hall.got(), knight+" v1 open", knight+" v2 seen")
				r.restart(time.Hour)
				rest(time.Minute)
				if b := r.alert("12", knight); b.State != Seen || b.SeenBy == nil || *b.SeenBy != c.by || b.Version != 2 {
					t.Errorf("after a restart it is %+v", b)
				}
				equal(t, "messages after a restart", hall.got(), knight+" v1 open", knight+" v2 seen")
			})
		})
	}
}

func TestEscalation(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall, second := &fake{name: "hall"}, &fake{name: "second2"}
		r := newRig(t, Options{Escalate: 20 * time.Second}, hall, second).start()
		defer func() { r.stop() }()
		r.say("12", knight, "confirmed", "now", "")
		r.say("12", "7:draw.fifty", "confirmed", "advise", "")
		rest(19900 * time.Millisecond)
		equal(t, "before its time", second.got())
		rest(200 * time.Millisecond)
		equal(t, "after 20 s", second.got(), knight+" v1 open")
		if a := r.alert("12", knight); a.Step != 2 {
			t.Errorf("the page shows step %d", a.Step)
		}
		if !slices.Contains(r.events("12"), "escalated v1") {
			t.Errorf("records: %q", r.events("12"))
		}
		r.restart(time.Second)
		rest(time.Minute)
		equal(t, "not again after a restart", second.got(), knight+" v1 open")
	})
	bubble(t, func(t *testing.T) {
		second := &fake{name: "second2"}
		r := newRig(t, Options{Escalate: 20 * time.Second}, second).start()
		r.say("12", knight, "confirmed", "now", "")
		rest(10 * time.Second)
		r.restart(15 * time.Second)
		defer func() { r.stop() }()
		rest(2 * time.Second)
		equal(t, "the time counts while the program is away", second.got(), knight+" v1 open")
	})
	bubble(t, func(t *testing.T) {
		second := &fake{name: "second2"}
		r := newRig(t, Options{}, second).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(5 * time.Minute)
		equal(t, "Escalate 0 is never", second.got())
	})
}

func TestRetryTimes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: fails(away)}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(11 * time.Minute)
		tries := hall.all()
		for i := 1; i < len(tries); i++ {
			most := min(time.Second<<(i-1), 30*time.Second)
			if gap := tries[i].at - tries[i-1].at; gap < most*3/4 || gap > most+10*time.Millisecond {
				t.Errorf("attempt %d came %v after the one before, want %v, a quarter less at most", i+1, gap, most)
			}
		}
		if len(tries) < 22 || tries[len(tries)-1].at > 10*time.Minute {
			t.Errorf("%d attempts, the last after %v", len(tries), tries[len(tries)-1].at)
		}
		a := r.alert("12", knight)
		if !a.Over || a.State != Open || a.Channels[0].State != GivenUp || a.Channels[0].Error == "" {
			t.Errorf("after its time the alert is %+v", a)
		}
		equal(t, "records", r.events("12"), "expired v1")
	})
}

func TestWishForLater(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: fails(&Temporary{Err: errors.New("429"), After: 90 * time.Second})}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		r.say("13", knight, "confirmed", "now", "") // a new alert does not shorten the pause that a receiver asked for
		r.box.Nudge()
		rest(88 * time.Second)
		if n := len(hall.all()); n != 1 {
			t.Fatalf("%d attempts before the receiver's wish is over", n)
		}
		hall.does(nil)
		rest(3 * time.Second)
		if got := hall.got(); len(got) != 2 {
			t.Errorf("then it got %q", got)
		}
	})
}

func TestHoursOffline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: fails(away)}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		for i := range 18 { // three hours
			r.say("12", fmt.Sprintf("%d:illegal.king", i), "confirmed", "now", "")
			rest(10 * time.Minute)
		}
		for i := range 5 {
			r.say("12", fmt.Sprintf("%d:illegal.rook", 100+i), "confirmed", "now", "")
			rest(20 * time.Second)
		}
		r.say("12", "101:illegal.rook", "withdrawn", "log", "")
		r.say("12", "102:illegal.rook", "expired", "log", "")
		r.decide("12", "103:illegal.rook", "confirm", "confirmed")
		rest(time.Minute)
		hall.does(nil)
		begun := time.Since(epoch)
		r.box.Nudge() // the network works again
		rest(time.Minute)
		equal(t, "what still matters, in order", hall.got(), "100:illegal.rook v1 open", "104:illegal.rook v1 open", "102:illegal.rook v2 expired")
		tries := hall.all()
		if took := tries[len(tries)-1].at - begun; took > 5*time.Second {
			t.Errorf("it took %v after the return", took)
		}
		if m := tries[len(tries)-1].m; !m.Closed || m.Update || m.Title != "Board 12: answered meanwhile" {
			t.Errorf("what was answered meanwhile is told as %+v", m)
		}
		if n := r.box.Notices(); len(n) != 1 || n[0].Say.Key != "notice.channel_again" {
			t.Errorf("notices: %v", n)
		}
	})
}

func TestGivenUpIsShownAndNotRepeated(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: fails(errors.New("ntfy.example.org answered 403"))}
		r := newRig(t, Options{}, hall).start()
		defer func() { r.stop() }()
		r.say("12", knight, "confirmed", "now", "")
		rest(5 * time.Minute)
		r.restart(time.Second)
		rest(time.Minute)
		r.say("12", knight, "withdrawn", "log", "")
		rest(time.Minute)
		if n := len(hall.all()); n != 1 {
			t.Errorf("%d attempts", n)
		}
		equal(t, "records", r.events("12"), "given_up hall v1")
		hall.does(nil)
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		equal(t, "raised anew it is tried anew", hall.got(), knight+" v3 open")
	})
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: fails(errors.New("ntfy.example.org answered 403"))}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		n := r.box.Notices()
		if len(n) != 1 || !strings.Contains(n[0].Say.Args[1].Text, "403") || n[0].Do.IsZero() {
			t.Errorf("notices: %v", n)
		}
		hall.does(nil)
		r.say("13", knight, "confirmed", "now", "")
		rest(time.Second)
		if n := r.box.Notices(); len(n) != 1 || n[0].Say.Key != "notice.channel_again" {
			t.Errorf("when it works again: %v", n)
		}
		rest(6 * time.Minute)
		if n := r.box.Notices(); len(n) != 0 || len(r.notices) != 3 || len(r.notices[2]) != 0 {
			t.Errorf("later: %v, told %v", n, r.notices)
		}
	})
}

func TestAStuckChannelDelaysNobody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		stuck, hall := &fake{name: "stuck", script: hangs}, &fake{name: "hall"}
		r := newRig(t, Options{}, stuck, hall).start()
		defer r.stop()
		for i := range 20 {
			r.say("12", fmt.Sprintf("%d:illegal.king", i), "confirmed", "now", "")
			rest(time.Second)
		}
		for i, tr := range hall.all() {
			if late := tr.at - time.Duration(i)*time.Second; late > 100*time.Millisecond {
				t.Errorf("message %d came %v late", i, late)
			}
		}
		if len(hall.got()) != 20 {
			t.Errorf("the hall got %d messages", len(hall.got()))
		}
		if n := r.box.Notices(); len(n) != 1 || n[0].ID != "alert-channel-stuck" {
			t.Errorf("notices: %v", n)
		}
	})
}

func TestAStuckJournalDelaysNobody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, Options{}, hall)
		r.disk = func(ctx context.Context, board string) error {
			if board == "12" {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		r.start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		rest(time.Second)
		r.say("13", knight, "confirmed", "now", "")
		rest(time.Second)
		if len(hall.got()) != 2 {
			t.Errorf("the hall got %q", hall.got())
		}
		equal(t, "board 13's records", r.events("13"), "sent hall v1")
		rest(time.Minute)
		if n := r.box.Notices(); len(n) != 1 || n[0].ID != "alert-journal" {
			t.Errorf("notices: %v", n)
		}
	})
}

func TestSupersededVersionsAreNotSent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		free := make(chan struct{})
		hall := &fake{name: "hall", script: func(context.Context, Message) error { <-free; return nil }}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", `,"decided":null`)
		rest(time.Second) // version 1 is being sent
		for range 4 {
			r.decide("12", knight, "confirm", "confirmed")
			r.decide("12", knight, "undo", "confirmed")
		}
		r.say("12", "970:illegal.king", "confirmed", "now", "")
		r.say("12", "970:illegal.king", "withdrawn", "log", "")
		rest(time.Second)
		close(free)
		rest(time.Second)
		equal(t, "messages", hall.got(), knight+" v1 open", knight+" v9 open")
	})
}

func TestOrderIsThatOfRaising(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: fails(away)}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		var want []string
		for i := range 30 {
			id := fmt.Sprintf("%d:illegal.king", i*37%30)
			r.say([]string{"12", "13"}[i%2], id, "confirmed", "now", "")
			want = append(want, id+" v1 open")
			rest(700 * time.Millisecond)
		}
		hall.does(nil)
		rest(time.Minute)
		equal(t, "messages", hall.got(), want...)
	})
}

func TestAMessageThatAReceiverChokesOnHoldsNobodyUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall", script: func(_ context.Context, m Message) error {
			if strings.Contains(m.ID, "knight") {
				return &Temporary{Err: errors.New("500"), Alone: true}
			}
			return nil
		}}
		r := newRig(t, Options{}, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		r.say("12", "970:illegal.king", "confirmed", "now", "")
		rest(3 * time.Second)
		equal(t, "messages", hall.got(), "970:illegal.king v1 open")
		rest(15 * time.Minute)
		if n := len(hall.all()); n < 20 || n > 40 {
			t.Errorf("%d attempts in ten minutes", n)
		}
	})
}
