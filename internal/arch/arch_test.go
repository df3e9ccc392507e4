package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "boardwatchd"

// levels: a room imports only rooms of lower levels.
var levels = map[string]int{
	"dgt": 0, "clockproto": 0, "rules/kinds": 0, "rules/words": 0, "internal/record": 0, "internal/sdnotify": 0, "internal/secretfile": 0,
	"internal/random": 0, "internal/filelock": 0, "internal/uptime": 0, "internal/console": 0, "internal/manual": 0,
	"rules/legal":           1,
	"rules/words/wordstest": 1,
	"rules/legal/legaltest": 2,
	"internal/said":         1, "internal/disk": 1,
	"rules/helpmate": 2, "detector/hands": 2, "detector/play": 2, "internal/research/score": 2,
	"detector/evidence": 3, "detector/array": 3, "rules": 3,
	"detector/offence": 4, "detector/hint": 5,
	"detector":       6,
	"internal/watch": 7, "internal/pgn": 7, "configs": 7, "internal/emulator": 7, "internal/clubplay": 7,
	"internal/journal": 8, "internal/link": 8, "internal/config": 8, "internal/players": 8, "internal/show": 8,
	"internal/pairing": 8, "internal/research/presses": 8,
	"internal/lan": 8, "internal/people": 8, "internal/live": 8, "internal/access": 8, "internal/trust": 8, "internal/qr": 8, "internal/web/page": 8,
	"internal/hall/wire": 0, "internal/hall/members": 1, "internal/hall/mirror": 9, "internal/hall/view": 9, "internal/hall/roster": 9, "internal/hall/hub": 10, "internal/hall/uplink": 10,
	"internal/playback":  9,
	"internal/recording": 9, "internal/tables": 9, "internal/orders": 9, "internal/station": 9, "internal/scenario": 9, "internal/alert": 9, "internal/metrics": 9,
	"internal/replay": 10, "internal/web": 10, "internal/retention": 10, "internal/doctor": 11, "internal/alert/alerttest": 10,
	"internal/research/populations": 10, "internal/research/handtables": 3,
	"internal/research/lab": 11, "internal/report": 11, "internal/broadcast": 11, "internal/daemon": 12,
	"cmd/boardwatchd":              13,
	"internal/research/mateoracle": 0, // imported by tests only
	"internal/research/line":       0, // imported by tests only
	"internal/sharedtest":          0, // imported by tests only
	"internal/arch":                14,
	"internal/deploy":              14,
	"internal/e2e":                 14,
	"internal/golden":              14,
}

// allowed narrows the levels where the architecture names the rooms.
var allowed = map[string][]string{
	"dgt": {}, "clockproto": {}, "rules/kinds": {}, "rules/words": {}, "rules/legal": {"rules/kinds", "rules/words"}, "internal/record": {}, "internal/sdnotify": {},
	"rules/helpmate":    {"rules/legal"},
	"rules":             {"rules/kinds", "rules/legal", "rules/helpmate", "rules/words"},
	"detector/play":     {"rules/kinds", "rules/legal"},
	"detector/evidence": {"detector/play", "rules/legal"},
	"detector/array":    {"detector/play", "rules/legal"},
	"detector/offence":  {"detector/evidence", "detector/array", "detector/play", "rules", "rules/kinds", "rules/legal", "rules/words"},
	"detector/hint":     {"detector/offence", "detector/evidence", "detector/play", "rules", "rules/kinds", "rules/legal"},
	"detector": {
		"detector/array", "detector/evidence", "detector/hands", "detector/hint", "detector/offence", "detector/play",
		"rules", "rules/kinds", "rules/legal", "rules/helpmate", "rules/words",
	},
	"detector/hands":    {"rules/legal"},
	"internal/watch":    {"dgt", "clockproto", "rules", "rules/kinds", "rules/legal", "detector", "detector/array", "detector/evidence", "detector/hands", "detector/play", "internal/record", "internal/said", "rules/words"},
	"internal/pgn":      {"rules/legal"},
	"internal/emulator": {"dgt", "clockproto", "rules/legal", "internal/random"},
	"internal/players":  {"internal/emulator", "internal/random", "rules/kinds", "rules/legal"},
}

// core are the rooms whose answers must be the same on every machine and in every replay.
var core = []string{
	"dgt", "clockproto", "rules/kinds", "rules/words", "rules/legal", "rules/helpmate", "rules", "detector", "detector/array", "detector/evidence", "detector/hands", "detector/hint", "detector/offence", "detector/play",
	"internal/record", "internal/said", "internal/watch", "internal/pgn",
}

// forbidden are the packages that would let the outside into the core. The standard library's time is there whole: the
// core counts microseconds in integers.
var forbidden = []string{"time", "os", "net", "math/rand", "math/rand/v2", "sync", "sync/atomic", "context", "runtime", "log", "os/exec"}

func TestImportTable(t *testing.T) {
	each(t, func(room, file string, f *ast.File) {
		level, known := levels[room]
		if !known {
			t.Errorf("%s: the room %s is not in the table; add it here and to docs/architecture.md", file, room)
			return
		}
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			other, ours := strings.CutPrefix(p, module+"/")
			if !ours {
				continue
			}
			if list, narrow := allowed[room]; narrow && !slices.Contains(list, other) {
				t.Errorf("%s: %s may not import %s", file, room, other)
			}
			if l, ok := levels[other]; !ok || l >= level {
				t.Errorf("%s: %s (level %d) imports %s (level %d)", file, room, level, other, l)
			}
		}
	})
}

func TestCoreHasNoOutside(t *testing.T) {
	each(t, func(room, file string, f *ast.File) {
		if !slices.Contains(core, room) {
			return
		}
		for _, imp := range f.Imports {
			if p, _ := strconv.Unquote(imp.Path.Value); slices.Contains(forbidden, p) {
				t.Errorf("%s: the core may not import %s", file, p)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: the core starts no goroutine", file)
			case *ast.ChanType:
				t.Errorf("%s: the core has no channel", file)
			case *ast.BasicLit:
				if n.Kind == token.FLOAT {
					t.Errorf("%s: the core has no floating point (%s): a replay on another processor must say the same", file, n.Value)
				}
			case *ast.Ident:
				if n.Name == "float64" || n.Name == "float32" {
					t.Errorf("%s: the core has no floating point", file)
				}
			}
			return true
		})
	})
}

// each parses every file of the program that is not a test.
func each(t *testing.T, check func(room, file string, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	rooms := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "." && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rooms++
		check(path.Dir(filepath.ToSlash(rel)), filepath.ToSlash(rel), f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rooms < 50 {
		t.Fatalf("only %d files found: is the test looking at the project?", rooms)
	}
}
