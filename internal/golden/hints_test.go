package golden

import (
	"encoding/json"
	"fmt"
	"strings"
)

// hints checks what the documents promise of a hint: the side that it names is the one whose turn it was
// (docs/rules.md), and two hands that no person has reported are in the record only (docs/notes/contract.md, section
// 3).
func hints(body []byte) (list []string) {
	var f struct {
		Type, ID, Kind, Side, Proof, Alert string
		Before                             string `json:"fen_before"`
	}
	if json.Unmarshal(body, &f) != nil || f.Type != "finding" || f.Proof != "hint" {
		return nil
	}
	_, rest, _ := strings.Cut(f.Before, " ")
	turn := map[byte]string{'w': "white", 'b': "black"}[(rest + " ")[0]]
	if f.Side != "" && f.Side != turn {
		list = append(list, fmt.Sprintf("the hint %s names %s, and it was the turn of %s", f.ID, f.Side, turn))
	}
	if f.Kind == "illegal.two_hands" && f.Alert != "log" && f.Alert != "none" {
		list = append(list, fmt.Sprintf("nobody has reported %s, and its alert is %s", f.ID, f.Alert))
	}
	return list
}
