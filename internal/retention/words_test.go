package retention

import (
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/web/page"
)

func TestAnnouncementsReadWell(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 5, day, 12, 0, 0, 0, time.Local) }
	one := func(name string, day int, why Why) Due {
		return Due{Journal: Journal{Name: name, Bytes: 1 << 20, Written: at(day), Why: why}}
	}
	many := []Due{one("a", 3, Room), one("b", 4, Room), one("c", 4, Room), one("d", 4, Room), one("e", 4, Room), one("f", 5, Age)}
	morning := time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		due  []Due
		left int
		now  time.Time
		want string
	}{
		{nil, 3, morning, ""},
		{many[:1], 0, morning, "Journals that will be removed to make room, from today on: 1, 1 MB, last written 2026-05-03 (a)."},
		{many[:1], 3, morning.In(time.FixedZone("east", 10*3600)).Add(-time.Hour * 10), "Journals that will be removed to make room, not before 2026-06-12: 1, 1 MB, last written 2026-05-03 (a)."},
		{many[:1], 3, morning.In(time.FixedZone("west", -10*3600)), "Journals that will be removed to make room, not before 2026-06-12: 1, 1 MB, last written 2026-05-03 (a)."},
		{many[:1], 1, morning, "Journals that will be removed to make room, not before 2026-06-11: 1, 1 MB, last written 2026-05-03 (a)."},
		{many[5:], 3, morning, "Journals that will be removed at the end of the time for which they are kept, not before 2026-06-13: 1, 1 MB, last written 2026-05-05 (f)."},
		{many, 2, morning, "Journals that will be removed to make room, or at the end of the time for which they are kept, not before 2026-06-12: " +
			"6, 6 MB, last written 2026-05-03 – 2026-05-05 (a, b, c, d, e and 1 more)."},
	} {
		if got := page.English(Announcement(c.due, c.left, c.now)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if got := page.English(Remedy("/var/it's", many)); !strings.HasSuffix(got, `find '/var/it'\''s' -maxdepth 1 -name '*.bwj*' ! -newermt '2026-05-05 12:00:01' -exec cp -p {} journals ';'`) {
		t.Errorf("%s", got)
	}
	list := []Removed{{Journal: many[0].Journal}, {Journal: many[1].Journal}}
	if got := page.English(Report("/d", list)); got != "Journals removed to make room, as announced: 2 (a, b). /d/removed.json has their names and last records." {
		t.Errorf("%s", got)
	}
}
