package hub

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/members"
)

// namingHub is a hub of two computers that does not serve.
func namingHub(t *testing.T, dir string) *Hub {
	t.Helper()
	h := &Hub{computers: map[string]*computer{}, byShownName: map[string]*worker{}, opt: Options{Log: zerolog.Nop(), Changed: func() {}}}
	h.enrol(members.Roll{Computers: []members.Computer{{Name: "table-1"}, {Name: "table-2"}}})
	var err error
	if h.names, err = openNames(filepath.Join(dir, "shown.json")); err != nil {
		t.Fatal(err)
	}
	h.ctx = t.Context()
	return h
}

func (h *Hub) shownOf(computer, board string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w := h.computer(computer).worker(board); w != nil {
		return w.shownAs
	}
	return ""
}

// Two computers have a board of one name: each is shown by the same name in every run, whichever is heard first.
func TestShownNamesStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := namingHub(t, dir)
	if a, b := h.shownOf("table-1", "b1"), h.shownOf("table-2", "b1"); a != "b1" || b != "b1@table-2" {
		t.Errorf("shown as %q and %q", a, b)
	}
	h.keepNames()
	h = namingHub(t, dir)
	if b, a := h.shownOf("table-2", "b1"), h.shownOf("table-1", "b1"); a != "b1" || b != "b1@table-2" {
		t.Errorf("after a start: shown as %q and %q", a, b)
	}
	for _, c := range h.Computers() {
		want := map[string]string{"table-1": "", "table-2": "b1@table-2"}[c.Name]
		if got := strings.Join(c.Renamed, " "); got != want {
			t.Errorf("%s: renamed %q, want %q", c.Name, got, want)
		}
	}
	c := h.computers["table-2"]
	c.beat, c.watches = time.Now(), []string{"b2"} // the entry of b1 was removed from its configuration
	for _, c := range h.Computers() {
		if len(c.Renamed) > 0 {
			t.Errorf("%s: renamed %q, which nobody has twice any more", c.Name, c.Renamed)
		}
	}
	if shown := h.shownOf("table-1", "board-1#3@5"); shown != "board-1#3@5" {
		t.Errorf("a board that was found is shown as %q", shown)
	}
	for _, name := range []string{"", "b1@table-2", "-1", "a b", "é", strings.Repeat("x", 33)} {
		if shown := h.shownOf("table-1", name); shown != "" {
			t.Errorf("%q is shown as %q", name, shown)
		}
	}
}

// BenchmarkComputers asks for the computers of a hall that have a board of one name each, as often as one comes when
// all come back: what is measured must not grow with their number. From 1,000 on it took a hall's whole core.
func BenchmarkComputers(b *testing.B) {
	for _, n := range []int{250, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := &Hub{computers: map[string]*computer{}, names: &names{}}
			var r members.Roll
			for i := range n {
				r.Computers = append(r.Computers, members.Computer{Name: fmt.Sprintf("table-%d", i)})
			}
			h.enrol(r)
			for i, c := range r.Computers {
				h.computers[c.Name] = &computer{h: h, name: c.Name}
				h.names.list = append(h.names.list, shownName{c.Name, "sim", fmt.Sprintf("sim@%d", i)})
			}
			for b.Loop() {
				if len(h.Computers()) != n {
					b.Fatal("not all computers")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/computer")
		})
	}
}

// A club's computer has other boards at each event. All of them are shown, and those that are gone take no place.
func TestABoardOfALaterEventIsShown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for event := range 40 {
		h := namingHub(t, dir)
		for i := range 16 {
			if board := fmt.Sprintf("board-%d", 16*event+i); h.shownOf("table-1", board) != board {
				t.Fatalf("event %d: %s is not shown", event, board)
			}
		}
		h.keepNames()
		if n := len(h.names.list); n > maxNames {
			t.Fatalf("event %d: %d names", event, n)
		}
	}
}

// The numbers of boards and of players' names of one computer have a limit.
func TestAComputerHasBounds(t *testing.T) {
	t.Parallel()
	h := namingHub(t, t.TempDir())
	for i := range 2 * maxNames {
		h.shownOf("table-1", fmt.Sprint(i))
	}
	if n := len(h.computers["table-1"].workers); n != maxNames {
		t.Errorf("%d boards", n)
	}
	if h.shownOf("table-1", "0") == "" || h.shownOf("table-2", "x") == "" {
		t.Error("a board within the bounds is not shown")
	}
	c := h.computers["table-1"]
	for i := range 2 * maxBoards {
		c.refuse(fmt.Sprint(maxNames + i))
	}
	if c.refusedBoards = append(c.refusedBoards[:1], c.refusedBoards[maxBoards:]...); len(c.refusedBoards) != 1 || c.refusedBoards[0] != fmt.Sprint(maxNames) {
		t.Errorf("the operator's list names %q", c.refusedBoards)
	}
	for i := range 4 {
		batch := map[string]string{}
		for k := range maxPlayerNames / 2 {
			batch[fmt.Sprint(i, k)] = "A"
		}
		c.learn(batch)
	}
	if len(c.names) != maxPlayerNames {
		t.Errorf("%d names", len(c.names))
	}
	if got := c.learn(map[string]string{"0 1": "B", "new": "C"}); len(got) != 1 || got["0 1"] != "B" {
		t.Errorf("learnt %v", got)
	}
}
