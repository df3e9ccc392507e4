package rules

import (
	"strings"

	"boardwatchd/rules/kinds"
)

// Finish returns the question to ask quietly when a game may be over: "Finished? 1-0, ½, 0-1". Result is filled in
// where the board or the clock shows one, and By names the evidence: mate, stalemate, flag, kings, piece or another end
// by itself; "" where the only evidence is a stopped clock. False: there is nothing to ask, because the game goes on, a
// person has entered the result, or something else explains the stop.
func (d *Docket) Finish() (result, by string, asked bool) {
	if !d.begun || d.signed || d.ended && d.endedBy == "arbiter" || d.Questioned() {
		return "", "", false
	}
	for i := len(d.matters) - 1; i >= 0; i-- {
		m := d.matters[i]
		r := m.entry.Ruling
		if !m.said || r == nil || r.Result == "" || m.entry.State != Confirmed || m.decision != "" && m.decision != doLater {
			continue
		}
		switch f := familyOf(&m.c); {
		case f == kinds.End && d.ends(m):
			return r.Result, endWord(m.c.Kind), true
		case f == kinds.Flag:
			return r.Result, "flag", true
		}
	}
	if d.ended {
		return d.result, d.endedBy, d.result != ""
	}
	return "", "", d.stop.on && (!d.stop.explains || d.stop.quiet) && d.ply > d.startPly && d.stop.paused == ""
}

// endWord returns the word for an end by itself in a result object.
func endWord(kind kinds.Kind) string {
	switch kind {
	case kinds.Checkmate:
		return "mate"
	case kinds.IllegalPositionDraw:
		return "illegal_position"
	}
	return strings.TrimPrefix(string(kind), "end.")
}
