package report

import (
	"html/template"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"boardwatchd/internal/web/page"
)

// The pieces are those of the page: js/pieces.js has an outline and the inner lines of each.
var (
	pieceEntry = regexp.MustCompile(`(?s)\n  ([prnbqk]): \[\n(.*?)\n  \]`)
	joint      = regexp.MustCompile(`' \+\s*'`)
	quoted     = regexp.MustCompile(`'([^']*)'`)
)

// sprite is an SVG with a symbol for each piece, p-P to p-k, and the empty board, bd. Diagrams refer to them.
var sprite = makeSprite()

// outlines reads the drawings.
func outlines() map[string][2]string {
	text, err := fs.ReadFile(page.FS(), "js/pieces.js")
	if err != nil {
		panic("report: internal error: " + err.Error())
	}
	found := map[string][2]string{}
	for _, m := range pieceEntry.FindAllStringSubmatch(string(text), -1) {
		if paths := quoted.FindAllStringSubmatch(joint.ReplaceAllString(m[2], ""), -1); len(paths) == 2 {
			found[m[1]] = [2]string{paths[0][1], paths[1][1]}
		}
	}
	return found
}

func makeSprite() template.HTML {
	var b strings.Builder
	b.WriteString(`<svg class="sprite" width="0" height="0" aria-hidden="true"><symbol id="bd" viewBox="0 0 800 800"><path class="light" d="M0 0h800v800H0z"/><path class="dark" d="`)
	for rank := range 8 {
		for file := range 8 {
			if (rank+file)%2 == 1 {
				b.WriteString("M" + strconv.Itoa(100*file) + " " + strconv.Itoa(100*rank) + "h100v100h-100z")
			}
		}
	}
	b.WriteString(`"/></symbol>`)
	drawn := outlines()
	for _, name := range [...]string{"p", "n", "b", "r", "q", "k"} {
		for _, side := range [...]struct{ class, id string }{{"w", strings.ToUpper(name)}, {"b", name}} {
			b.WriteString(`<symbol id="p-` + side.id + `" viewBox="0 0 100 100"><path class="` + side.class + `" d="` + drawn[name][0] + `"/><path class="` + side.class + `l" d="` + drawn[name][1] + `"/></symbol>`)
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // the program's own drawings
}

// diagram draws the position of a FEN with White at the bottom, and frames around squares. It has no text, because the
// FEN is printed beside it.
func diagram(fen string, squares []string, label string) template.HTML {
	var b strings.Builder
	b.WriteString(`<svg class="board" viewBox="-4 -4 808 808" role="img" aria-label="` + template.HTMLEscapeString(label) + `"><use href="#bd" width="800" height="800"/>`)
	for _, name := range squares {
		if x, y, ok := corner(name); ok {
			b.WriteString(`<rect class="mark" x="` + strconv.Itoa(x+5) + `" y="` + strconv.Itoa(y+5) + `" width="90" height="90"/>`)
		}
	}
	placement, _, _ := strings.Cut(fen, " ")
	file, rank := 0, 0
	for _, c := range placement {
		switch {
		case c == '/':
			file, rank = 0, rank+1
		case c >= '1' && c <= '8':
			file += int(c - '0')
		case strings.ContainsRune("pnbrqkPNBRQK", c) && file < 8 && rank < 8:
			b.WriteString(`<use href="#p-` + string(c) + `" x="` + strconv.Itoa(100*file) + `" y="` + strconv.Itoa(100*rank) + `" width="100" height="100"/>`)
			file++
		}
	}
	b.WriteString(`<path class="edge" d="M0 0h800v800H0z"/></svg>`)
	return template.HTML(b.String()) // numbers and names of symbols only; the label is escaped
}

// corner returns the upper left corner of a square in a diagram.
func corner(square string) (x, y int, ok bool) {
	if len(square) != 2 || square[0] < 'a' || square[0] > 'h' || square[1] < '1' || square[1] > '8' {
		return 0, 0, false
	}
	return 100 * int(square[0]-'a'), 100 * int('8'-square[1]), true
}
