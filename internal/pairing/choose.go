package pairing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// entry is a game with its round, from a list or PGN.
type entry struct {
	game         Game
	round        string
	event        string
	line, column int
}

// choose selects the games of the round, numbers the boards if they have no numbers, and refuses contradictions.
func choose(all []entry, round int, left *leftOut) (Pairing, *Error) {
	if len(all) == 0 {
		return Pairing{}, fault(1, 1, "no game with two players stands here")
	}
	mine, e := ofRound(all, round)
	if e != nil {
		return Pairing{}, e
	}
	if len(mine) > MaxGames {
		return Pairing{}, fault(mine[MaxGames].line, mine[MaxGames].column,
			fmt.Sprintf("more than %d games in one round; export one round only, or name the round", MaxGames))
	}
	mine, e = boards(mine, left)
	switch {
	case e != nil:
		return Pairing{}, e
	case len(mine) == 0:
		return Pairing{}, fault(all[0].line, all[0].column, "the games contradict each other, and none is left")
	}
	sameNames(mine, left)
	p := Pairing{Event: mine[0].event, Round: mine[0].round}
	if p.Round == "" && round > 0 {
		p.Round = strconv.Itoa(round)
	}
	for _, m := range mine {
		p.Games = append(p.Games, m.game)
	}
	return p, nil
}

// ofRound returns the entries of a round, or of the latest one.
func ofRound(all []entry, round int) ([]entry, *Error) {
	var names []string
	seen := map[string]bool{}
	latest, numbered := 0, true
	for _, a := range all {
		if seen[a.round] {
			continue
		}
		seen[a.round] = true
		names = append(names, a.round)
		n, ok := number(a.round)
		latest, numbered = max(latest, n), numbered && ok
	}
	switch {
	case len(names) == 1 && (round == 0 || names[0] == ""):
		return all, nil
	case round == 0 && !numbered:
		return nil, fault(all[0].line, all[0].column, "several rounds stand here ("+list(names)+"); name the one that is played")
	case round == 0:
		round = latest
	}
	mine := slices.DeleteFunc(slices.Clone(all), func(a entry) bool {
		n, ok := number(a.round)
		return !ok || n != round
	})
	if len(mine) == 0 {
		return nil, fault(all[0].line, all[0].column,
			fmt.Sprintf("round %d does not stand here, only %s; export it, or name another one", round, list(names)))
	}
	return mine, nil
}

// list joins the first few names.
func list(names []string) string {
	const most = 8
	quoted := make([]string, 0, most)
	for _, n := range names[:min(len(names), most)] {
		quoted = append(quoted, quote(n))
	}
	if len(names) > most {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
}

// boards numbers the games if none has a board, and refuses repeated boards and players. Two players may have the same
// name, but not the same FIDE number. Of two games that contradict each other neither is accepted.
func boards(games []entry, left *leftOut) ([]entry, *Error) {
	with, out := 0, map[int]bool{}
	for _, g := range games {
		if g.game.Board != "" {
			with++
		}
	}
	at, seat := map[string]int{}, map[string]int{}
	for i := range games {
		g := &games[i]
		if with == 0 {
			g.game.Board = strconv.Itoa(i + 1)
		}
		bad, other := contradiction(games, i, at, seat)
		if bad == nil {
			continue
		}
		if bad = left.take(bad); bad != nil {
			return nil, bad
		}
		if !out[other] && other != i {
			if bad = left.take(fault(games[other].line, games[other].column, fmt.Sprintf("this game and that of line %d contradict each other; neither is taken", g.line)).withWords("contradicted", g.line)); bad != nil {
				return nil, bad
			}
		}
		out[i], out[other] = true, true
	}
	var kept []entry
	for i, g := range games {
		if !out[i] {
			kept = append(kept, g)
		}
	}
	return kept, nil
}

// contradiction returns how a game contradicts an earlier one, and the index of that one. It notes the game's board and
// players.
func contradiction(games []entry, i int, at, seat map[string]int) (bad *Error, other int) {
	g := &games[i]
	if g.game.Board == "" {
		return fault(g.line, g.column, "this game has no board, others have; give each a board, or none").withWords("no_board"), i
	}
	if other, twice := at[plainBoard(g.game.Board)]; twice {
		return fault(g.line, g.column,
			fmt.Sprintf("board %s stands in line %d too; give each game its own board, or export one round only", g.game.Board, games[other].line)).
			withWords("board_twice", g.game.Board, games[other].line), other
	}
	at[plainBoard(g.game.Board)] = i
	for _, p := range [...]Player{g.game.White, g.game.Black} {
		if o, twice := seat[p.FideID]; twice {
			return fault(g.line, g.column, fmt.Sprintf("the FIDE number %s of %s stands at the boards %s and %s; correct it, or export one round only",
				p.FideID, quote(p.Name), games[o].game.Board, g.game.Board)).withWords("fide_twice", p.FideID, quote(p.Name), games[o].game.Board, g.game.Board), o
		}
		if p.FideID != "" {
			seat[p.FideID] = i
		}
	}
	return nil, i
}

// sameNames reports players who share a name, unless their FIDE numbers differ.
func sameNames(games []entry, left *leftOut) {
	type seat struct {
		id    string
		board string
	}
	seats := map[string][]seat{}
	for i := range games {
		g := &games[i]
		for _, p := range [...]Player{g.game.White, g.game.Black} {
			key := strings.ToLower(p.Name)
			for _, o := range seats[key] {
				switch {
				case p.FideID != "" && o.id != "":
					continue // two numbers; a repeated number is a contradiction
				case o.board == g.game.Board:
					left.note(fault(g.line, g.column, fmt.Sprintf("at board %s %s plays against a player of the same name; correct it, unless these are two players", o.board, quote(p.Name))).
						withWords("own_opponent", o.board, quote(p.Name)))
				default:
					left.note(fault(g.line, g.column, fmt.Sprintf("%s plays at the boards %s and %s; correct it, unless these are two players of one name", quote(p.Name), o.board, g.game.Board)).
						withWords("player_twice", quote(p.Name), o.board, g.game.Board))
				}
				break
			}
			seats[key] = append(seats[key], seat{p.FideID, g.game.Board})
		}
	}
}

// checkName returns why a text cannot be a name.
func checkName(name string) string {
	if n := len([]rune(name)); n > maxName {
		return fmt.Sprintf("the name %s has %d characters, at most %d are possible; is a quotation mark missing?", quote(name), n, maxName)
	}
	return ""
}
