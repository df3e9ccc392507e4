//go:build linux

package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPhoneNamesApart: the journal holds the id of the device that decided and of the note, the page shows both after a
// restart, and a note that is forgotten is gone for good while the journal is whole.
func TestPhoneNamesApart(t *testing.T) {
	long(t)
	t.Parallel()
	v := openVenue(t, "")
	ann := v.pair(t, "Annabelle")
	item := ann.awaitConfirmed(t)
	d := decision(item, "confirm")
	d.body["note"] = "hidden by the queen"
	if saved := ann.tell(t, d); saved.Item == nil || saved.Item.Decisions[0].By != "Annabelle" || saved.Item.Decisions[0].Note != "hidden by the queen" {
		t.Errorf("answered %+v", saved.Item)
	}
	v.stopped(t)
	v.again(t)
	shown := func() apiDecision {
		return ann.awaitItem(t, "with its decision", func(i apiItem) bool { return i.Finding.ID == item.Finding.ID && len(i.Decisions) == 1 }).Decisions[0]
	}
	if got := shown(); got.By != "Annabelle" || got.Note != "hidden by the queen" {
		t.Errorf("after a restart: %+v", got)
	}
	list := v.run(t, "", "people", "-c", v.conf, "--format", "jsonl").want(t, 0).out
	id := regexp.MustCompile(`"kind":"note","id":"(n-[0-9a-f]{32})","day":"[0-9-]{10}","text":"hidden by the queen"`).FindStringSubmatch(list)
	if id == nil {
		t.Fatalf("the list of people:\n%s", list)
	}
	v.run(t, "", "people", "-c", v.conf, "forget", id[1]).want(t, 0) // while the boards are watched
	v.stopped(t)
	v.again(t)
	if got := shown(); got.By != "Annabelle" || got.Note != id[1] {
		t.Errorf("a note that was forgotten: %+v", got)
	}
	v.stopped(t)
	for _, file := range v.bwj(t) {
		body, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(body), "Annabelle") || strings.Contains(string(body), "hidden by") {
			t.Errorf("%s holds a name or a note, or cannot be read: %v", file, err)
		}
		v.run(t, "", "verify", file).want(t, 0)
	}
}
