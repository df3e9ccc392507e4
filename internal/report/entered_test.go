package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
)

// The report has every entry of a person, with the person and the time: a strike that was typed in has no other origin.
func TestEntriesOfPeople(t *testing.T) {
	bodies := []string{
		`{"do":"strikes","white":1,"black":0,"device":"d1","wall_ms":1796038697168}`,
		`{"do":"result","result":"1-0","device":"d1","wall_ms":1796038697168}`,
		`{"do":"result","result":"*","device":"d1"}`,
		`{"do":"sign","device":"d1"}`, `{"do":"pause","device":"d1"}`, `{"do":"restore","device":"d1"}`,
		`{"do":"flag","name":"appendix_d","on":true,"device":"d1"}`, `{"do":"flag","name":"no_touch","device":"d1"}`,
		`{"do":"position","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","device":"d1"}`,
		`{"do":"report","what":"displaced","squares":"d2-d3","note":"seen <b>","device":"d1"}`, `{"do":"report","what":"assistant","side":"white","device":"d1"}`,
		`{"do":"claim","what":"flag","side":"black","device":"d1"}`,
		`{"do":"fill","game":1,"ply":5,"moves":"Nf3 d6","by":"d1"}`,
	}
	others := []string{ // of the program, or of an alert
		`{"do":"names","white":"p1","black":"p2","device":"d1"}`, `{"do":"alert","finding":"1:illegal.king","event":"seen","by":"d1"}`,
		`{"do":"position","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}`,
	}
	want := []string{
		"Correct the strikes: 1 / 0", "Result: 1-0", "The game goes on", "Signed off", "Pause judging", "I set up the last good position",
		"Appendix D: a blind or visually disabled player", "No touch-move at this event: not any more",
		"Position entered: 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Piece displaced, d2-d3", "An assistant moves or presses for a player, White",
		"Claim (Flag), Black", "Filled in by a person: 3. Nf3 d6",
	}
	for _, anonymous := range []bool{false, true} {
		boards := live.New(live.Options{})
		r := reader{
			j: &Journal{Board: "7", State: "closed"}, opt: Options{Anonymous: anonymous, Lang: "en"}, board: boards.Add("7", live.Info{}),
			people: func(text string) string { return strings.ReplaceAll(text, "d1", "Ann") },
		}
		for i, body := range append(bodies, others...) {
			r.entered(record.Record{Seq: record.Seq(i + 1), At: int64(i) * 1e6, Kind: record.Instruct, Body: []byte(body)})
		}
		r.narrow()
		page := Report{Journals: []*Journal{r.j}, Anonymous: anonymous, opt: r.opt}
		var html, text strings.Builder
		if err := page.HTML(&html); err != nil {
			t.Fatal(err)
		}
		if err := page.JSON(&text); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(html.String()+text.String(), "Ann") == anonymous {
			t.Errorf("anonymous %t: a name is there, or none", anonymous)
		}
		if anonymous {
			continue
		}
		if len(r.j.Entered) != len(want) {
			t.Fatalf("%d entries, not %d", len(r.j.Entered), len(want))
		}
		for _, w := range want {
			if !strings.Contains(html.String(), "<bdi>"+w+"</bdi>") {
				t.Errorf("not in the report: %s", w)
			}
		}
		var read struct {
			Journals []struct{ Entered []map[string]any }
		}
		if err := json.Unmarshal([]byte(text.String()), &read); err != nil {
			t.Fatal(err)
		}
		if e := read.Journals[0].Entered; e[0]["do"] != "strikes" || e[0]["by"] != "Ann" || e[0]["white"] != 1.0 || e[12]["ply"] != 5.0 {
			t.Errorf("as JSON %v", e)
		}
	}
}

// A refused entry is marked as refused, and entries before the first game are in the report of that game.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	boards := live.New(live.Options{})
	r := reader{j: &Journal{Board: "7", State: "closed"}, opt: Options{Lang: "en"}, board: boards.Add("7", live.Info{}), people: strings.Clone}
	for i := range maxEntries + 3 {
		r.entered(record.Record{Seq: record.Seq(i + 1), At: int64(i), Kind: record.Instruct, Body: []byte(`{"do":"sign","device":"d1"}`)})
	}
	r.entered(record.Record{Seq: 1 << 20, Kind: record.Instruct, Body: []byte(`{"do":"names","white":"p1","device":"d1"}`)})
	for i := range maxHealth + 2 {
		r.health(said.Any{Brief: said.Brief{What: fmt.Sprint("what", i)}})
	}
	r.leftOut.Findings = 5
	r.j.LeftOut = &r.leftOut
	page := Report{Journals: []*Journal{r.j, {Board: "8", State: "closed"}}, opt: r.opt}
	var html, text strings.Builder
	if err := errors.Join(page.HTML(&html), page.JSON(&text)); err != nil {
		t.Fatal(err)
	}
	if want := "<strong>Board <bdi>7</bdi></strong>: Findings: 5. Entered by people: 3. What was not watched, and what the boards said of themselves: 2."; !strings.Contains(html.String(), want) {
		t.Errorf("the page does not say %q", want)
	}
	if strings.Count(html.String(), "Left out here") != 1 || strings.Count(text.String(), `"left_out":{"findings":5,"entered":3,"spans":0,"health":2}`) != 1 {
		t.Error("what is left out is said once, of one board")
	}
	r.j.anonymize()
	if *r.j.LeftOut != (LeftOut{Health: 2}) {
		t.Errorf("without names: %+v", *r.j.LeftOut)
	}
}

func TestEntriesOfAGame(t *testing.T) {
	boards := live.New(live.Options{})
	r := reader{
		j: &Journal{Board: "7", State: "closed"}, opt: Options{Lang: "en", Game: 1}, board: boards.Add("7", live.Info{}),
		people: func(text string) string { return text },
	}
	r.entered(record.Record{Seq: 5, At: 1, Kind: record.Instruct, Body: []byte(`{"do":"strikes","white":1,"black":0,"device":"d1"}`)})
	r.entered(record.Record{Seq: 7, At: 2, Kind: record.Instruct, Body: []byte(`{"do":"result","result":"*","device":"d1"}`)})
	r.said([]byte(`{"type":"health","seq":7,"t":0.000002,"what":"instruction_refused","say":["row.refused_no_result"]}`))
	r.narrow()
	texts, err := newTexts("en")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range r.j.Entered {
		list = append(list, texts.entry(e))
	}
	if got := strings.Join(list, "; "); got != "Correct the strikes: 1 / 0; The game goes on (Instruction refused)" {
		t.Error(got)
	}
}
