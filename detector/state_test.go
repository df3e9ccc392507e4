package detector

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// A tracker must not remember anything that no story needs. This test wipes one field of the tracker's state after
// every input of a story and expects that some story then ends otherwise. It finds the fields by reflection, so that a
// new one needs a story at once.

// notState are the fields of a tracker that hold nothing between two inputs, or nothing that was seen.
var notState = map[string]string{
	"p":        "the configuration: it comes from outside",
	"now":      "the stamp of the input that is being handled: every input sets it first",
	"out":      "what was said: the caller takes it after every input",
	"wantDump": "what is asked for: the caller takes it after every input",
	"answers":  "what a function has answered: it is asked again",
}

// unseen are the fields whose loss no story shows, each with its reason, and with all that lies in them.
var unseen = map[string]string{
	"alt.times":          "minutes of presses that nothing explains: internal/golden, games 383 and 803",
	"pace":               "an estimate over a game: internal/watch/restart_test.go",
	"hands.scan":         "an estimate over sixty moves and more: internal/watch/hands_test.go",
	"hands.before":       "what the opening record says: internal/research/populations/rounds_test.go",
	"hands.tempo":        "an estimate over a whole game: handsjudged_test.go",
	"hands.base":         "the class of play, which only a longer game shows: handsjudged_test.go",
	"hands.bonus":        "the same",
	"hands.said":         "how the board scans, told after sixty moves: internal/watch/hands_test.go",
	"hands.tried":        "the same",
	"hands.early":        "what waits for the scan to be known: handsjudged_test.go",
	"hands.judged":       "what is told on a claim: handsclaim_test.go",
	"hands.counts":       "numbers for the operator: handscredit_test.go",
	"hands.unanswered":   "two suspicions in one game: handscredit_test.go",
	"hands.asksCastling": "what the docket says before every record: handscredit_test.go",
	"hands.asksCaptures": "what the docket says before every record: handscredit_test.go",
	"holesUnread":        "what the board's log is asked for, which a story does not have: internal/watch/boardlog_test.go",
	"lastPlyOpen":        "the same",
}

// excuse returns the reason for which a field, or one that it lies in, may be wiped unseen.
func excuse(path string) string {
	for name, why := range unseen {
		if rest, ok := strings.CutPrefix(path, name); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return why
		}
	}
	return ""
}

// A field is one piece of the tracker's state.
type field struct {
	path string
	wipe func(v reflect.Value) // of the struct that the path begins at
}

// fieldsOf returns the pieces of state in a struct type. A struct type of this package that is not exported is state
// itself and is looked into, also in arrays and slices; any other value is one piece.
func fieldsOf(typ reflect.Type, prefix string, at func(v reflect.Value) []reflect.Value) (fields []field) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		path := prefix + f.Name
		here := func(v reflect.Value) (vs []reflect.Value) {
			for _, s := range at(v) {
				x := s.Field(i)
				vs = append(vs, reflect.NewAt(x.Type(), unsafe.Pointer(x.UnsafeAddr())).Elem())
			}
			return vs
		}
		if isState(f.Type) {
			fields = append(fields, fieldsOf(f.Type, path+".", here)...)
			continue
		}
		fields = append(fields, field{path, func(v reflect.Value) {
			for _, x := range here(v) {
				x.SetZero()
			}
		}})
		if k := f.Type.Kind(); (k == reflect.Array || k == reflect.Slice) && isState(f.Type.Elem()) {
			fields = append(fields, fieldsOf(f.Type.Elem(), path+"[].", func(v reflect.Value) (vs []reflect.Value) {
				for _, list := range here(v) {
					for i := range list.Len() {
						vs = append(vs, list.Index(i))
					}
				}
				return vs
			})...)
		}
	}
	return fields
}

// isState reports whether a type is a struct of this package that only this package can name.
func isState(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Tracker]().PkgPath() && strings.ToLower(t.Name()[:1]) == t.Name()[:1]
}

// stateFields returns every piece of a tracker's state.
func stateFields() []field {
	all := fieldsOf(reflect.TypeFor[Tracker](), "", func(v reflect.Value) []reflect.Value { return []reflect.Value{v} })
	return slices.DeleteFunc(all, func(f field) bool { return notState[f.path] != "" })
}

// needs reports whether the story ends otherwise when a field is wiped after every input.
func (s *story) needs(f field) (broken bool) {
	defer func() {
		if recover() != nil {
			broken = true
		}
	}()
	tb := newTable()
	tb.after = func() { f.wipe(reflect.ValueOf(tb.t).Elem()) }
	said, err := s.tellAt(tb)
	return err != nil || said != s.want
}

// A pinboard keeps the stories in the order in which they are tried: one that needed a field comes first for the next,
// because the fields of one struct often matter to the same story.
type pinboard struct {
	sync.Mutex
	stories []*story
}

func (b *pinboard) order() []*story {
	b.Lock()
	defer b.Unlock()
	return slices.Clone(b.stories)
}

func (b *pinboard) first(s *story) {
	b.Lock()
	defer b.Unlock()
	i := slices.Index(b.stories, s)
	copy(b.stories[1:i+1], b.stories[:i])
	b.stories[0] = s
}

func TestEveryPieceOfStateIsNeededByAStory(t *testing.T) {
	if testing.Short() {
		t.Skip("plays all stories many times")
	}
	var board pinboard
	for _, path := range ordinaryFiles(t) {
		board.stories = append(board.stories, readStories(t, path)...)
	}
	for _, f := range stateFields() {
		t.Run(f.path, func(t *testing.T) {
			t.Parallel()
			why := excuse(f.path)
			if why != "" && os.Getenv("BOARDWATCHD_SEEDS") == "" {
				return // .ci/long checks whether it is needed all the same
			}
			for _, s := range board.order() {
				if !s.needs(f) {
					continue
				}
				board.first(s)
				if why != "" {
					t.Errorf("excused (%s), but needed: %s", why, s.name())
				}
				return
			}
			if why == "" {
				t.Error("no story fails when this is wiped after every input")
			}
		})
	}
}

func TestExcusedFieldsExist(t *testing.T) {
	fields := fieldsOf(reflect.TypeFor[Tracker](), "", func(v reflect.Value) []reflect.Value { return nil })
	for _, list := range []map[string]string{notState, unseen} {
		for path, why := range list {
			exists := slices.ContainsFunc(fields, func(f field) bool { return f.path == path || strings.HasPrefix(f.path, path+".") })
			if !exists || why == "" {
				t.Errorf("%s: exists %v, reason %q", path, exists, why)
			}
		}
	}
}
