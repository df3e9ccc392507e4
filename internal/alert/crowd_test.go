package alert

import (
	"fmt"
	"testing"
	"time"
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
