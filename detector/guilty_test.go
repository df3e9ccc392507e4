package detector

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The stories in testdata/guilty-*.txt are about what the Laws have a name for. Each begins with what it claims,
//
//	# illegal.knight: a knight goes two squares along a diagonal.
//	# not illegal.knight, irreg.touch_move: the same, put right before the press.
//
// one or more kinds, or the first part of one ("illegal", any of them), and the claim is checked against what the
// tracker said, so that no -update can make a guilty story innocent or the other way round. A press is judged
// illegal.no_move whatever its reason (the vocabulary of the arbiter's cases); only a finding says that it is one.

var (
	claimed   = regexp.MustCompile(`^# (not )?([a-z]+[a-z0-9_.]*(?:, [a-z]+[a-z0-9_.]*)*): `)
	foundLine = regexp.MustCompile(`(?m)^[0-9.]+ found (\S+) .*?(suspected|confirmed|withdrawn) ([0-9]+:[a-z0-9_.]*[a-z0-9_])`)
	pressLine = regexp.MustCompile(`(?m)^[0-9.]+ press (?:white|black) (\S+)`)
)

// claim returns the kinds that a story is about, and whether it claims that they are absent.
func (s *story) claim() (kinds []string, innocent, ok bool) {
	m := claimed.FindStringSubmatch(s.comment[0])
	if m == nil {
		return nil, false, false
	}
	return strings.Split(m[2], ", "), m[1] != "", true
}

// isOf reports whether a kind is the claimed one, or one of those claimed by their first part.
func isOf(kind, claim string) bool {
	return kind == claim || strings.HasPrefix(kind, claim+".")
}

// upheld returns the kinds that were reported and not withdrawn, and the kinds that presses were judged to be.
func upheld(said string) (found, judged []string) {
	last := map[string]string{}
	var order []string
	for _, m := range foundLine.FindAllStringSubmatch(said, -1) {
		if _, known := last[m[3]]; !known {
			order = append(order, m[3])
		}
		last[m[3]] = m[2] + " " + m[1]
	}
	for _, id := range order {
		state, kind, _ := strings.Cut(last[id], " ")
		if state != "withdrawn" {
			found = append(found, kind)
		}
	}
	for _, m := range pressLine.FindAllStringSubmatch(said, -1) {
		judged = append(judged, strings.TrimSuffix(m[1], "+reply"))
	}
	return found, judged
}

func guiltyStories(t *testing.T) map[string][]*story {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "guilty-*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	stories := map[string][]*story{}
	for _, path := range files {
		stories[path] = readStories(t, path)
	}
	return stories
}

func TestGuiltyStoriesSayWhatTheyClaim(t *testing.T) {
	for path, stories := range guiltyStories(t) {
		for _, s := range stories {
			kinds, innocent, ok := s.claim()
			if !ok {
				t.Errorf("%s:%d: no claim: %s", path, s.line, s.comment[0])
				continue
			}
			said, err := s.tell()
			if err != nil {
				t.Errorf("%s:%d: %v", path, s.line, err)
				continue
			}
			found, judged := upheld(said)
			for _, claim := range kinds {
				told := ""
				for _, kind := range found {
					if isOf(kind, claim) {
						told = kind
					}
				}
				for _, kind := range judged {
					if innocent && kind != "illegal.no_move" && isOf(kind, claim) {
						told = "a press judged " + kind
					}
				}
				switch {
				case innocent && told != "":
					t.Errorf("%s:%d: %s is told: %s\n%s", path, s.line, told, s.comment[0], said)
				case !innocent && told == "":
					t.Errorf("%s:%d: %s is not told: %s\n%s", path, s.line, claim, s.comment[0], said)
				}
			}
		}
	}
}

// seen are the kinds of laws notes section 1.4 that a board and a clock can show by themselves.
const seen = `illegal.knight illegal.bishop illegal.rook illegal.queen illegal.king illegal.pawn illegal.jump
illegal.own_capture illegal.exposes_king illegal.left_in_check illegal.king_into_check illegal.castle_out_of_check
illegal.castle_through_check illegal.castle_into_check illegal.castle_blocked illegal.castle_right_lost illegal.king_capture
illegal.ep_late illegal.ep_pawn_left illegal.promo_incomplete illegal.promo_bad_piece illegal.promo_two illegal.no_move
illegal.two_hands illegal.castle_king_only irreg.press_before_done irreg.touch_move irreg.rook_first
irreg.released_piece_moved irreg.promo_piece_changed irreg.promo_wrong_colour sensor.unreadable irreg.out_of_turn
irreg.double_move irreg.displaced sensor.unknown irreg.adjust_off_turn clock.flag setup.wrong_array setup.board_rotated end.checkmate
end.stalemate end.dead end.fivefold end.move75 end.result_signal`

func TestEveryKindHasAGuiltyAndAnInnocentStory(t *testing.T) {
	guilty, innocent := map[string]bool{}, map[string]bool{}
	for path, stories := range guiltyStories(t) {
		for _, s := range stories {
			kinds, not, _ := s.claim()
			for _, kind := range kinds {
				if not {
					innocent[kind] = true
				} else {
					guilty[kind] = true
				}
			}
			if len(kinds) == 0 {
				t.Errorf("%s:%d claims nothing", path, s.line)
			}
		}
	}
	for _, kind := range strings.Fields(seen) {
		if !guilty[kind] || !innocent[kind] {
			t.Errorf("%s: guilty story %v, innocent story %v", kind, guilty[kind], innocent[kind])
		}
	}
}
