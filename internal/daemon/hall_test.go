package daemon

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/retention"
	"boardwatchd/internal/tables"
	"boardwatchd/internal/web"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// A decision that the board has refused for good does not wait: the board never gets it.
func TestARefusedDecisionDoesNotWait(t *testing.T) {
	const waits = "Decisions that wait for board 12: 1. They are on this computer’s disk, and the board gets them when it can be reached."
	const never = "Decisions that board 12 has not taken, and never will: 1. The last reason: the board writes 12-r2 now."
	one, no := web.Waiting{Request: "1"}, web.Waiting{Request: "2", Failed: "the board writes 12-r2 now"}
	for name, c := range map[string]struct {
		list             []web.Waiting
		waiting, refused string
	}{
		"nothing": {nil, "", ""}, "one waits": {[]web.Waiting{one}, waits, ""},
		"one was refused": {[]web.Waiting{no}, "", never}, "both": {[]web.Waiting{no, one}, waits, never},
	} {
		waiting, refused := waitTexts("12", c.list)
		if page.English(waiting) != c.waiting || page.English(refused) != c.refused {
			t.Errorf("%s: %q, %q", name, waiting, refused)
		}
	}
}

// A decision that no board gets is a notice on every screen, until it was taken back, and none says that it waits.
func TestADecisionThatNoBoardGets(t *testing.T) {
	f := alone(t, t.TempDir(), "").frontend
	shown := func() (list []string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, n := range f.present {
			if n.ID == "stranded" || strings.HasPrefix(n.ID, "waits-") {
				list = append(list, n.Text)
			}
		}
		return list
	}
	f.setNotice("waits-12", words.Say("notice.waits", "12", 1), words.Say("notice.waits.do"))
	f.noticeStranded([]roster.Stranded{{Computer: "table-7", Board: "12"}, {Computer: "table-7", Board: "12"}})
	if list := shown(); len(list) != 1 || !strings.Contains(list[0], ": 2 (12 at table-7).") {
		t.Errorf("shown are %q", list)
	}
	f.d.tables.putInForce(tables.State{Entries: []tables.Entry{{Table: "9", Board: "12"}}})
	f.d.tables.show()
	f.noticeStranded([]roster.Stranded{{Computer: "table-7", Board: "12"}})
	if list := shown(); len(list) != 1 || !strings.Contains(list[0], "(9 at table-7).") {
		t.Errorf("at table 9: %q", list)
	}
	f.noticeStranded(nil)
	if list := shown(); len(list) != 0 {
		t.Errorf("in the end: %q", list)
	}
}

// A hall that a computer has just joined is not away for the time in which the computer was in none.
func TestAHallIsAwaySinceItWasJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := alone(t, t.TempDir(), "").frontend
		m := &membership{d: f.d, up: uplink.New(uplink.Options{Log: zerolog.Nop()})}
		time.Sleep(time.Hour) // it waits to be accepted
		ctx, end := context.WithCancel(t.Context())
		var work sync.WaitGroup
		work.Go(func() { m.noticeAway(ctx, uplink.Member{Addresses: []string{"hall:8162"}}) })
		for _, c := range []struct {
			pause time.Duration
			away  bool
		}{{awayFor / 2, false}, {awayFor, true}} {
			time.Sleep(c.pause)
			synctest.Wait()
			f.mu.Lock()
			if away := f.presentAt("hall-away") >= 0; away != c.away {
				t.Errorf("after %v it is away: %v", c.pause, away)
			}
			f.mu.Unlock()
		}
		end()
		work.Wait()
	})
}

// Heartbeats name the journals that a computer has announced to remove.
func TestAHeartbeatNamesJournalsToBeRemoved(t *testing.T) {
	d := alone(t, t.TempDir(), "")
	if d.self().Due != nil {
		t.Error("something will be removed")
	}
	list := []retention.Due{{Journal: retention.Journal{Bytes: 1}}, {Journal: retention.Journal{Bytes: 2}}}
	d.used.announced.Store(dueOf(&retention.Outcome{Due: list, Left: 3}))
	if due := d.self().Due; due == nil || *due != (wire.Due{Journals: 2, Bytes: 3, Days: 3}) {
		t.Errorf("%+v", due)
	}
	if dueOf(&retention.Outcome{}) != nil {
		t.Error("nothing is announced, and something will be removed")
	}
}
