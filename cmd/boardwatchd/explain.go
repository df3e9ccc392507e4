package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

var explainCommand = command{
	name: "explain", args: "[FEN [MOVE…] | -]",
	brief: "why a move (SAN or UCI) is legal or not in a position; without a move the legal moves\n" +
		"(several moves are played one after the other; - reads lines of FEN or FEN<TAB>MOVE)",
	example: `boardwatchd explain "rnbqkbnr/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2" Nfd5`,
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		format := formatFlag(fs)
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*format); err != nil {
			return err
		}
		x := explainer{out: bufio.NewWriter(e.out), format: *format}
		if len(rest) == 0 || rest[0] == "-" {
			err = x.lines(e.in)
		} else {
			fen, moves := splitArgs(rest)
			err = x.explain(fen, moves)
		}
		if flushed := x.out.Flush(); flushed != nil {
			return firstError(err, flushed)
		}
		if bad := (unreadFEN{}); errors.As(err, &bad) {
			return status(statusUsage)
		}
		return err
	},
}

// splitArgs takes a FEN that the shell may have split into its fields, and the moves after it.
func splitArgs(args []string) (fen string, moves []string) {
	if strings.ContainsAny(args[0], " \t") || args[0] == "startpos" {
		return args[0], args[1:]
	}
	n := min(len(args), 4)
	for n < len(args) && n < 6 && isNumber(args[n]) {
		n++
	}
	return strings.Join(args[:n], " "), args[n:]
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

type explainer struct {
	out    *bufio.Writer
	format string
}

// The objects of the output (contract).
type explainedMove struct {
	FEN      string      `json:"fen"`
	Move     string      `json:"move"`
	Legal    bool        `json:"legal"`
	Kind     *kinds.Kind `json:"kind"`
	Articles []string    `json:"articles"`
	Reason   string      `json:"reason"`

	SAN        string `json:"san,omitempty"`
	Repetition int    `json:"repetition,omitempty"` // how often the position after the move has occurred (Laws 9.2)
	Outcome    string `json:"outcome,omitempty"`    // checkmate, stalemate, fivefold, move75
	Doubt      bool   `json:"doubt,omitempty"`
	// Refused is why the position itself is not lawful; the move is explained all the same.
	Refused []string `json:"refused,omitempty"`
}

type explainedPosition struct {
	FEN   string   `json:"fen"`
	Moves []string `json:"legal_moves"`
}

type refusedPosition struct {
	FEN     string   `json:"fen"`
	Refused []string `json:"refused"`
}

// longestLine limits a line of standard input.
const longestLine = 1 << 20

func (x *explainer) lines(r io.Reader) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, longestLine)
	n := 0
	var wrong error
	for sc.Scan() {
		n++
		line := strings.TrimRight(sc.Text(), "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fen, moves, _ := strings.Cut(line, "\t")
		err := x.explain(strings.TrimSpace(fen), strings.Fields(moves))
		if bad := (unreadFEN{}); errors.As(err, &bad) {
			wrong = errors.Join(wrong, fmt.Errorf("line %d: %w", n, bad.error))
			continue
		}
		if bad := (exit{}); errors.As(err, &bad) {
			// An invalid line does not keep the others from being answered.
			wrong = errors.Join(wrong, fmt.Errorf("line %d: %w", n, err))
			err = x.unread(unreadMove{strings.TrimSpace(fen), moves, err.Error()})
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	if wrong != nil {
		return exit{statusUsage, wrong}
	}
	return nil
}

// unreadMove is the answer to a line with an unreadable move.
type unreadMove struct {
	FEN   string `json:"fen"`
	Move  string `json:"move"`
	Error string `json:"error"`
}

func (x *explainer) unread(u unreadMove) error {
	if x.format == "jsonl" {
		return x.object(u)
	}
	_, err := fmt.Fprintf(x.out, "%s\n", u.Error)
	return err
}

// unreadFEN is the error of a text that is no FEN. The answer has been printed.
type unreadFEN struct{ error }

// explain answers for one position. A FEN of a position that is not lawful gets an answer without an error; an
// unreadable one gets both.
func (x *explainer) explain(fen string, moves []string) error {
	setup, err := parsePosition(fen)
	if err != nil {
		return firstError(x.refuse(fen, []string{"unreadable_fen"}, err), unreadFEN{err})
	}
	pos, err := setup.Position()
	var refusal legal.Refusal
	switch {
	case errors.As(err, &refusal) && len(moves) > 0:
		// A position with a king left in check, or a pawn left on the last rank, may arise (Laws A.5): a move in it can
		// still be explained.
		if standing, serr := setup.Standing(); serr == nil {
			return x.play(fen, standing, moves, refusal.Reasons())
		}
		return x.refuse(fen, refusal.Reasons(), err)
	case errors.As(err, &refusal):
		return x.refuse(fen, refusal.Reasons(), err)
	case err != nil:
		return err
	case len(moves) == 0:
		return x.list(fen, &pos)
	}
	return x.play(fen, pos, moves, nil)
}

func parsePosition(fen string) (legal.Setup, error) {
	if fen == "startpos" {
		return legal.StartSetup(518), nil
	}
	return legal.ParseFEN(fen)
}

func (x *explainer) refuse(fen string, reasons []string, err error) error {
	if x.format == "jsonl" {
		return x.object(refusedPosition{fen, reasons})
	}
	_, werr := fmt.Fprintf(x.out, "refused: %v\n", err)
	return werr
}

func (x *explainer) list(fen string, pos *legal.Position) error {
	var list legal.MoveList
	pos.Moves(&list)
	moves := make([]string, 0, list.Len())
	for _, m := range list.Slice() {
		moves = append(moves, pos.UCI(m))
	}
	slices.Sort(moves)
	if x.format == "jsonl" {
		return x.object(explainedPosition{fen, moves})
	}
	_, err := fmt.Fprintf(x.out, "%d legal moves: %s\n", len(moves), strings.Join(moves, " "))
	return err
}

// play explains the moves one after the other. A move that is not legal is not played: the next one is explained in the
// same position.
func (x *explainer) play(fen string, start legal.Position, moves, refused []string) error {
	if fen == "startpos" {
		fen = start.FEN()
	}
	h := legal.NewHistory(start)
	for _, text := range moves {
		pos := *h.Position()
		uci, err := readMove(&pos, text)
		if err != nil {
			return usage("%v", err)
		}
		v := h.Explain(uci)
		o := explainedMove{FEN: fen, Move: uci, Legal: v.Legal, Articles: v.Articles, Reason: v.Reason.String(), Doubt: v.Doubt, Refused: refused}
		if o.Articles == nil {
			o.Articles = []string{}
		}
		if v.Kind != "" {
			o.Kind = &v.Kind
		}
		if v.Legal {
			o.SAN = pos.SAN(v.Move)
			h.Push(v.Move)
			fen = h.Position().FEN()
			o.Repetition = h.Repetition()
			if out := h.Outcome(); out != legal.Ongoing {
				o.Outcome = out.String()
			}
		}
		if err := x.verdict(o); err != nil {
			return err
		}
	}
	return nil
}

func (x *explainer) verdict(o explainedMove) error {
	if x.format == "jsonl" {
		return x.object(o)
	}
	var err error
	switch {
	case o.Legal:
		_, err = fmt.Fprintf(x.out, "%s (%s): legal\n", o.Move, o.SAN)
	case o.Doubt:
		_, err = fmt.Fprintf(x.out, "%s: cannot judge: %s\n", o.Move, o.Reason)
	default:
		_, err = fmt.Fprintf(x.out, "%s: not legal: %s (%s; Laws %s)\n", o.Move, o.Reason, *o.Kind, strings.Join(o.Articles, ", "))
	}
	return err
}

func (x *explainer) object(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(x.out, "%s\n", b)
	return err
}
