package words

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardwatchd/rules/kinds"
)

func TestSentences(t *testing.T) {
	moved := Say("why.castle.rook_moved", Say("who.black"), "h8")
	for _, c := range []struct {
		s              Sentence
		english, other string
		wire           string
	}{
		{Verbatim("e4"), "e4", "e4", `"e4"`},
		{moved, "Black cannot castle with the rook on h8: that rook has moved before.",
			"Enroque de las negras con la torre de h8 imposible: esa torre ya se movió antes.", `["why.castle.rook_moved",["who.black"],"h8"]`},
		{Say("reason.illegal.no_move", Say("who.player"), ""), "The player's clock was pressed, and no piece had moved.",
			"El reloj del jugador se pulsó sin mover ninguna pieza.", `["reason.illegal.no_move",["who.player"],""]`},
		{List(", ", []Sentence{Verbatim("e4"), Say("stands.nothing")}), "e4, empty", "e4, vacía", `[", ","e4",["stands.nothing"]]`},
		{Say("reason.irreg.out_of_turn", Say("who.white"), ""), "White has moved without having the move.", "Jugada de las blancas sin tener el turno.",
			`["reason.irreg.out_of_turn",["who.white"],""]`},
		{Say("why.empty", "<e4>"), "No piece stands on <e4>.", "No hay ninguna pieza en <e4>.", `["why.empty","<e4>"]`},
	} {
		wire, err := json.Marshal(c.s)
		if s := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(wire)); err != nil || s != c.wire {
			t.Errorf("on the wire %s, %v, want %s", wire, err, c.wire)
		}
		var back Sentence
		if err := json.Unmarshal(wire, &back); err != nil || !back.Equal(c.s) {
			t.Errorf("%s is read as %+v, %v", wire, back, err)
		}
		if have, other := c.s.String(), c.s.In("es"); have != c.english || other != c.other {
			t.Errorf("%q and %q, want %q and %q", have, other, c.english, c.other)
		}
	}
	if moved.Equal(Say("why.castle.rook_moved", Say("who.black"), "a8")) || moved.Equal(Verbatim(moved.String())) || !(Sentence{}).IsZero() {
		t.Error("other sentences are taken for the same")
	}
}

func TestWhatIsNoSentence(t *testing.T) {
	for _, body := range []string{`[]`, `[7]`, `{}`, `[""]`, `["a",{}]`, strings.Repeat(`["a",`, 20) + `"b"` + strings.Repeat(`]`, 20)} {
		var s Sentence
		if json.Unmarshal([]byte(body), &s) == nil {
			t.Errorf("%s is read as %+v", body, s)
		}
	}
}

func TestEveryKindHasASentenceInEveryLanguage(t *testing.T) {
	for i := range catalogues {
		for _, row := range kinds.All() {
			if _, ok := catalogues[i].find(row.Text); !ok {
				t.Errorf("%s has no %s, for %s", catalogues[i].lang, row.Text, row.Kind)
			}
		}
	}
}

// said and fault match the keys that the code names; the keys of the legality core begin with "why".
var (
	said  = regexp.MustCompile(`words\.Say\("([a-z0-9_.]*[a-z0-9_])"`)
	fault = regexp.MustCompile(`aultOf\([^"\n]*"(?:3[0-9.]*", ")?([a-z0-9_.]*[a-z0-9_])"`)
)

// literal matches literal text in the code, which would appear in English only.
var literal = regexp.MustCompile(`Verbatim\([^\n]*"[^"\n]*[a-z]{3}`)

// Every sentence that the core names by its whole key has a text in every language, and the code contains no literal
// text.
func TestEverySentenceOfTheCodeHasAText(t *testing.T) {
	named := map[string]bool{}
	for _, room := range []string{"../*.go", "../legal/*.go", "../../detector/*.go", "../../internal/watch/*.go"} {
		files, err := filepath.Glob(room)
		if err != nil || len(files) == 0 {
			t.Fatal(room, err)
		}
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if m := literal.Find(src); m != nil && !strings.HasSuffix(name, "_test.go") && filepath.Base(name) != "explain.go" { // printed by the command
				t.Errorf("%s: %s is said in English only", name, m)
			}
			for _, m := range append(said.FindAllStringSubmatch(string(src), -1), fault.FindAllStringSubmatch(string(src), -1)...) {
				if strings.HasPrefix(m[0], "aultOf") || strings.HasPrefix(m[0], "faultOf") {
					m[1] = "why." + m[1]
				}
				named[m[1]] = true
				for i := range catalogues {
					if _, ok := catalogues[i].find(m[1]); !ok && m[1] != "why" && m[1] != "hands" && m[1] != "stands" {
						t.Errorf("%s: %s has no text %s", name, catalogues[i].lang, m[1])
					}
				}
			}
		}
	}
	if len(named) < 30 {
		t.Errorf("only %d sentences found: is the test looking at the code?", len(named))
	}
}
