package wire

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/parser"
	gotoken "go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// wordsFile has every word that the two ends of a hall have for each other.
const wordsFile = "testdata/words.txt"

// The compatibility promise: no word that programs have said is gone, and none is of another type. A new word is added
// to the file; a line is never changed or taken out.
func TestNoWordIsGone(t *testing.T) {
	b, err := os.ReadFile(wordsFile)
	if err != nil {
		t.Fatal(err)
	}
	promised, now := strings.Split(strings.TrimSpace(string(b)), "\n"), words(t)
	for _, w := range promised {
		if !slices.Contains(now, w) {
			t.Errorf("%q is gone: older programs say it, or wait for it", w)
		}
	}
	for _, w := range now {
		if !slices.Contains(promised, w) {
			t.Errorf("%q is new: add the line to %s; an older program does not know it", w, wordsFile)
		}
	}
}

// words are the keys of all objects with their types, the permissions, and the values of the package's text constants.
func words(t *testing.T) (list []string) {
	for name, v := range map[string]any{"beat": BeatBody{}, "question": Question{}, "answer": Answer{}, "join": JoinBody{}, "joined": JoinAnswer{}, "token": Invitation{}} {
		list = append(list, keys(name, reflect.TypeOf(v))...)
	}
	for name, p := range map[string]Permissions{"computer": ComputerPermissions("table-1"), "invitation": InvitationPermissions("UKEY")} {
		for _, subject := range p.Publish {
			list = append(list, name+" publishes "+subject)
		}
		for _, subject := range p.Subscribe {
			list = append(list, name+" subscribes to "+subject)
		}
	}
	list = append(list, "a board in a subject: "+Put("table-1", "Board 1/ä"))
	return append(list, constants(t)...)
}

// keys are those of an object as JSON, with those of the objects in it.
func keys(name string, of reflect.Type) (list []string) {
	switch {
	case of == reflect.TypeFor[json.RawMessage]():
		return []string{name + " any"}
	case of.Kind() == reflect.Pointer:
		return keys(name, of.Elem())
	case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Uint8:
		return []string{name + " base64"}
	case of.Kind() == reflect.Slice:
		return keys(name+"[]", of.Elem())
	case of.Kind() == reflect.Map:
		return keys(name+"{}", of.Elem())
	case of.Kind() != reflect.Struct:
		return []string{name + " " + of.Kind().String()}
	}
	for _, f := range reflect.VisibleFields(of) {
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" {
			list = append(list, keys(name+"."+key, f.Type)...)
		}
	}
	return list
}

// constants are the package's constants that are texts, without their names: what is asked, codes, headers, subjects.
func constants(t *testing.T) (list []string) {
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	files := gotoken.NewFileSet()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			g, ok := n.(*ast.GenDecl)
			if !ok || g.Tok != gotoken.CONST {
				return true
			}
			for _, s := range g.Specs {
				for _, e := range s.(*ast.ValueSpec).Values {
					v, err := types.Eval(files, nil, gotoken.NoPos, types.ExprString(e))
					if err == nil && v.Value.Kind() == constant.String {
						list = append(list, "text "+constant.StringVal(v.Value))
					}
				}
			}
			return false
		})
	}
	return list
}
