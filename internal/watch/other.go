package watch

import (
	"bytes"
	"encoding/json"

	"boardwatchd/detector"
	"boardwatchd/internal/said"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file reads the effects of another revision of the core in a journal, because people's decisions about that
// revision's findings hold under this one: see the package comment, A decision's life.

// other holds data from the part of a journal that another revision wrote.
type other struct {
	on       bool        // its part is being read
	waiting  *otherCase  // a finding whose ruling comes next
	findings []otherCase // as reported: a carried finding is reported again with the same evidence
}

type otherCase struct {
	finding said.Finding
	ruling  said.Ruling
	decides bool
}

// maxOthers bounds the stored findings.
const maxOthers = 512

// noteRevision notes the revision of the following records, and ends or begins another revision's part.
func (m *Machine) noteRevision(core string) {
	on := isOtherRevision(core)
	if on == m.other.on {
		return
	}
	m.hearCase()
	m.other.on = on
	if m.docket != nil {
		m.enter(rules.OtherCore{On: on})
	}
}

func isOtherRevision(core string) bool { return core != "" && core != Revision }

// hear reads an effect of another revision. Objects that cannot contain a decision are not parsed.
func (m *Machine) hear(body []byte) {
	if m.docket == nil {
		return
	}
	head, _, _ := bytes.Cut(bytes.TrimPrefix(body, []byte(`{"type":"`)), []byte(`"`))
	kind := string(head)
	if kind != "ruling" {
		m.hearCase()
	}
	switch kind {
	case "finding":
		var v struct {
			said.Finding
			Decided json.RawMessage `json:"decided"`
		}
		if json.Unmarshal(body, &v) != nil || v.ID == "" {
			return
		}
		if v.Decided != nil && string(v.Decided) != "null" {
			_ = json.Unmarshal(v.Decided, &v.Finding.Decided) // missing: not decided
		}
		m.other.waiting = &otherCase{finding: v.Finding, decides: v.Decided != nil}
	case "ruling":
		var v said.Ruling
		if w := m.other.waiting; w != nil && json.Unmarshal(body, &v) == nil && v.Finding == w.finding.ID {
			w.ruling = v
		}
		m.hearCase()
	case "game":
		var v said.Game
		if json.Unmarshal(body, &v) == nil {
			m.enter(rules.OtherGame{Game: v.Game})
		}
	case "move":
		if bytes.Contains(body, []byte(`"corrects":true`)) {
			return // reported before
		}
		m.enter(rules.OtherMoved{})
	case "health":
		if bytes.Contains(body, []byte(`"not_known"`)) {
			if s, ok := ParseSpan(body); ok {
				m.storeSpan(s)
			}
		}
	case "result":
		var v said.Result
		if json.Unmarshal(body, &v) == nil {
			m.hearResult(v)
		}
	}
}

// hearCase passes the waiting finding with its ruling to the docket.
func (m *Machine) hearCase() {
	w := m.other.waiting
	m.other.waiting = nil
	if w == nil || m.docket == nil {
		return
	}
	m.keepOther(*w)
	m.enter(rules.OtherSaid{Seq: int64(m.now.Seq), Entry: w.entry(), Decides: w.decides})
	m.resultByDecision()
}

func (m *Machine) keepOther(c otherCase) {
	list := m.other.findings
	for i := range list {
		if list[i].finding.ID == c.finding.ID {
			list[i] = c
			return
		}
	}
	if len(list) == maxOthers {
		list = list[:copy(list, list[1:])]
	}
	m.other.findings = append(list, c)
}

// hearResult enters a result that a person had entered, if this core had no game that it could end.
func (m *Machine) hearResult(v said.Result) {
	if v.By != "arbiter" || v.State != detector.Proposed.String() || m.result == v.Result {
		return
	}
	v.Head = m.newHead("result", m.now, m.tr.Game())
	m.result, m.resultBy = v.Result, v.By
	m.emit(v)
	m.enter(rules.Ended{Result: v.Result, By: v.By})
}

// asHeard returns a carried finding as the other revision reported it, with the fields that a decision changes.
func (m *Machine) asHeard(s said.Finding) said.Finding {
	for i := range m.other.findings {
		if w := m.other.findings[i].finding; w.ID == s.ID {
			w.Head, w.State, w.Alert, w.Articles, w.Edition, w.Reason, w.Say, w.Decided = s.Head, s.State, s.Alert, s.Articles, s.Edition, s.Reason, s.Say, s.Decided
			w.Articles, w.Squares = notNull(w.Articles), notNull(w.Squares)
			return w
		}
	}
	return s
}

// entry converts the finding and its ruling into the docket's form.
func (w *otherCase) entry() rules.Entry {
	f := &w.finding
	e := rules.Entry{
		Case: rules.Case{
			ID: f.ID, Kind: f.Kind, Game: f.Game, Ply: f.Ply, Side: sideIn(f.Side), State: wordOf[rules.State](f.State, rules.Expired),
			Proof: wordOf[rules.Proof](f.Proof, rules.Reported), Permille: int(f.Confidence), UCI: text(f.UCI), Gained: -1, Reason: sentence(f.Say, f.Reason),
		},
		Alert: wordOf[rules.Alert](f.Alert, rules.Now), Articles: f.Articles, Edition: f.Edition, Reason: sentence(f.Say, f.Reason), Decided: text(f.Decided),
		Ruling: rulingOf(&w.ruling),
	}
	c := &e.Case
	for _, name := range f.Squares {
		if sq, ok := legal.ParseSquare(name); ok {
			c.Squares = append(c.Squares, sq)
		}
	}
	before, err := legal.ParseFEN(text(f.FENBefore))
	if err != nil {
		return e
	}
	if c.Before, err = before.Position(); err != nil {
		c.Before = legal.Position{}
		return e
	}
	c.Known = true
	if at, err := legal.ParseFEN(text(f.FENAt)); err == nil {
		c.At, c.Completed = at.Placement, at.Turn != before.Turn
	}
	return e
}

func rulingOf(s *said.Ruling) *rules.Ruling {
	r := &rules.Ruling{
		Profile: s.Profile, Kind: s.Kind, Position: text(s.Position), PositionFEN: text(s.PositionFEN), MustPlay: s.MustPlay,
		Bonus: by(s.Bonus), TakeBack: by(s.TakeBackIncrement), RunClock: sideIn(s.RunClock),
		Strikes: by(said.Given(s.StrikesAfter)), Before: by(said.Given(s.StrikesBefore)), Limit: s.StrikesToLose,
		Result: text(s.Result), Deadline: sentence(s.DeadlineSay, text(s.Deadline)), Until: rules.Until(text(s.Until)), Closer: sideIn(s.UntilSide),
		Advice: rules.Advice(text(s.Advice)), Text: sentence(s.Say, s.Text),
	}
	if c := s.ClocksToSet; c != nil {
		r.Clocks = rules.Clocks{White: c.White, Black: c.Black, Known: true}
	}
	if a := s.Mate; a != nil {
		r.Mate = &rules.Mate{Side: sideOf(a.Side), Verdict: a.Verdict, Reason: a.Reason, Line: a.Line, FEN: a.FEN, Text: sentence(a.Say, a.Text)}
	}
	return r
}

func by(s said.Given) (v [3]int) {
	v[legal.White], v[legal.Black] = s.White, s.Black
	return v
}

// sentence returns the sentence of any language, or else the English text.
func sentence(s *words.Sentence, english string) words.Sentence {
	if s == nil {
		return words.Verbatim(english)
	}
	return *s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func sideIn(s *string) legal.Side { return sideOf(text(s)) }

// wordOf returns the value with that name, up to last; the zero value if there is none.
func wordOf[T interface {
	~uint8
	String() string
}](name string, last T) T {
	for v := T(0); v <= last; v++ {
		if v.String() == name {
			return v
		}
	}
	return 0
}
