package scenario

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"boardwatchd/internal/config"
	"boardwatchd/rules/legal"
)

// This file reads the parts of a case.

// startposWord begins a start from the ordinary array.
const startposWord = "startpos"

// start reads "startpos", a FEN, or either followed by " moves e2e4 …". An unchecked start may be any position with two
// kings, for instance after an illegal move that was not taken back.
func (r *reader) start(n *yaml.Node, unchecked bool) (s Start) {
	s.Text = r.scalar(n, "start")
	s.Setup = legal.StartSetup(518)
	from, moves, _ := strings.Cut(strings.Join(strings.Fields(s.Text), " "), " moves ")
	s.Moves = strings.Fields(moves)
	switch {
	case from == startposWord:
	case strings.HasPrefix(from, startposWord):
		r.refuse(n, "start", "%q is no start; it is startpos or a FEN, and moves e2e4 … may follow", s.Text)
	default:
		setup, err := legal.ParseFEN(from)
		if err != nil {
			r.refuse(n, "start", "%v; it is startpos or a FEN, and moves e2e4 … may follow", err)
			return s
		}
		s.Setup = setup
	}
	if len(s.Moves) > 0 {
		if _, wrong := playMoves(s.Setup, s.Moves, unchecked); wrong != "" {
			r.refuse(n, "start", "%s is not legal there", wrong)
		}
	}
	return s
}

// playMoves returns the position after the moves, or the first illegal one.
func playMoves(setup legal.Setup, moves []string, unchecked bool) (pos legal.Position, wrong string) {
	pos, err := standing(&setup, unchecked)
	if err != nil {
		return pos, setup.FEN()
	}
	for _, uci := range moves {
		m, ok := findMove(&pos, uci)
		if !ok {
			return pos, uci
		}
		pos = pos.After(m)
	}
	return pos, ""
}

// standing returns the position of a set-up; unchecked ones need not be reachable by legal moves.
func standing(s *legal.Setup, unchecked bool) (legal.Position, error) {
	if unchecked {
		return s.Standing()
	}
	return s.Position()
}

// yes reads true or false.
func (r *reader) yes(n *yaml.Node, key string) bool {
	switch word := r.scalar(n, key); word {
	case "true":
		return true
	case "false":
	default:
		r.refuse(n, key, "%q is neither true nor false", word)
	}
	return false
}

// rules reads keys of the rule set with their values in this case. Each is tried alone first, so that a fault is
// reported at its line, and then all together.
func (r *reader) rules(n *yaml.Node, profile string) (list []config.Override) {
	if !r.plain(n, "rules") {
		return nil
	}
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		r.refuse(n, "rules", "needs keys of the rule set with their values, like {promo_wrong_colour: illegal}; the keys are those of rules.override in configs/boardwatchd.schema.json")
		return nil
	}
	if _, err := config.Profile(profile); err != nil {
		return nil // the error is reported at the key profile
	}
	seen := map[string]bool{}
	broken := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		text, err := yaml.Marshal(v)
		if !r.plain(k, "rules") || !r.plain(v, k.Value) {
			broken = true
			continue
		}
		o := config.Override{Key: k.Value, Value: string(text)}
		switch {
		case seen[k.Value]:
			r.refuse(k, "rules", "has %s twice; take one of them out", k.Value)
			broken = true
			continue
		case err == nil:
			_, err = config.Profile(profile, o)
		}
		if seen[k.Value] = true; err != nil {
			r.refuse(k, "rules", "%v", ruleError(err))
			broken = true
			continue
		}
		list = append(list, o)
	}
	if broken {
		return nil
	}
	if _, err := config.Profile(profile, list...); err != nil {
		r.refuse(n, "rules", "%v", ruleError(err))
	}
	return list
}

// ruleError removes the file from the configuration's error: the case's own line is reported.
func ruleError(err error) error {
	var list config.Problems
	if !errors.As(err, &list) || len(list) == 0 {
		return err
	}
	p := list[0]
	p.File, p.Line, p.Column = "", 0, 0
	return errors.New(strings.TrimPrefix(p.Error(), ": "))
}

func findMove(pos *legal.Position, uci string) (legal.Move, bool) {
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if pos.UCI(m) == uci {
			return m, true
		}
	}
	return 0, false
}

