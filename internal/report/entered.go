package report

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// An Entry is a person's entry at a board, other than a decision about a finding: a result, strikes, a signature, a
// report, a claim, a pause. A strike that was typed in has its origin here.
type Entry struct {
	Board  string       `json:"board"`
	Game   int          `json:"game"` // 0: before the first
	Ply    int          `json:"ply"`  // of the game at that time
	T      said.Seconds `json:"t"`
	WallMS int64        `json:"wall_ms"`
	By     string       `json:"by"`
	Note   string       `json:"note,omitempty"`
	// Refused says that the board did not accept the entry, which has changed nothing.
	Refused bool `json:"refused,omitempty"`
	watch.Instruction

	seq record.Seq
}

// notEntered are instructions that nobody has typed: names, the end of a recording, the outcome of an alert.
var notEntered = map[string]bool{watch.DoNames: true, watch.DoFinish: true, "alert": true}

// maxEntries is the largest number of entries of a board in a report. The report says how many more there are.
const maxEntries = 2000

// entered handles an instruction of a person.
func (r *reader) entered(rec record.Record) {
	var body struct {
		watch.Instruction
		Note   string `json:"note"`
		WallMS int64  `json:"wall_ms"`
	}
	if json.Unmarshal(rec.Body, &body) != nil || notEntered[body.Do] {
		return
	}
	who := watch.EnteredBy(rec.Body)
	if who == "" { // of the program: a game that continues in a new journal
		return
	}
	if len(r.j.Entered) >= maxEntries {
		r.leftOut.Entered++
		return
	}
	now := r.board.Summary()
	e := Entry{
		Board: r.j.Board, Game: now.Game, Ply: now.Ply, T: said.Seconds(rec.At), WallMS: cmp.Or(body.WallMS, now.WallMS),
		By: r.people(who), Note: r.people(body.Note), Instruction: body.Instruction, seq: rec.Seq,
	}
	if e.Do == watch.DoFill { // of an earlier place
		e.Game, e.Ply = body.Game, body.Ply
	}
	r.j.Entered = append(r.j.Entered, e)
}

// enteredFor notes that the results entered at a game without a move are those of the game before.
func (r *reader) enteredFor(game, of int) {
	for i := range r.j.Entered {
		if e := &r.j.Entered[i]; e.Game == game && e.Do == watch.DoResult {
			e.Game, e.Ply = of, 0
		}
	}
}

// refused notes that the board did not accept an instruction.
func (r *reader) refused(seq record.Seq) {
	if n := len(r.j.Entered); n > 0 && r.j.Entered[n-1].seq == seq {
		r.j.Entered[n-1].Refused = true
	}
}

// of reports whether an entry belongs to a game: entries before the first game count in that game.
func (e *Entry) of(game int) bool { return e.Game == game || e.Game == 0 && game == 1 }

// entry describes an entry in the words of the page's buttons, and says if it was refused.
func (t texts) entry(e Entry) string {
	if e.Refused {
		return t.instruction(e) + " (" + t.own("health.instruction_refused") + ")"
	}
	return t.instruction(e)
}

func (t texts) instruction(e Entry) string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	switch e.Do {
	case watch.DoResult:
		if e.Result == "*" {
			return t.own("do.goes_on")
		}
		return t.own("result.title") + ": " + e.Result
	case watch.DoStrikes:
		return t.own("do.strikes") + ": " + string(e.White) + " / " + string(e.Black)
	case watch.DoFlag:
		if !e.On {
			return t.text("sheet.switched_back", t.own("tell."+e.Name))
		}
		return t.own("tell." + e.Name)
	case watch.DoPosition:
		return t.text("sheet.position") + ": " + e.FEN
	case watch.DoFill:
		return t.own("fill.done") + ": " + strconv.Itoa((e.Ply+1)/2) + ". " + e.Moves
	case watch.DoReport:
		if e.What == "assistant" { // a switch on the page
			add(t.own("tell.assistant"))
		} else {
			add(t.own("report." + e.What))
		}
	case watch.DoClaim:
		add(t.own("claim.title") + " (" + t.own("claim."+e.What) + ")")
	default:
		add(t.own("do." + e.Do))
	}
	add(t.side(e.Side))
	if e.Move > 0 {
		add(t.text("sheet.move") + " " + strconv.Itoa(e.Move))
	}
	add(e.Squares)
	return strings.Join(parts, ", ")
}
