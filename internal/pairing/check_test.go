package pairing

import (
	"fmt"
	"strings"
	"testing"
)

// TestCheckNamesWhatIsLeftOut: games that are understood are there, the others are named by their lines; of two that
// contradict each other neither is there. What is no pairing at all has no game and one reason.
func TestCheckNamesWhatIsLeftOut(t *testing.T) {
	game := func(tags ...string) string { return "[" + strings.Join(tags, "]\n[") + "]\n\n*\n\n" }
	for name, tt := range map[string]struct{ text, want string }{
		"all":               {"board,white,black\n1,A,B\n2,C,D\n", "1 A-B; 2 C-D;"},
		"a bye":             {"board,white,black\n1,A,B\n2,C,bye\n", "1 A-B;"},
		"nobody beside":     {"board,white,black\n1,A,B\n2,,C\n3,D,\n4,,\n5,bye,E\n", "1 A-B; look at line 3 look at line 4"},
		"of another round":  {"round,board,white,black\n1,1,A,B\n1,2,,C\n2,1,D,E\n2,2,F,\n", "1 D-E; look at line 5"},
		"a player twice":    {"board,white,black\n1,A,B\n2,a,C\n3,D,E\n", "1 A-B; 2 a-C; 3 D-E; look at line 3"},
		"against himself":   {"board,white,black\n1,A,B\n2,C,C\n", "1 A-B; 2 C-C; look at line 3"},
		"two of one name":   {"board,white,white fide id,black,black fide id\n1,A,100,B,\n2,A,200,A,300\n3,A,,C,\n", "1 A-B; 2 A-A; 3 A-C; look at line 4"},
		"himself by number": {"board,white,white fide id,black,black fide id\n1,A,100,B,\n2,C,200,C,200\n", "1 A-B; line 3"},
		"no board":          {"board,white,black\n1,A,B\n,C,D\n3,E,F\n", "1 A-B; 3 E-F; line 3"},
		"a board twice":     {"board,white,black\n1,A,B\n2,C,D\n02,E,F\n", "1 A-B; line 3 line 4"},
		"a number twice":    {"board,white,black,white fide id\n1,A,B,100\n2,C,D,100\n3,E,F,\n", "3 E-F; line 2 line 3"},
		"too many fields":   {"board,white,black\n1,A,B,C\n2,D,E\n", "2 D-E; line 2"},
		"a quotation mark":  {"board,white,black\n1,A,B\n2,C\"x,D\n3,E,F\n", "1 A-B; 3 E-F; line 3"},
		"two":               {"board,white,black,white rating\n1,A,B,x\n2,C,D,y\n3,E,F,1\n", "3 E-F; line 2 line 3"},
		"a tag is missing":  {game(`White "A"`, `Black "B"`, `Board "1"`) + game(`White "C"`, `Board "2"`) + game(`White "E"`, `Black "F"`, `Board "3"`), "1 A-B; 3 E-F; line 7"},
		"no text":           {"", "line 1"},
		"neither":           {"hello\n", "line 1"},
		"all contradictory": {"board,white,black\n1,A,B\n1,C,D\n", "line 2 line 2 line 3"},
		"a TRF as a whole":  {"012 Open\n001    1      A\n001    1      B\n", "line 3"},
	} {
		t.Run(name, func(t *testing.T) {
			p, left := Check("x", []byte(tt.text), 0)
			got := ""
			for _, g := range p.Games {
				got += fmt.Sprintf("%s %s-%s; ", g.Board, g.White.Name, g.Black.Name)
			}
			faults := 0
			for _, e := range left {
				if e.Note {
					got += "look at "
				} else {
					faults++
				}
				got += fmt.Sprintf("line %d ", e.Line)
				if e.File != "x" || e.Column < 1 || e.Text == "" {
					t.Errorf("%+v", e)
				}
			}
			if strings.TrimSpace(got) != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if _, err := Read("x", strings.NewReader(tt.text), 0); (err == nil) != (faults == 0) {
				t.Errorf("read as a whole: %v", err)
			}
		})
	}
	many := "board,white,black\n" + strings.Repeat(",A,B\n", 3*maxLeftOut)
	if p, left := Check("x", []byte(many), 0); len(left) != maxLeftOut+1 || len(p.Games) != 0 {
		t.Errorf("%d are named, and %d games are there", len(left), len(p.Games))
	}
}

// TestPlayersWithoutAnOpponentInTheRequestedRound: a list that names no round is the one that is asked for, and so are
// its lines with one player.
func TestPlayersWithoutAnOpponentInTheRequestedRound(t *testing.T) {
	for _, text := range []string{"board,white,black\n1,A,B\n6,G,\n8,L,M\n", "round,board,white,black\n,1,A,B\n,6,G,\n,8,L,M\n"} {
		p, left := Check("x", []byte(text), 2)
		if len(p.Games) != 2 || p.Round != "2" || len(left) != 1 || !left[0].Note || !left[0].NoGame || left[0].Line != 3 || left[0].Alone.Board != "6" || left[0].Alone.White.Name != "G" {
			t.Errorf("%q: %+v %v", text, p, left)
		}
	}
}

// A line with another separator than the first one is named as that, and not by half of a name.
func TestALineWithAnotherSeparator(t *testing.T) {
	p, left := Check("x", []byte("round,board,white,black\n1,1,A,B\n1;102;Demir, Mira B;Ivanova, Nils A\n"), 0)
	if len(p.Games) != 1 || len(left) != 1 || !left[0].NoGame || !strings.Contains(left[0].Text, "separated by ;") {
		t.Errorf("%+v %v", p, left)
	}
}