// sides reads {W: 120}. An empty mapping after a letter means no value for that side.
func (r *reader) sides(n *yaml.Node, key string, into *Sides) {
	number := func(to *int) func(*yaml.Node) {
		return func(v *yaml.Node) {
			if v.Kind == yaml.MappingNode && len(v.Content) == 0 {
				return
			}
			k, err := strconv.Atoi(r.scalar(v, key))
			if err != nil || k < 0 {
				r.problem(v, key, "%q is no number from 0", v.Value)
			}
			*to = max(k, 0)
		}
	}
	if n.Kind == yaml.ScalarNode && n.Value == "" {
		return
	}
	r.keys(n, key, map[string]func(*yaml.Node){"W": number(&into.White), "B": number(&into.Black)})
}

func (r *reader) acts(n *yaml.Node) (acts []Act) {
	for _, item := range r.list(n, "actions") {
		a, err := ParseAct(item.Value)
		if err != nil {
			r.refuse(item, "actions", "%q: %v", item.Value, err)
			continue
		}
		a.Line, a.Column = item.Line, item.Column
		acts = append(acts, a)
	}
	return acts
}

// pressCode matches the possible judgements of a press.
var pressCode = regexp.MustCompile(`^(ok|ok2|ok_late|ok_start|ok_restored|(illegal|irreg|sensor|setup|end|clock)\.[a-z0-9_]+)(\+reply)?$`)

func (r *reader) presses(n *yaml.Node) []string {
	codes := []string{}
	for _, item := range r.list(n, "press_results") {
		if !pressCode.MatchString(item.Value) {
			r.problem(item, "press_results", "%q is no judgement of a press; it is ok, ok2, ok_late, ok_start, ok_restored or the code of a finding, with +reply", item.Value)
		}
		codes = append(codes, item.Value)
	}
	return codes
}

// findingCode is the form of a finding's machine name.
var findingCode = regexp.MustCompile(`^[a-z]+\.[a-z0-9_]+$`)

func (r *reader) expect(n *yaml.Node, x *Expect) {
	word := func(key string, to *string, words ...string) func(*yaml.Node) {
		return func(v *yaml.Node) {
			*to = r.scalar(v, key)
			if len(words) > 0 && !has(words, *to) {
				r.problem(v, key, "%q is none of its words: %s", *to, strings.Join(words, ", "))
			}
		}
	}
	side := func(key string, to *string) func(*yaml.Node) {
		return func(v *yaml.Node) {
			switch letter := r.scalar(v, key); letter {
			case "W":
				*to = legal.White.String()
			case "B":
				*to = legal.Black.String()
			case "none":
				*to = letter
			default:
				r.problem(v, key, "%q is none of its words: W, B, none", letter)
			}
		}
	}
	sums := func(key string, to **Sides) func(*yaml.Node) {
		return func(v *yaml.Node) { *to = &Sides{}; r.sides(v, key, *to) }
	}
	r.keys(n, "expect", map[string]func(*yaml.Node){
		"finding": func(v *yaml.Node) {
			if x.Finding = r.scalar(v, "finding"); x.Finding != "none" && !findingCode.MatchString(x.Finding) {
				r.problem(v, "finding", "%q is no code of a finding; it looks like illegal.knight, or is none", x.Finding)
			}
		},
		"kind":                word("kind", &x.Kind, "illegal_move", "irregularity", "fact", "arbiter_decides", "none"),
		"by":                  side("by", &x.By),
		"proof":               word("proof", &x.Proof, "certain", "strong", "hint", "report", "none"),
		"alert":               word("alert", &x.Alert, "now", "advise", "on_claim", "log", "none"),
		"articles":            word("articles", &x.Articles),
		"window":              word("window", &x.Window),
		"position":            word("position", &x.Position),
		"position_fen":        word("position_fen", &x.PositionFEN),
		"must_play":           word("must_play", &x.MustPlay),
		"run_clock":           side("run_clock", &x.RunClock),
		"result":              word("result", &x.Result, "none", "1-0", "0-1", "1/2-1/2"),
		"bonus":               sums("bonus", &x.Bonus),
		"take_back_increment": sums("take_back_increment", &x.TakeBack),
		"strikes_after":       sums("strikes_after", &x.Strikes),
		"never": func(v *yaml.Node) {
			for _, item := range r.list(v, "never") {
				x.Never = append(x.Never, item.Value)
			}
		},
		"completed": free, // press_results already say whether the press came
		"ruling":    free,
	})
	if x.Finding == "" {
		r.problem(n, "expect", "has no finding; write finding: none where nothing is to be found")
	}
}
