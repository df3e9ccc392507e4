package rules

import (
	"strings"

	"boardwatchd/rules/kinds"
)

// Finish returns the question to ask quietly when a game may be over: "Finished? 1-0, ½, 0-1". Result is filled in
// where the board or the clock shows one. By names the evidence: mate, stalemate, flag, kings, piece or another end by
// itself; it is "" if a stopped clock is the only evidence. Asked is false if the game goes on, a person has entered
// the result, or something else explains the stop.
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

// ResultByDecision returns the result of the ruling that was confirmed last, unless that result is in force already. By
// is its evidence: mate, flag or another word of Finish, or the kind of the finding. If stands is false, the result is
// the one in force, and the decision that gave it was taken back. Changed is false if there is nothing to report: a
// result that a person has entered stays.
func (d *Docket) ResultByDecision() (result, by string, stands, changed bool) {
	if d.signed || d.ended && d.endedBy == "arbiter" {
		return "", "", false, false
	}
	last := d.lastResult()
	if last == nil {
		return d.result, d.endedBy, false, d.ruled
	}
	result, by = last.kept.Ruling.Result, string(last.c.Kind)
	switch familyOf(&last.c) {
	case kinds.Flag:
		by = "flag"
	case kinds.End:
		by = endWord(last.c.Kind)
	}
	return result, by, true, !d.ended || d.result != result || d.ruled && d.endedBy != by
}

// lastResult returns the matter whose ruling with a result was confirmed last, or nil.
func (d *Docket) lastResult() (last *matter) {
	for _, m := range d.matters {
		if m.endsByDecision() && m.kept.Ruling.Result != "" && m.c.Kind != kinds.ResultContradicted && (last == nil || m.rank > last.rank) {
			last = m
		}
	}
	return last
}

// Ruled reports whether the result in force is that of a ruling that was confirmed.
func (d *Docket) Ruled() bool { return d.ruled }

// endWord returns the word for an end by itself in a result object.
func endWord(kind kinds.Kind) string {
	switch kind {
	case kinds.Checkmate:
		return "mate"
	case kinds.IllegalPositionDraw:
		return "illegal_position"
	case kinds.ResultSignal:
		return "kings"
	}
	return strings.TrimPrefix(string(kind), "end.")
}
