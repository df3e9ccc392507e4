package rules

import (
	"fmt"
	"slices"
	"strings"
)

// vocabulary lists the allowed values of the keys whose values are words, in the order of the struct.
var vocabulary = [...]struct {
	key     string
	of      func(*Profile) string
	allowed []string
}{
	{"book", func(p *Profile) string { return p.Book }, []string{bookFIDE, bookUS, bookUSBlitz, bookWBCA, bookDraft}},
	{"window", func(p *Profile) string { return p.Window }, []string{untilGameEnd, untilReply, lastMoves, byClass}},
	{"arbiter", func(p *Profile) string { return p.Arbiter }, []string{"always", "in_window", "calm", "never"}},
	{"no_move", func(p *Profile) string { return p.NoMove }, []string{"strike", "improper", "unregulated"}},
	{"promotion_incomplete", func(p *Profile) string { return p.Promotion }, []string{"queen", "improper"}},
	{"two_hands", func(p *Profile) string { return p.TwoHands }, []string{"strike", "unit", "counter", "penalty", "nothing"}},
	{"two_hands_mate", func(p *Profile) string { return p.TwoHandsMate }, []string{"over", "draw"}},
	{"king_capture", func(p *Profile) string { return p.KingCapture }, []string{"illegal", "claim"}},
	{"ep_pawn_left", func(p *Profile) string { return p.EPPawnLeft }, []string{"decide", "illegal"}},
	{"castle_king_only", func(p *Profile) string { return p.KingOnly }, []string{"decide", "illegal"}},
	{"promo_two", func(p *Profile) string { return p.PromoTwo }, []string{"decide", "illegal"}},
	{"rook_first", func(p *Profile) string { return p.RookFirst }, []string{"irregularity", "allowed"}},
	{"promo_wrong_colour", func(p *Profile) string { return p.WrongColour }, []string{"irregularity", "illegal", "nothing"}},
	{"inverted_rook", func(p *Profile) string { return p.InvertedRook }, []string{"rook", "queen"}},
	{"displaced", func(p *Profile) string { return p.Displaced }, []string{"irregularity", "illegal"}},
	{"out_of_turn", func(p *Profile) string { return p.OutOfTurn }, []string{"irregularity", "director"}},
	{"touch_claim_lapses", func(p *Profile) string { return p.TouchClaim }, []string{"touch", "move"}},
	{"restart_after_illegal", func(p *Profile) string { return p.Restart }, []string{"ignored", "disputed", "disputed_blitz", "nothing"}},
	{"take_back_increment", func(p *Profile) string { return p.TakeBack }, []string{"restored", "always", "never"}},
	{"mating_test", func(p *Profile) string { return p.MatingTest }, []string{"helpmate", "us-14e", "us-7c", "material"}},
	{"illegal_position", func(p *Profile) string { return p.IllegalPosition }, []string{"draw_after_next", "arbiter", "nothing"}},
	{"flag_called_by", func(p *Profile) string { return p.FlagCall }, []string{"arbiter_or_player", "arbiter", "players"}},
	{"fivefold", func(p *Profile) string { return p.Fivefold }, []string{"draw", "director", "nothing"}},
	{"move75", func(p *Profile) string { return p.Move75 }, []string{"draw", "director", "nothing"}},
}

