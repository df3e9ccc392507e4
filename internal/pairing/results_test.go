package pairing

import (
	"fmt"
	"strings"
	"testing"
)

// trfRow is a player's line with points and rounds.
func trfRow(start int, name, points, rounds string) string {
	return fmt.Sprintf("001 %4d      %-33s%33s%4s %4d  %s", start, name, "", points, start, rounds)
}

// TestResultsGoBackIntoATRF: both lines of a game get their signs and points, and nothing else of the file changes;
// what does not fit is named and changes nothing.
func TestResultsGoBackIntoATRF(t *testing.T) {
	players := []string{"Müller,Ä", "Bell,Bob", "Cole,Cid", "Dunn,Dee", "Eve,E", "Finn,F", "Gil,G", "Hon,H"}
	before := []string{"   3 w 1     2 w  ", "   4 b =     1 b  ", "   1 b 0     4 w  ", "   2 w =     3 b  ", "   6 w 1     6 b  ", "   5 b 0     5 w  ", "   8 w 1     8 b 0", "   7 b 0     7 w 1"}
	points := []string{" 1.0", " 0.5", " 0.0", " 0.5", " 1.0", " 0.0", " 1.0", " 1.0"}
	text := "012 Open\r\n"
	for i, n := range players {
		text += trfRow(i+1, n, points[i], before[i]) + "\r\n"
	}
	list := []Result{
		{"1", "Müller, Ä", "Bell, Bob", "1-0"}, {"2", "Cole, Cid", "Dunn, Dee", "1/2-1/2"}, {"3", "Finn, F", "Eve, E", ""},
		{"4", "Hon, H", "Gil, G", "0-1"}, {"5", "Nobody", "Bell, Bob", "1-0"}, {"6", "Bell, Bob", "Müller, Ä", "1-0"},
	}
	out, filled, left, err := FillTRF("x", []byte(text), 0, list)
	if err != nil || filled != 2 || len(left) != 3 || !strings.Contains(left[0], "another result") || !strings.Contains(left[1], "nobody is paired so in round 2") {
		t.Fatalf("%d %q %v", filled, left, err)
	}
	want := "012 Open\n"
	for i, n := range players {
		rounds := []string{"   3 w 1     2 w 1", "   4 b =     1 b 0", "   1 b 0     4 w =", "   2 w =     3 b ="}
		points := []string{" 2.0", " 0.5", " 0.5", " 1.0"}
		if i < len(rounds) {
			want += trfRow(i+1, n, points[i], rounds[i]) + "\n"
		} else {
			want += strings.TrimRight(trfRow(i+1, n, []string{"", "", "", "", " 1.0", " 0.0", " 1.0", " 1.0"}[i], before[i]), "") + "\n"
		}
	}
	if string(out) != want {
		t.Errorf("the file is\n%s\nwant\n%s", out, want)
	}
	again, filled, _, err := FillTRF("x", out, 2, list)
	if err != nil || filled != 2 || string(again) != want {
		t.Errorf("a second time: %d %v\n%s", filled, err, again)
	}
	if _, _, _, err := FillTRF("x", []byte("board,white,black\n1,A,B\n"), 0, nil); err == nil || !strings.Contains(err.Error(), "into a TRF only") {
		t.Errorf("a list: %v", err)
	}
	if _, _, _, err := FillTRF("x", []byte("001\n"), 0, nil); err == nil {
		t.Error("no TRF")
	}
}

// TestResultsAsAList: in the order of the boards, with quotation marks where they are needed.
func TestResultsAsAList(t *testing.T) {
	var b strings.Builder
	err := Results(&b, []Result{{"10", "Adams, Ann", "B", "1-0"}, {"b", "X", "Y", ""}, {"2", "C", "D", "1/2-1/2"}})
	if want := "board,white,black,result\n2,C,D,1/2-1/2\n10,\"Adams, Ann\",B,1-0\nb,X,Y,\n"; err != nil || b.String() != want {
		t.Errorf("%q %v", b.String(), err)
	}
}
