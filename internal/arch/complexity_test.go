package arch

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// maxBranches is the greatest cyclomatic complexity of a function of the core: beyond that it is a table of situations
// that nobody has written down.
const maxBranches = 15

// stillAbove are the functions of the core that have more. Functions leave the list, and figures in it go down; none
// comes in.
var stillAbove = map[string]int{
	"dgt Frame.Message":                   16,
	"internal/pgn parser.parse":           22,
	"internal/pgn scanner.next":           24,
	"internal/watch Machine.Step":         22,
	"internal/watch Machine.hear":         21,
	"internal/watch Machine.instruct":     19,
	"internal/watch Machine.judge":        16,
	"rules Docket.Finish":                 21,
	"rules Docket.Step":                   34,
	"rules Docket.clockAfterRuling":       25,
	"rules Docket.contradicts":            24,
	"rules Docket.foundCase":              23,
	"rules Docket.reportTwoHands":         18,
	"rules Entry.class":                   17,
	"rules compulsory":                    16,
	"rules sameCase":                      25,
	"rules sameRuling":                    21,
	"rules sheet.byFamily":                20,
	"rules sheet.end":                     20,
	"rules sheet.other":                   18,
	"rules sheet.remarks":                 17,
	"rules/helpmate looseProof.through":   16,
	"rules/legal Position.allowsCastling": 18,
	"rules/legal Setup.faults":            18,
}

// TestComplexity counts, as is usual, one for the function and one for each branch: if, for, case, && and ||.
func TestComplexity(t *testing.T) {
	left := map[string]bool{}
	for name := range stillAbove {
		left[name] = true
	}
	each(t, func(room, file string, f *ast.File) {
		if !slices.Contains(core, room) {
			return
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			name, n := room+" "+nameOf(fn), complexity(fn.Body)
			most, listed := stillAbove[name]
			delete(left, name)
			switch {
			case !listed && n > maxBranches:
				t.Errorf("%s: %s has a complexity of %d: no more than %d", file, name, n, maxBranches)
			case listed && n > most:
				t.Errorf("%s: %s has a complexity of %d, and had %d", file, name, n, most)
			case listed && n < most:
				t.Errorf("%s: %s has a complexity of %d now: stillAbove says %d", file, name, n, most)
			}
		}
	})
	for name := range left {
		t.Errorf("stillAbove: %s is no function any more", name)
	}
}

// nameOf is a function's name, after that of its receiver.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	of := fn.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	return of.(*ast.Ident).Name + "." + fn.Name.Name
}

func complexity(body *ast.BlockStmt) int {
	n := 1
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil { // default is no branch of its own
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
