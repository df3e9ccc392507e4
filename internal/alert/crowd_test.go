package alert

import (
	"fmt"
	"testing"
	"time"

	"boardwatchd/internal/record"
)

func TestChannelsComeAndGo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{}).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		r.say("13", knight, "confirmed", "advise", "")
		rest(time.Second)
		phone, narrow, urgent := &fake{name: "push-1"}, &fake{name: "push-2b"}, &fake{name: "push-3"}
		r.box.Attach(Configured{Channel: phone})
		r.box.Attach(Configured{Channel: narrow, Boards: []string{"13"}})
		r.box.Attach(Configured{Channel: urgent, Level: Now})
		rest(time.Second)
		if len(phone.got()) != 2 || len(narrow.got()) != 1 || len(urgent.got()) != 1 || narrow.all()[0].m.Board != "13" || urgent.all()[0].m.Board != "12" {
			t.Errorf("they got %q %q %q", phone.got(), narrow.got(), urgent.got())
		}
		again := &fake{name: "push-1"}
		r.box.Attach(Configured{Channel: again})
		r.box.Detach("push-2b")
		r.say("13", knight, "withdrawn", "log", "")
		rest(time.Second)
		equal(t, "a channel of the same name goes on where the first one stopped", again.got(), knight+" v2 withdrawn")
		equal(t, "a channel that was taken away", narrow.got(), knight+" v1 open")
	})
	bubble(t, func(t *testing.T) {
		phone := &fake{name: "push-1", script: fails(fmt.Errorf("push: %w", ErrGone))}
		var gone []string
		r := newRig(t, Options{Gone: func(ch string) { gone = append(gone, ch) }}, phone).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", "")
		r.say("13", knight, "confirmed", "now", "")
		rest(time.Minute)
		equal(t, "gone", gone, "push-1")
		if n := len(phone.all()); n != 1 || len(r.box.Notices()) != 0 {
			t.Errorf("%d attempts, notices %v", n, r.box.Notices())
		}
	})
}

func TestTheOldestGiveWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{}).start()
		defer r.stop()
		for i := range maxOpen + 20 {
			r.say("12", fmt.Sprintf("%d:illegal.king", i), "confirmed", "now", "")
		}
		rest(time.Second)
		list := r.box.Alerts()
		if len(list) != maxOpen || list[0].Finding != "20:illegal.king" {
			t.Errorf("%d alerts, the first is %s", len(list), list[0].Finding)
		}
		if n := r.box.Notices(); len(n) != 1 || n[0].ID != "alert-crowded" {
			t.Errorf("notices: %v", n)
		}
		for i := range 10 * maxKept {
			r.box.Said("12", fmt.Appendf(nil, `{"type":"finding","id":"s%d","state":"suspected","alert":"now"}`, i))
		}
		rest(time.Second)
		if n := len(r.box.entries); n > maxOpen+maxKept {
			t.Errorf("%d findings are remembered", n)
		}
		if len(r.box.Alerts()) != maxOpen {
			t.Error("suspicions pushed alerts out")
		}
	})
}

func TestManyChannelsAreToldOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var phones []*fake
		for i := range 130 {
			phones = append(phones, &fake{name: fmt.Sprintf("push-%03dx", i)})
		}
		r := newRig(t, Options{}, phones...).start()
		defer r.stop()
		r.say("12", knight, "confirmed", "now", `,"decided":null`)
		rest(time.Minute)
		r.reopen("12")
		rest(time.Minute)
		for _, p := range phones {
			if n := len(p.got()); n != 1 {
				t.Fatalf("%s got %d messages", p.name, n)
			}
		}
		if n := len(r.events("12")); n != len(phones) {
			t.Errorf("%d records", n)
		}
		for i := range 2 * maxStrangers {
			r.write("13", record.Wake, nil)
			r.answers("13", knight, "confirmed", "now", "")
			r.write("13", record.Instruct, fmt.Appendf(nil, `{"do":"alert","finding":%q,"event":"sent","channel":"stranger %d","version":1}`, knight, i))
		}
		r.reopen("13")
		rest(time.Minute)
		if n := len(r.alert("13", knight).Channels); n > maxStrangers+len(phones) {
			t.Errorf("%d channels are remembered", n)
		}
	})
}

func TestAnEscalatedAlertReachesEverybodysPhone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{Escalate: 20 * time.Second}).start()
		defer r.stop()
		mine, screen := &fake{name: "push-1"}, &fake{name: "screen"}
		r.box.Attach(Configured{Channel: mine, Boards: []string{"13"}, Personal: true})
		r.box.Attach(Configured{Channel: screen, Boards: []string{"13"}})
		r.say("12", knight, "confirmed", "now", "")
		rest(19 * time.Second)
		equal(t, "before its time", mine.got())
		rest(2 * time.Second)
		equal(t, "after 20 s", mine.got(), knight+" v1 open")
		r.decide("12", knight, "confirm", "confirmed")
		rest(time.Second)
		equal(t, "and then", mine.got(), knight+" v1 open", knight+" v2 decided")
		equal(t, "a channel that is no person's", screen.got())
	})
}

func TestAPhoneChangesItsBoards(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Options{}).start()
		defer r.stop()
		phone := &fake{name: "push-1"}
		boards := []string{"13"}
		r.box.Attach(Configured{Channel: phone, Boards: boards, Personal: true})
		r.say("12", knight, "confirmed", "now", "")
		r.say("13", knight, "confirmed", "now", "")
		rest(time.Second)
		if len(phone.got()) != 1 || phone.all()[0].m.Board != "13" {
			t.Fatalf("it got %q", phone.got())
		}
		boards[0] = "12"
		r.box.Reboard("push-1", boards)
		r.box.Reboard("nobody", nil)
		rest(time.Second)
		if len(phone.got()) != 2 || phone.all()[1].m.Board != "12" {
			t.Errorf("with board 12 it got %q", phone.got())
		}
		r.box.Reboard("push-1", nil)
		r.say("13", "970:illegal.king", "confirmed", "now", "")
		rest(time.Second)
		equal(t, "with all boards", phone.got()[2:], "970:illegal.king v1 open")
		r.box.Reboard("push-1", []string{"12"})
		r.say("13", knight, "withdrawn", "log", "")
		rest(time.Second)
		equal(t, "what it was told of is closed", phone.got()[3:], knight+" v2 withdrawn")
	})
}
