package web

import (
	"strconv"

	"boardwatchd/internal/watch"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// This file is the vocabulary of people's inputs (rules.Report, rules.Claim, watch.Instruction). The core keeps an
// unknown word and does nothing; here it is refused, because a person waits for an effect.

const (
	white = "white"
	black = "black"
)

// reports are the kinds of reports. True: it is about a person's hands, and needs a side.
var reports = map[string]bool{
	"two-hands": true, "other-hand": true, "press-before-release": true, "foreign-press": true,
	"displaced": false, "clock-setting-wrong": false, "colours-reversed": false, "draw-offer": false, "found": false,
	"queen-brought": false, rules.ReportAssistant: false,
}

func readReport(o *object) watch.Instruction {
	i := watch.Instruction{
		Do: watch.DoReport,
		What: o.word("what", "two-hands", "other-hand", "press-before-release", "foreign-press", "displaced",
			"clock-setting-wrong", "colours-reversed", "draw-offer", "found", "queen-brought", rules.ReportAssistant),
		Side: o.word("side", "", white, black), Move: int(o.number("move", 0, 10_000)), Squares: o.text("squares", 0, 64),
	}
	switch {
	case reports[i.What] && i.Side == "":
		o.fail("side", "is missing", "Say whose: white or black.")
	case i.What == "found" && i.Move == 0:
		o.fail("move", "is missing", "Say at which move number it was found.")
	case !squares(i.Squares):
		o.fail("squares", "is not a row of squares", "Write it like d2-d3.")
	}
	return i
}

func readClaim(o *object) watch.Instruction {
	i := watch.Instruction{
		Do: watch.DoClaim, What: o.word("what", "illegal", "two-hands", "touch", "flag", "draw3", "draw50"),
		Side: o.word("side", "", white, black),
	}
	if i.Side == "" && (i.What == "draw3" || i.What == "draw50") { // the answer depends on the side to move
		o.fail("side", "is missing", "Say who claims: white or black.")
	}
	return i
}

func readInstruction(o *object) watch.Instruction {
	i := watch.Instruction{Do: o.word("do", watch.DoResult, watch.DoSign, watch.DoPause, watch.DoResume, watch.DoRestore,
		watch.DoStrikes, watch.DoFlag, watch.DoPosition, watch.DoFill)}
	switch i.Do {
	case watch.DoResult:
		i.Result = o.word("result", "1-0", "0-1", "1/2-1/2", "*")
	case watch.DoSign:
		i.Side = o.word("side", "", white, black)
	case watch.DoStrikes:
		i.White, i.Black = strikes(o, white), strikes(o, black)
	case watch.DoFlag:
		i.Name, i.On = o.word("name", rules.FlagAppendixD, rules.FlagAssistant, rules.FlagNoTouch), o.onOff("on")
	case watch.DoFill:
		i.Game, i.Ply, i.Moves = int(o.number("game", 1, 1<<31)), int(o.number("ply", 1, 1<<31)), o.text("moves", 0, 8000)
	case watch.DoPosition:
		i.FEN = o.text("fen", 1, 200)
		if problem := position(i.FEN); problem != "" {
			o.fail("fen", "is not a position of a game: "+problem,
				"Check the squares, whose turn it is, and the castling rights.")
		}
	}
	return i
}

// strikes reads the strikes of a side. Both sides are required: a missing one would be reset.
func strikes(o *object, side string) watch.Value {
	n := o.number(side, 0, 9)
	if !o.has(side) {
		o.fail(side, "is missing", "Give a number from 0 to 9 for each side.")
	}
	return watch.Value(strconv.FormatInt(n, 10))
}

// position returns why a text is no FEN; "" if it is one.
func position(fen string) string {
	s, err := legal.ParseFEN(fen)
	if err == nil {
		_, err = s.Position()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// squares reports whether s is a list of squares: "", d2, d2-d3.
func squares(s string) bool {
	for i := 0; i < len(s); i += 3 {
		if len(s) < i+2 || len(s) > i+2 && (s[i+2] != '-' || len(s) == i+3) {
			return false
		}
		if _, ok := legal.ParseSquare(s[i : i+2]); !ok {
			return false
		}
	}
	return true
}
