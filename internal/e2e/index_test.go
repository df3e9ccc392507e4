package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheIndexListsEveryTest holds docs/end-to-end.md against this package: every test and benchmark has a line,
// every line is one of them, and the parts of TestPage are there.
func TestTheIndexListsEveryTest(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "end-to-end.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, m := range regexp.MustCompile("(?m)^\\* `((?:Test|Benchmark)[A-Za-z0-9_]*)`: ").FindAllSubmatch(page, -1) {
		listed[string(m[1])]++
	}
	for _, name := range testsHere(t) {
		if listed[name] != 1 {
			t.Errorf("docs/end-to-end.md has %d lines for %s", listed[name], name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("docs/end-to-end.md: %s is no test of this package", name)
	}
	code, err := os.ReadFile("page_rule_test.go")
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`(?m)^\t\t\{"([^"]+)", test[A-Z]`).FindAllSubmatch(code, -1)
	for _, m := range parts {
		if !strings.Contains(string(page), "\n| "+string(m[1])+" |") {
			t.Errorf("docs/end-to-end.md does not list the part of TestPage %q", m[1])
		}
	}
	if len(parts) < 5 {
		t.Errorf("only %d parts of TestPage found", len(parts))
	}
}

// testsHere are the tests and benchmarks of this package, whatever they are built for.
func testsHere(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name == "TestMain" {
				continue
			}
			if name := fn.Name.Name; strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Benchmark") {
				names = append(names, name)
			}
		}
	}
	return names
}
