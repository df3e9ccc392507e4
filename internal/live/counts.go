package live

import (
	"cmp"
	"slices"
	"sync"
)

// counts holds counts since the start; records read from the journal do not count again.
type counts struct {
	mu        sync.Mutex
	findings  map[entered]uint64
	decisions map[string]uint64
}

// The limit of the number of words that are counted one by one. All others together are "other".
const (
	maxKinds = 256
	other    = "other"
)

var (
	states    = map[string]bool{"suspected": true, "confirmed": true, "withdrawn": true, "expired": true}
	decisions = map[string]bool{
		"confirm": true, "reject": true, "unseen": true, "accident": true, "sensor": true, "later": true, "undo": true,
	}
)

func newCounts() counts {
	return counts{findings: map[entered]uint64{}, decisions: map[string]uint64{}}
}

func (c *counts) found(kind, state string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := entered{kind, state}
	if !states[state] {
		e.State = other
	}
	if _, ok := c.findings[e]; !ok && len(c.findings) >= maxKinds {
		e.Kind = other
	}
	c.findings[e]++
}

func (c *counts) decided(word string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !decisions[word] {
		word = other
	}
	c.decisions[word]++
}

func (c *counts) into(s *Stats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e, n := range c.findings {
		s.Findings = append(s.Findings, FindingCount{e.Kind, e.State, n})
	}
	for word, n := range c.decisions {
		s.Decisions = append(s.Decisions, DecisionCount{word, n})
	}
	slices.SortFunc(s.Findings, func(a, b FindingCount) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.State, b.State))
	})
	slices.SortFunc(s.Decisions, func(a, b DecisionCount) int { return cmp.Compare(a.Decision, b.Decision) })
}

// Stats returns the counts.
func (bs *Boards) Stats() Stats {
	var s Stats
	for _, b := range bs.all() {
		s.Boards = append(s.Boards, b.stats())
	}
	bs.counts.into(&s)
	bs.feed.mu.Lock()
	defer bs.feed.mu.Unlock()
	s.Followers, s.Events = bs.feed.follows, bs.feed.head
	return s
}
