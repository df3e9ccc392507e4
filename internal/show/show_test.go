package show

import (
	"testing"

	"boardwatchd/dgt"
)

func TestLine(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a move with its clocks", `{"type":"move","t":65.25,"board":"12","ply":3,"san":"Nf3","clock":{"white":3661,"black":59},"committed_by":"press"}`,
			" 0:01:05.2  12         2.   Nf3      1:01:01 0:00:59"},
		{"Black's move without a clock", `{"type":"move","t":1,"board":"12","ply":4,"san":"Nc6","clock":null,"committed_by":"reply"}`,
			" 0:00:01.0  12         2... Nc6       by reply"},
		{"an illegal move that stands", `{"type":"move","t":1,"board":"12","ply":3,"uci":"f3d5","san":"Nd5","clock":null,"committed_by":"press","illegal":true,"finding":"17:illegal.knight"}`,
			" 0:00:01.0  12         2.   Nd5       stands: illegal.knight"},
		{"a press without a move that stands", `{"type":"move","t":1,"board":"12","ply":3,"uci":null,"san":null,"clock":null,"committed_by":"press","illegal":true,"finding":"17:illegal.no_move"}`,
			" 0:00:01.0  12         2.   --        stands: illegal.no_move"},
		{"a move that is said again", `{"type":"move","t":1,"board":"12","ply":41,"san":"a8=N","clock":null,"committed_by":"press","corrects":true}`,
			" 0:00:01.0  12        21.   a8=N      corrected"},
		{"a press in order stands in its move's line", `{"type":"press","side":"white","judged":"ok"}`, ""},
		{"any other press is shown", `{"type":"press","t":2,"board":"1","side":"white","judged":"sensor.unknown"}`,
			" 0:00:02.0  1        press by White: sensor.unknown"},
		{"a press by nobody known", `{"type":"press","t":2,"board":"1","side":null,"judged":"ok_start"}`,
			" 0:00:02.0  1        press by an unknown side: ok_start"},
		{"a game", `{"type":"game","t":0,"board":"1","game":2,"fen":"8/8","reversed":true,"chess960":true}`,
			" 0:00:00.0  1        game 2, Chess960, White at the far side: 8/8"},
		{"a result", `{"type":"result","t":3600,"board":"1","result":"1-0","by":"kings","state":"proposed"}`,
			" 1:00:00.0  1        result proposed: 1-0 by kings"},
		{"a take-back", `{"type":"takeback","t":0,"board":"1","ply":4}`, " 0:00:00.0  1        taken back to ply 4"},
		{"a finding says how well it is proved", `{"type":"finding","t":3,"board":"1","kind":"illegal.knight","side":"white","proof":"certain","state":"confirmed","alert":"now","articles":["3.6","7.5.1"],"edition":"FIDE 2023","reason":"A knight does not go there."}`,
			" 0:00:03.0  1        ! illegal.knight by White, certain, confirmed, alert now [FIDE 2023 3.6, 7.5.1]: A knight does not go there."},
		{"a finding that was decided", `{"type":"finding","t":3,"board":"1","kind":"illegal.knight","side":"white","proof":"certain","state":"confirmed","alert":"now","decided":"confirm"}`,
			" 0:00:03.0  1        ! illegal.knight by White, certain, confirmed, alert now, decided: confirm"},
		{"a finding against nobody", `{"type":"finding","t":3,"board":"1","kind":"irreg.adjust_off_turn","side":null,"proof":"hint","state":"confirmed","alert":"log"}`,
			" 0:00:03.0  1        ! irreg.adjust_off_turn, hint, confirmed, alert log"},
		{"a suspicion says which square changed when", `{"type":"finding","t":3,"board":"1","kind":"suspect.two_hands_castling","side":"white","proof":"hint","state":"confirmed","alert":"advise","in_air":"together","timeline":[{"square":"e1","piece":"K","lift":true,"lo":1.5,"hi":1.75},{"square":"g1","piece":"K","lift":false,"lo":2,"hi":2.25}]}`,
			" 0:00:03.0  1        ! suspect.two_hands_castling by White, hint, confirmed, alert advise | K off e1 0.00 to 0.25 s, K put on g1 0.50 to 0.75 s; in the air: together"},
		{"what is for the record only", `{"type":"hands","t":3,"board":"1","ply":9,"llr":0.3}`, ""},
		{"a ruling says what to do in order", `{"type":"ruling","t":3,"board":"1","profile":"fide-standard","text":"Restore.","position_fen":"8/8 w","must_play":["Nd4","Ne5"],"clocks_to_set":{"white":60,"black":3600},"run_clock":"white","deadline":"until the game ends"}`,
			" 0:00:03.0  1          (fide-standard) Restore. | position 8/8 w | must play Nd4 Ne5 | set clocks 0:01:00 1:00:00 | run White | until the game ends"},
		{"health", `{"type":"health","t":0,"board":"1","what":"noise","detail":"3 bytes"}`, " 0:00:00.0  1        (noise) 3 bytes"},
		{"what is not known is shown as it is", `{"type":"new","t":0,"board":"1"}`, ` 0:00:00.0  1        {"type":"new","t":0,"board":"1"}`},
		{"what is no object is shown as it is", `noise`, `noise`},
	} {
		if got := Line([]byte(c.body)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestFrame(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"a lift", []byte{0x8e, 0, 5, 0x34, 0}, "e2 empty"},
		{"a place", []byte{0x8e, 0, 5, 0x24, 1}, "e4 white pawn"},
		{"a running clock", []byte{0x8d, 0, 10, 0x20, 3, 2, 0x20, 3, 1, 9}, "left 0:03:01 right 0:03:02 running, left to move"},
		{"a fallen flag", []byte{0x8d, 0, 10, 0x30, 0, 0, 0x20, 0, 0x16, 0x12}, "left 0:00:16 right 0:00:00 (flag fallen) stopped, right to move"},
		{"no clock", []byte{0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20}, "no clock"},
		{"a null message", []byte{0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0}, "null message"},
		{"a battery", []byte{0xa0, 0, 12, 80, 0x7f, 0x7f, 2, 30, 0, 3, 15, 2}, "80 %, on for 2:30, standby for 0 d 3:15, discharging"},
		{"a bus address", []byte{0x90, 0, 5, 8, 1}, "1025"},
		{"a frame of the bus", []byte{0x87, 0, 6, 8, 1, 0x16}, "08 01 16"},
		{"a serial number", []byte{0x91, 0, 8, '0', '1', '0', '2', '5'}, "01025"},
	} {
		var d dgt.Decoder
		d.Feed(c.raw)
		f, ok := d.Next()
		if !ok {
			t.Fatalf("%s: no frame", c.name)
		}
		if got := Frame(f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestADumpIsShownAsItLies(t *testing.T) {
	var p dgt.Placement
	p[0], p[63], p[9] = dgt.BlackRook, dgt.WhiteRook, dgt.BlackKing
	if got, want := ranks(&p), "r7/1k6/8/8/8/8/8/7R"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
