package kinds

import (
	"slices"
	"strings"
	"testing"
)

// names are the machine names of laws notes 1.4, written a second time: they are in journals and on the wire and must
// not change.
var names = strings.Fields(`
	illegal.knight illegal.bishop illegal.rook illegal.queen illegal.king illegal.pawn illegal.jump illegal.own_capture
	illegal.exposes_king illegal.left_in_check illegal.king_into_check illegal.castle_out_of_check
	illegal.castle_through_check illegal.castle_into_check illegal.castle_blocked illegal.castle_right_lost
	illegal.king_capture illegal.ep_late illegal.ep_pawn_left illegal.promo_incomplete illegal.promo_bad_piece
	illegal.promo_two illegal.no_move illegal.two_hands illegal.castle_king_only
	irreg.other_hand irreg.press_before_done irreg.touch_move irreg.rook_first irreg.released_piece_moved
	irreg.promo_piece_changed irreg.promo_wrong_colour irreg.out_of_turn irreg.double_move irreg.displaced
	irreg.displaced_found irreg.adjust_off_turn irreg.pause_no_reason irreg.draw_offer_timing irreg.two_hands_wbca
	suspect.two_hands_capture suspect.two_hands_castling suspect.two_hands_promotion
	clock.flag clock.both_flags clock.setting_wrong clock.bonus_wrong clock.foreign_press clock.lever_changed_in_pause
	sensor.unreadable sensor.unknown setup.wrong_array setup.board_rotated setup.colours_reversed
	end.checkmate end.stalemate end.dead end.fivefold end.move75 end.illegal_position_draw end.result_signal end.result_contradicted
	draw.threefold_claimable draw.fifty draw.claim_incorrect`)

func TestTheTableHasEveryNameOnce(t *testing.T) {
	var have []string
	for _, r := range All() {
		have = append(have, string(r.Kind))
	}
	slices.Sort(have)
	want := slices.Sorted(slices.Values(names))
	if !slices.Equal(have, want) {
		t.Errorf("the table has %v\nwant %v", have, want)
	}
}

func TestRowsAgreeWithTheirNames(t *testing.T) {
	for _, r := range All() {
		word := familyOf(r.Kind)
		if word != Other && r.Kind != FlagFallen && r.Kind != BothFlags && r.Family != word {
			t.Errorf("%s is of family %d", r.Kind, r.Family)
		}
		if r.Text == "" {
			t.Errorf("nobody has a sentence for %s", r.Kind)
		}
		if r.FIDE == nil && r.Kind != TwoHandsWBCA && r.Kind != ResultSignal {
			t.Errorf("%s has no article", r.Kind)
		}
		if r.Family != Illegal && (r.Transfer || r.Castling || r.Check || r.Treatment != Strike) {
			t.Errorf("%s is no illegal move", r.Kind)
		}
	}
}

func TestNamesOfAnotherRevision(t *testing.T) {
	for k, want := range map[Kind]Family{
		"illegal.unheard_of": Illegal, "suspect.unheard_of": Hand, "end.x": End, "setup.x": SetUp, "draw.x": Draw, "sensor.x": Sensor,
		"irreg.x": Other, "clock.x": Other, "illegal": Illegal, "": Other, "illegal.knight+reply": Illegal,
	} {
		if k.Known() || k.Family() != want || k.Row().Kind != k || k.Row().FIDE != nil {
			t.Errorf("%q: %+v", k, k.Row())
		}
	}
}

func TestIdentities(t *testing.T) {
	if id := ID(961, IllegalKnight); id != "961:illegal.knight" {
		t.Error(id)
	}
	for id, want := range map[string]struct {
		first int64
		kind  Kind
	}{"961:illegal.knight": {961, IllegalKnight}, "x:end.dead": {0, Dead}, "7": {7, ""}, "": {}} {
		if first, kind := OfID(id); first != want.first || kind != want.kind {
			t.Errorf("%q is %d and %q", id, first, kind)
		}
	}
}
