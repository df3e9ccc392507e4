package config

import (
	"fmt"
	"strings"
)

// together checks conditions between keys: values that contradict one another.
func (w *walker) together() {
	c := &w.config
	if c.Timing.Silence < 2*c.Timing.Probe {
		w.problem(w.place("timing.silence", "timing.probe"), "timing", "silence (%s) must be at least twice probe (%s), or a single late answer counts as an unplugged board",
			c.Timing.Silence, c.Timing.Probe)
	}
	w.budgets()
	w.boards()
	w.rules()
	w.page()
	w.alerts()
	w.broadcast()
}

func (w *walker) boards() {
	names, ports, serials := map[string]int{}, map[string]int{}, map[string]int{}
	lost := -1 // a board that automatic search cannot distinguish from another one
	for i, b := range w.config.Boards {
		// Two journals whose names differ only in case are one file on some systems.
		w.unique(names, strings.ToLower(b.Name), "boards", i, "name", "each board needs a name of its own")
		w.unique(serials, strings.TrimLeft(b.Serial, "0"), "boards", i, "serial", "a serial number belongs to one board, with or without zeros before it")
		if b.Port != Auto {
			w.unique(ports, b.Port, "boards", i, "port", "a port belongs to one board")
			continue
		}
		if b.Serial != "" {
			continue
		}
		if lost >= 0 {
			path := fmt.Sprintf("boards[%d]", i)
			w.problem(w.place(path+".port", path), path, "has port auto and no serial, like boards[%d]: give a serial or a port so that they can be told apart", lost)
			continue
		}
		lost = i
	}
}

// place returns the place of the first of the paths that is in the file.
func (w *walker) place(paths ...string) place {
	for _, p := range paths {
		if at, ok := w.places[p]; ok {
			return at
		}
	}
	return place{1, 1}
}

func (w *walker) unique(seen map[string]int, v, list string, i int, name, rule string) {
	if v == "" {
		return
	}
	if first, twice := seen[v]; twice {
		path := fmt.Sprintf("%s[%d].%s", list, i, name)
		w.problem(w.places[path], path, "%s is the same as that of %s[%d]; %s", quote(v), list, first, rule)
		return
	}
	seen[v] = i
}
