package said

import (
	"encoding/json"
	"testing"
)

func TestNumbersAreReadAsTheyWereWritten(t *testing.T) {
	for us, want := range map[Seconds]string{0: "0", 1: "0.000001", -1_500_000: "-1.5", 65_250_000: "65.25", 10_000_000: "10"} {
		b, err := json.Marshal(us)
		var back Seconds
		if err != nil || string(b) != want || json.Unmarshal(b, &back) != nil || back != us && us >= 0 {
			t.Errorf("%d is %s and read as %d (%v), want %s", us, b, back, err, want)
		}
	}
	var p Permille
	if json.Unmarshal([]byte("0.99"), &p) != nil || p != 990 || json.Unmarshal([]byte(`"x"`), &p) == nil || json.Unmarshal([]byte("0.1234567"), &p) == nil {
		t.Error(p)
	}
}

// A move that stood has three fields more, between the others; of a legal one there is no trace of them.
func TestMoves(t *testing.T) {
	uci := "e2e4"
	m := Move{Head: Head{Type: "move", Seq: 7, T: 1_500_000, Board: "12", Game: 1}, Ply: 1, Side: "white", UCI: &uci, CommittedBy: "press"}
	legal := `{"type":"move","seq":7,"t":1.5,"board":"12","game":1,"ply":1,"side":"white","uci":"e2e4","san":null,"clock":null,"committed_by":"press"}`
	if b, err := json.Marshal(m); err != nil || string(b) != legal {
		t.Errorf("%s, %v", b, err)
	}
	m.StandingIllegalMove, m.Corrects = &StandingIllegalMove{Illegal: true, FENAfter: "f"}, true
	stood := legal[:len(legal)-1] + `,"illegal":true,"finding":null,"fen_after":"f","corrects":true}`
	b, err := json.Marshal(m)
	if err != nil || string(b) != stood {
		t.Errorf("%s, %v", b, err)
	}
	var o Any
	if err := json.Unmarshal(b, &o); err != nil || !o.Illegal || !o.Corrects || o.FENAfter != "f" || o.Finding != "" || o.UCI != uci || o.T != m.T {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestWhatWasDecidedAndFilledIn(t *testing.T) {
	for body, want := range map[string]string{`{"decided":"confirm"}`: "confirm", `{"decided":null}`: "", `{}`: "", `{"decided":7}`: ""} {
		var o Any
		if err := json.Unmarshal([]byte(body), &o); err != nil || o.Decision() != want || (o.Decided == nil) != (body == `{}`) {
			t.Errorf("%s: %q, %v", body, o.Decision(), err)
		}
	}
	for body, want := range map[string]int{`{"what":"filled","moves":[{"uci":"e2e4","san":"e4"}]}`: 1, `{"what":"filled","moves":[]}`: 0, `{"what":"scan","moves":40}`: 0} {
		var o Any
		if err := json.Unmarshal([]byte(body), &o); err != nil || len(o.Plies()) != want {
			t.Errorf("%s: %v, %v", body, o.Plies(), err)
		}
	}
}
