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
	"dgt": 0, "clockproto": 0, "rules/legal": 0, "internal/record": 0, "internal/sdnotify": 0, "internal/secretfile": 0,
	"internal/random": 0, "internal/uptime": 0, "internal/console": 0,
	"rules/helpmate": 1, "detector/hands": 1, "detector/play": 1, "internal/research/score": 1,
	"rules":          2,
	"detector":       3,
	"internal/watch": 4, "internal/pgn": 4, "configs": 4, "internal/emulator": 4,
	"internal/journal": 5, "internal/link": 5, "internal/config": 5, "internal/players": 5, "internal/show": 5,
	"internal/pairing": 5, "internal/research/presses": 5,
	"internal/lan": 5, "internal/live": 5, "internal/access": 5, "internal/trust": 5, "internal/qr": 5, "internal/web/page": 5,
	"internal/recording": 6, "internal/station": 6, "internal/scenario": 6, "internal/alert": 6, "internal/metrics": 6,
	"internal/replay": 7, "internal/web": 7, "internal/doctor": 7, "internal/alert/alerttest": 7,
	"internal/research/populations": 7, "internal/research/handtables": 2, "internal/research/handtables/write": 3,
	"internal/research/lab": 8, "internal/daemon": 8,
	"cmd/boardwatchd":              9,
	"internal/research/mateoracle": 0, // imported by tests only
	"internal/sharedtest":          0, // imported by tests only
	"internal/arch":                10,
	"internal/deploy":              10,
	"internal/e2e":                 10,
	"internal/golden":              10,
}

// allowed narrows the levels where the architecture names the rooms.
var allowed = map[string][]string{
	"dgt": {}, "clockproto": {}, "rules/legal": {}, "internal/record": {}, "internal/sdnotify": {},
	"rules/helpmate":    {"rules/legal"},
	"rules":             {"rules/legal", "rules/helpmate"},
	"detector":          {"detector/hands", "detector/play", "rules", "rules/legal", "rules/helpmate"},
	"detector/hands":    {"rules/legal"},
	"internal/watch":    {"dgt", "clockproto", "rules", "rules/legal", "detector", "detector/hands", "detector/play", "internal/record"},
	"internal/pgn":      {"rules/legal"},
	"internal/emulator": {"dgt", "clockproto", "rules/legal", "internal/random"},
	"internal/players":  {"internal/emulator", "internal/random", "rules/legal"},
}

// core are the rooms whose answers must be the same on every machine and in every replay.
var core = []string{
	"dgt", "clockproto", "rules/legal", "rules/helpmate", "rules", "detector", "detector/hands", "detector/play", "internal/record", "internal/watch", "internal/pgn",
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
