package live_test

import (
	"errors"
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// foundIn is a record with a finding.
func foundIn(seq record.Seq, id string) record.Record {
	return record.Record{Seq: seq, At: int64(seq) * 1e6, Kind: record.Say, Body: []byte(`{"type":"finding","id":"` + id + `","state":"confirmed","alert":"now"}`)}
}

// shownFindings are the ids of a board's findings, the newest first, by every way in which a reader asks.
func shownFindings(t *testing.T, bs *live.Boards) (ids []string) {
	t.Helper()
	s, _ := bs.State("1")
	for _, it := range s.Findings {
		ids = append(ids, it.ID)
		if _, ok := bs.Finding("1", it.ID); !ok {
			t.Errorf("%s is in the state and is not found", it.ID)
		}
	}
	if one := summary(t, bs); one.Open != len(ids) || s.Board.Open != len(ids) {
		t.Errorf("%d findings, the line says %d, the state %d", len(ids), one.Open, s.Board.Open)
	}
	return ids
}

// readBefore is a board whose journal j was read, with two findings.
func readBefore(t *testing.T) (*live.Boards, *live.Board) {
	t.Helper()
	bs := live.New(live.Options{Epoch: "e"})
	b := bs.Add("1", live.Info{Journal: "j"})
	b.Recovered(opening(1, 0, 0))
	b.Recovered(foundIn(2, "first"))
	b.Recovered(foundIn(3, "second"))
	b.Seen(watch.View{At: 3e6, Link: "up", Placement: "8"}, nil)
	b.Ready()
	return bs, b
}

// A hall reads the journal of a board whose computer was started again from its first record on: until its end nothing
// of what was shown is gone.
func TestThePictureStaysWhileTheJournalIsReadAgain(t *testing.T) {
	bs, b := readBefore(t)
	f := bs.Follow("")
	defer f.Close()
	before := summary(t, bs)
	same := func(when string) {
		t.Helper()
		if ids := shownFindings(t, bs); len(ids) != 2 {
			t.Errorf("%s: findings %v", when, ids)
		}
		if now := summary(t, bs); now.T != before.T || now.Placement != before.Placement || now.Link != before.Link {
			t.Errorf("%s: %+v", when, now)
		}
	}
	if again := bs.Add("1", live.Info{Journal: "j"}); again != b {
		t.Fatal("another board")
	}
	same("before the first record")
	b.Recovered(opening(1, 0, 0))
	same("after the first record")
	b.Seen(watch.View{Link: "down", Placement: "7P"}, nil)
	same("after the first view")
	b.Recovered(foundIn(2, "first"))
	same("after the first finding")
	if late := bs.Follow(bs.Last()); !late.Resumed() {
		t.Error("a reader is sent away before the end")
	}
	b.Recovered(foundIn(3, "second"))
	b.Recovered(opening(4, 4e6, 0))
	b.Recovered(foundIn(5, "third"))
	same("before the end")
	stale := bs.Last()
	b.Ready()
	if ids := shownFindings(t, bs); len(ids) != 3 {
		t.Errorf("at the end: findings %v", ids)
	}
	if late := bs.Follow(stale); late.Resumed() {
		t.Error("a reader of what was shown before does not fetch the state")
	}
	if _, err := f.Next(t.Context()); !errors.Is(err, live.ErrFellBehind) {
		t.Errorf("a follower of what was shown before: %v", err)
	}
}

// A reading that ends early (the file cannot be read) changes nothing, and the next one begins anew.
func TestAReadingThatEndsEarlyChangesNothing(t *testing.T) {
	bs, b := readBefore(t)
	bs.Add("1", live.Info{Journal: "j"})
	b.Recovered(opening(1, 0, 0))
	b.Recovered(foundIn(2, "first"))
	bs.Add("1", live.Info{Journal: "j"})
	if ids := shownFindings(t, bs); len(ids) != 2 {
		t.Errorf("findings %v", ids)
	}
	b.Recovered(opening(1, 0, 0))
	b.Ready()
	if ids := shownFindings(t, bs); len(ids) != 0 { // its end was lost
		t.Errorf("at the end: findings %v", ids)
	}
}

// The findings of one journal are not shown as those of another.
func TestAnotherJournalIsShownAtOnce(t *testing.T) {
	bs, b := readBefore(t)
	bs.Add("1", live.Info{Journal: "j"})
	b.Recovered(opening(1, 0, 0)) // a reading of the first one, which does not come to its end
	bs.Add("1", live.Info{Journal: "k"})
	if ids := shownFindings(t, bs); len(ids) != 0 {
		t.Errorf("findings %v of the journal before", ids)
	}
	b.Recovered(opening(1, 0, 0))
	b.Recovered(foundIn(2, "other"))
	b.Ready()
	if ids := shownFindings(t, bs); len(ids) != 1 || ids[0] != "other" {
		t.Errorf("findings %v", ids)
	}
}
