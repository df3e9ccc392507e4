//go:build linux

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testFill: plies that the board did not show are filled in on the page, corrected and taken back; what does not fit is
// refused with its reason. The PGN has them, marked, and the journal verifies.
func testFill(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	w := newPlace(t)
	path := w.path("1-r1.bwj")
	seen, err := os.ReadFile(filepath.Join("testdata", "unknown-plies.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w.run(t, string(seen), "replay", "--board", "1", "--journal", path, "-").want(t, 0)
	conf := w.pageConfig(t, fmt.Sprintf("boards:\n  - name: \"1\"\n    port: %s\n", w.path("unplugged")))
	kept := filepath.Join(w.state(), "1-r1.bwj")
	if err := errors.Join(os.MkdirAll(w.state(), 0o700), os.Rename(path, kept)); err != nil {
		t.Fatal(err)
	}
	h := openPage(t, w, "run", "-c", conf)
	h.pair(p, h.url)
	p.to("#/b/1", ".gaps")
	p.shows(".gaps", "not known")
	p.shoot("fill-1-not-known")
	p.tap(".gaps .button", "Fill in")
	p.shows("dialog[open] .choices", "1. d4 d5 2. Nf3")
	p.shoot("fill-2-sheet")
	p.typed("#fill", "1.d4 d5 2.Nf4")
	p.tap("dialog[open] .button.primary", "Save")
	p.shows("dialog[open] .note.warn", "2. Nf4 is not possible there")
	p.shoot("fill-3-refused")
	p.typed("#fill", "Nf3 d5 2. d4")
	p.tap("dialog[open] .button.primary", "Save")
	p.shows(".gaps", "Filled in by a person")
	if list := p.texts(".mv.filled"); strings.Join(list, " ") != "Nf3 d5 d4" {
		t.Errorf("the moves that were filled in are %q", list)
	}
	p.shoot("fill-4-filled")
	p.tap(".gaps .button", "Change")
	p.tap("dialog[open] .choices .button", "1. d4 d5 2. Nf3")
	p.await("the other order", `[...document.querySelectorAll('.mv.filled')].map((e) => e.textContent).join(' ') === 'd4 d5 Nf3'`)
	pgn := w.run(t, "", "pgn", kept).want(t, 0).out
	if want := "1. d4 {filled in by a person, up to 2. Nf3} 1... d5 2. Nf3 Nc6 3. Bf4 Bf5 *"; !strings.Contains(pgn, want) {
		t.Errorf("the PGN is\n%s\nwithout %s", pgn, want)
	}
	p.tap(".gaps .button", "Change")
	p.tap("dialog[open] .button", "Take back")
	p.shows(".gaps", "not known")
	if list := p.texts(".mv.filled"); len(list) != 0 {
		t.Errorf("%q are still filled in", list)
	}
	p.calm()
	h.stopped(t)
	w.run(t, "", "verify", kept).want(t, 0)
}