// numbers lists the keys whose values are numbers, with their ranges.
var numbers = [...]struct {
	key       string
	of        func(*Profile) int
	low, high int
}{
	{"bonus_s", func(p *Profile) int { return p.BonusS }, 0, 600},
	{"bonus_rapid_s", func(p *Profile) int { return p.BonusRapidS }, -1, 600},
	{"bonus_blitz_s", func(p *Profile) int { return p.BonusBlitzS }, -1, 600},
	{"bonus_by_letter_s", func(p *Profile) int { return p.BonusByLetterS }, 0, 600},
	{"other_penalty_s", func(p *Profile) int { return p.OtherPenaltyS }, 0, 600},
	{"wrong_draw_claim_s", func(p *Profile) int { return p.WrongClaimS }, 0, 600},
	{"strikes_to_lose", func(p *Profile) int { return p.StrikesToLose }, 0, 9},
	{"strikes_to_lose_rapid", func(p *Profile) int { return p.StrikesRapid }, -1, 9},
	{"strikes_to_lose_blitz", func(p *Profile) int { return p.StrikesBlitz }, -1, 9},
	{"window_moves", func(p *Profile) int { return p.WindowMoves }, 0, 100},
	{"time_pressure_s", func(p *Profile) int { return p.TimePressureS }, 0, 3600},
	{"time_pressure_moves", func(p *Profile) int { return p.TimePressureMoves }, 0, 100},
	{"time_pressure_free_s", func(p *Profile) int { return p.TimePressureFreeS }, 0, 600},
	{"wrong_array_moves", func(p *Profile) int { return p.WrongArrayMoves }, 0, 100},
	{"wrong_colours_moves", func(p *Profile) int { return p.WrongColoursMoves }, 0, 100},
	{"clock_setting_moves", func(p *Profile) int { return p.ClockSettingMoves }, 0, 100},
}

// Check returns all errors of a profile; each names the key and the remedy.
func (p Profile) Check() (problems []error) {
	bad := func(key, format string, a ...any) { problems = append(problems, fmt.Errorf(key+": "+format, a...)) }
	if p.Name == "" || strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		bad("name", "%q is no name; write small letters, digits and hyphens, like fide-rapid", p.Name)
	}
	for _, t := range [...][2]string{{"title", p.Title}, {"law", p.Law}, {"edition", p.Edition}} {
		if t[1] == "" {
			bad(t[0], "is empty; it is shown to the arbiter, write what the rules are")
		}
	}
	for i := range vocabulary {
		if w := &vocabulary[i]; !slices.Contains(w.allowed, w.of(&p)) {
			bad(w.key, "%q is not known; write %s", w.of(&p), strings.Join(w.allowed, ", "))
		}
	}
	for i := range numbers {
		if n := &numbers[i]; n.of(&p) < n.low || n.of(&p) > n.high {
			bad(n.key, "%d is out of range; write %d to %d", n.of(&p), n.low, n.high)
		}
	}
	if len(p.Classes) == 0 {
		bad("classes", "is empty; write one or more of %s", strings.Join(classNames[1:], ", "))
	}
	for _, c := range p.Classes {
		if classNamed(c) == NoClass {
			bad("classes", "%q is not known; write one or more of %s", c, strings.Join(classNames[1:], ", "))
		}
	}
	return append(problems, p.checkTogether()...)
}

// checkTogether returns contradictions between keys.
func (p *Profile) checkTogether() (problems []error) {
	bad := func(format string, a ...any) { problems = append(problems, fmt.Errorf(format, a...)) }
	if p.Window == lastMoves && p.WindowMoves == 0 {
		bad("window_moves: is 0 and window is last_moves; write how many moves, 10 in US Chess 11A")
	}
	if p.TimePressureS > 0 && p.TimePressureMoves == 0 {
		bad("time_pressure_moves: is 0 and time_pressure_s is %d; write how many moves, 2 in US Chess 11A", p.TimePressureS)
	}
	if p.TwoHands == "penalty" && p.OtherPenaltyS == 0 {
		bad("other_penalty_s: is 0 and two_hands is penalty; write the seconds")
	}
	if p.FIDERated && !p.FIDERatedAllowed {
		bad("fide_rated: %s is not allowed in play that FIDE rates (Preface of the Laws); choose one of the fide- profiles or write fide_rated: false", p.Name)
	}
	if p.FIDERated && (p.StrikesToLose != 2 || p.StrikesRapid != -1 && p.StrikesRapid != 2 || p.StrikesBlitz != -1 && p.StrikesBlitz != 2) {
		bad("strikes_to_lose: in play that FIDE rates the second completed illegal move loses (7.5.5); write 2 and -1, or fide_rated: false")
	}
	return problems
}
