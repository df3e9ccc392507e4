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
	"internal/said":         1, "internal/disk": 1,
	"rules/helpmate": 2, "detector/hands": 2, "detector/play": 2, "internal/research/score": 2,
	"rules":          3,
	"detector":       4,
	"internal/watch": 5, "internal/pgn": 5, "configs": 5, "internal/emulator": 5, "internal/clubplay": 5,
	"internal/journal": 6, "internal/link": 6, "internal/config": 6, "internal/players": 6, "internal/show": 6,
	"internal/pairing": 6, "internal/research/presses": 6,
	"internal/lan": 6, "internal/people": 6, "internal/live": 6, "internal/access": 6, "internal/trust": 6, "internal/qr": 6, "internal/web/page": 6,
	"internal/hall/wire": 0, "internal/hall/members": 1, "internal/hall/mirror": 7, "internal/hall/view": 7, "internal/hall/roster": 7, "internal/hall/hub": 8, "internal/hall/uplink": 8,
	"internal/playback":  7,
	"internal/recording": 7, "internal/tables": 7, "internal/orders": 7, "internal/station": 7, "internal/scenario": 7, "internal/alert": 7, "internal/metrics": 7,
	"internal/replay": 8, "internal/web": 8, "internal/retention": 8, "internal/doctor": 9, "internal/alert/alerttest": 8,
	"internal/research/populations": 8, "internal/research/handtables": 3,
	"internal/research/lab": 9, "internal/report": 9, "internal/broadcast": 9, "internal/daemon": 10,
	"cmd/boardwatchd":              11,
	"internal/research/mateoracle": 0, // imported by tests only
	"internal/research/line":       0, // imported by tests only
	"internal/sharedtest":          0, // imported by tests only
	"internal/arch":                12,
	"internal/deploy":              12,
	"internal/e2e":                 12,
	"internal/golden":              12,
}

// allowed narrows the levels where the architecture names the rooms.
var allowed = map[string][]string{
	"dgt": {}, "clockproto": {}, "rules/kinds": {}, "rules/words": {}, "rules/legal": {"rules/kinds", "rules/words"}, "internal/record": {}, "internal/sdnotify": {},
	"rules/helpmate":    {"rules/legal"},
	"rules":             {"rules/kinds", "rules/legal", "rules/helpmate", "rules/words"},
	"detector":          {"detector/hands", "detector/play", "rules", "rules/kinds", "rules/legal", "rules/helpmate", "rules/words"},
	"detector/hands":    {"rules/legal"},
	"internal/watch":    {"dgt", "clockproto", "rules", "rules/kinds", "rules/legal", "detector", "detector/hands", "detector/play", "internal/record", "internal/said", "rules/words"},
	"internal/pgn":      {"rules/legal"},
	"internal/emulator": {"dgt", "clockproto", "rules/legal", "internal/random"},
	"internal/players":  {"internal/emulator", "internal/random", "rules/kinds", "rules/legal"},
}

// core are the rooms whose answers must be the same on every machine and in every replay.
var core = []string{
	"dgt", "clockproto", "rules/kinds", "rules/words", "rules/legal", "rules/helpmate", "rules", "detector", "detector/hands", "detector/play", "internal/record", "internal/said", "internal/watch", "internal/pgn",
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
