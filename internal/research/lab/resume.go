package lab

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
)

// A Memory reads the labels of a journal that is there already, so that its session goes on where it stopped.
type Memory struct {
	begun    bool
	protocol Protocol
	opt      Options
	finished map[string]bool
	problem  error
}

// Read takes the labels of a whole journal.
func (m *Memory) Read(src *recording.Source) error {
	for {
		it, err := src.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if it.Record.Kind == record.Instruct {
			m.See(it.Record.Body)
		}
	}
}

// See takes the body of an instruction.
func (m *Memory) See(body []byte) {
	l, ok := ParseLabel(body)
	if !ok {
		return
	}
	switch l.Event {
	case Begin:
		if l.Protocol == nil || l.Protocol.Check() != nil {
			m.problem = errors.New("its protocol cannot be read")
			return
		}
		m.begun, m.protocol = true, *l.Protocol
		m.opt = Options{Seed: l.Seed, Operator: l.Operator, Players: l.Players, Made: l.Made}
	case Done, Skipped:
		if m.finished == nil {
			m.finished = map[string]bool{}
		}
		m.finished[l.Card] = true
	case Void:
		delete(m.finished, l.Card)
	}
}

// Begun tells that a session is in the journal.
func (m *Memory) Begun() bool { return m.begun }

// Resume goes on with the session of the journal: its protocol, its seed, its players. What the caller asks for must not
// contradict it, because the cards would not be the same; zero values ask for nothing.
func (m *Memory) Resume(p *Protocol, o Options, now int64) (*Session, error) {
	switch {
	case m.problem != nil:
		return nil, m.problem
	case !m.begun:
		return nil, errors.New("no session of the laboratory is in it")
	case p != nil && (p.Name != m.protocol.Name || p.Cards() != m.protocol.Cards()):
		return nil, fmt.Errorf("it was begun with the protocol %s of %d cards", m.protocol.Name, m.protocol.Cards())
	case o.Seed != 0 && o.Seed != m.opt.Seed:
		return nil, fmt.Errorf("it was begun with the seed %d", m.opt.Seed)
	case len(o.Players) > 0 && !slices.Equal(o.Players, m.opt.Players):
		return nil, fmt.Errorf("it was begun with the players %v", m.opt.Players)
	case o.Made != m.opt.Made:
		return nil, errors.New("real and generated people do not go into one journal")
	}
	if len(m.finished) == m.protocol.Cards() {
		return nil, errors.New("its protocol has been played to the end; choose another file")
	}
	if o.Operator != "" {
		m.opt.Operator = o.Operator
	}
	return resumed(m.protocol, m.opt, now, m.finished)
}
