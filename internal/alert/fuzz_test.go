package alert

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"boardwatchd/internal/record"
)

// FuzzRecords feeds arbitrary bodies through every input. Nothing panics, no version is delivered twice, every written
// record fits a journal, and the same records give the same state.
func FuzzRecords(f *testing.F) {
	for _, s := range []string{
		`{"type":"finding","id":"7:illegal.king","kind":"illegal.king","state":"confirmed","alert":"now","articles":["3.9"],"decided":null}`,
		`{"type":"finding","id":"7:illegal.king","state":"withdrawn","alert":"log"}`,
		`{"type":"ruling","finding":"7:illegal.king","text":"x"}`,
		`{"finding":"7:illegal.king","decision":"confirm","by":"Ada"}`,
		`{"finding":"7:illegal.king","decision":"undo"}`,
		`{"do":"alert","finding":"7:illegal.king","event":"sent","channel":"hall","version":1,"wall_ms":1,"raised_ms":1}`,
		`{"do":"alert","finding":"7:illegal.king","event":"seen","by":"Bob","version":-1,"wall_ms":9223372036854775807}`,
		`{"do":"alert","finding":"7:illegal.king","event":"given_up","channel":"hall","version":99999999999}`,
		`{"format":"boardwatchd-journal/1","wall":"2026-01-02T03:04:05Z"}`, `{"away":-9223372036854775808}`,
		`{"type":"finding","id":7,"alert":{},"decided":[]}`, `[]`, ``, `{"finding"`, "{\"finding\":\"\x7f\xff\"}",
	} {
		f.Add([]byte(s), []byte(`{"type":"finding","id":"8:x","kind":"x","state":"confirmed","alert":"now"}`), int64(5))
	}
	f.Fuzz(func(t *testing.T, a, b []byte, at int64) {
		now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		feed := func() *Outbox {
			o := New(Options{Now: func() time.Time { return now }, Key: []byte("key"), Escalate: time.Second, Channels: []Configured{{Channel: &fake{name: "hall"}}}})
			if len(a)%2 == 0 {
				o.Begin("12", "12-r1")
			}
			seq := record.Seq(0)
			for _, body := range [][]byte{a, b, a} {
				for k := record.Open; k <= record.Say; k++ {
					seq++
					at = max(at, 0) & (math.MaxInt64 >> 8)
					o.Recovered("12", record.Record{Seq: seq, At: at + int64(seq), Kind: k, Body: body})
				}
			}
			o.Ready("12")
			for _, body := range [][]byte{b, a} {
				o.Said("12", body)
				o.Entered("12", record.Record{Seq: seq + 1, Kind: record.Decide, Body: body})
				o.Entered("12", record.Record{Seq: seq + 2, Kind: record.Instruct, Body: body})
			}
			return o
		}
		o := feed()
		ids := map[string]bool{}
		list := o.Alerts()
		for _, al := range list {
			if ids[al.ID] {
				t.Errorf("two alerts have the id %s", al.ID)
			}
			ids[al.ID] = true
			if al.Version < 1 || al.RaisedMS > now.UnixMilli() {
				t.Errorf("version %d, raised %d", al.Version, al.RaisedMS)
			}
			if e := o.entries[al.ID]; e != nil {
				m := o.message(e, "hall", "http://192.0.2.7")
				if !json.Valid(m.Payload()) {
					t.Errorf("the payload is no JSON: %s", m.Payload())
				}
			}
		}
		o.round()
		if again := feed(); len(again.Alerts()) != len(list) {
			t.Error("the same records make another state")
		}
		for id, e := range o.entries {
			o.note(e, event{Event: evSent, Channel: "hall"}, now)
			body := o.notes[len(o.notes)-1].ev.body()
			r := record.Record{Seq: 1, Kind: record.Instruct, Body: body}
			if len(e.finding) < 1<<16 {
				if err := r.Check(); err != nil || !json.Valid(body) {
					t.Errorf("%s: the journal refuses %s: %v", id, body, err)
				}
			}
		}
	})
}

// FuzzAck tries to acknowledge with arbitrary tokens. Only the right one does.
func FuzzAck(f *testing.F) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	key := []byte("key")
	right := tokenOf(key, key, "", ID("12", "8:x"), "hall")
	f.Add(right)
	f.Add(right + "=")
	f.Add("")
	f.Add(tokenOf(key, key, "", ID("12", "9:x"), "hall"))
	f.Add(tokenOf(key, key, "", ID("12", "8:x"), "other"))
	f.Fuzz(func(t *testing.T, token string) {
		o := New(Options{Now: func() time.Time { return now }, Key: key, Channels: []Configured{{Channel: &fake{name: "hall"}}}})
		o.Said("12", []byte(`{"type":"finding","id":"8:x","kind":"x","state":"confirmed","alert":"now"}`))
		_, err := o.Ack(t.Context(), token)
		if (err == nil) != (token == right) || err != nil && !errors.Is(err, ErrToken) {
			t.Errorf("%q: %v", token, err)
		}
	})
}
