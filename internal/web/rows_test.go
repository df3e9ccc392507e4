package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/internal/live"
)

type rowsAnswer struct {
	Boards []map[string]any `json:"boards"`
}

func (a rowsAnswer) of(t *testing.T, board string) map[string]any {
	t.Helper()
	i := slices.IndexFunc(a.Boards, func(b map[string]any) bool { return b["board"] == board })
	if i < 0 {
		t.Fatalf("no board %s", board)
	}
	return a.Boards[i]
}

func TestOfHundredsOfBoardsAPhoneGetsRows(t *testing.T) {
	h := newHarness(t, nil)
	for i := range 120 {
		h.live.Add("t"+strconv.Itoa(i), live.Info{Journal: "j"}).Ready()
	}
	get := func(query string) (a rowsAnswer, size int) {
		r := h.ask("GET", "/api/v1/boards"+query, h.viewer, "")
		if r.status != 200 {
			t.Fatalf("%s: %d %s", query, r.status, r.body)
		}
		if err := json.Unmarshal([]byte(r.body), &a); err != nil {
			t.Fatal(err)
		}
		return a, len(r.body)
	}
	whole, size := get("")
	rows, least := get("?rows=0")
	first, window := get("?rows=10")
	if len(whole.Boards) != len(rows.Boards) || len(rows.Boards) != len(first.Boards) || least >= size/2 || window >= least {
		t.Fatalf("%d boards in %d bytes, %d in %d as rows, %d in %d of the first ten", len(whole.Boards), size, len(rows.Boards), least, len(first.Boards), window)
	}
	if b := whole.of(t, "t7"); b["part"] != nil || b["fen"] != nil && b["fen"] == "" {
		t.Error("a summary is", b)
	}
	for key, v := range rows.of(t, "t7") { // what a row has is what a summary has
		if want := whole.of(t, "t7")[key]; fmt.Sprint(v) != fmt.Sprint(want) && key != "clock" {
			t.Errorf("%s is %v in a row and %v in a summary", key, v, want)
		}
	}
	if first.of(t, "t3")["part"] != nil || first.of(t, "t99")["part"] != true {
		t.Error("not the first are whole:", first.of(t, "t3"), first.of(t, "t99"))
	}
	for _, odd := range []string{"?rows=x", "?rows=-3", "?rows=", "?rows=99999999999999999999"} {
		if a, _ := get(odd); a.of(t, "t99")["part"] != nil {
			t.Errorf("%s leaves boards out", odd)
		}
	}
}

func TestFewBoardsAreSentAsAWhole(t *testing.T) {
	h := newHarness(t, nil)
	if r := h.ask("GET", "/api/v1/boards?rows=1", h.viewer, ""); r.status != 200 || !strings.Contains(string(r.body), `"strikes_to_lose"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestWhatIsLeftOutAtFirst(t *testing.T) {
	var list []live.Summary
	for i := range 12 {
		list = append(list, live.Summary{Board: strconv.Itoa(12 - i), Watching: true})
	}
	list[0].Open = 1          // board 12 asks for somebody
	list[10].Watching = false // 2 is not watched: it is the last one
	list[9].Table = "0"       // 3 stands at the first table
	left := leftOut(list, 2, []string{"9", "10", "11"}, map[string]bool{"8": true})
	var names []string
	for i := range list {
		if left[list[i].Board] {
			names = append(names, list[i].Board)
		}
	}
	if got := strings.Join(names, " "); got != "11 7 6 5 4 2" {
		t.Errorf("left out are %s: 3 and 1 are the first, 9 and 10 the first that are wanted, 12 and 8 ask for somebody", got)
	}
}
