package lab

// timing measures how fast this evening goes, so that the minutes left are this evening's.
type timing struct {
	shown, took int64 // µs: of the present card; of those of this block
	count       int   // cards in took
	began       int64 // of the block, without pauses
	rested      int64
}

func (t *timing) block(now int64) { *t = timing{began: now} }
func (t *timing) card(now int64) {
	if t.shown == 0 {
		t.shown = now
	}
}
func (t *timing) pause(now int64) { t.rested = now }
func (t *timing) resume(now int64) {
	if t.shown != 0 {
		t.shown += now - t.rested
	}
}

// done counts from card to card, the resets included.
func (t *timing) done(now int64) {
	t.took += now - t.shown
	t.shown = now
	t.count++
}

const (
	believed  = 5         // cards of a block, before its own pace is believed
	defaultUS = 6_000_000 // per card, where a protocol says nothing
)

// minutes left: the plan for what comes, set-ups included, this evening's pace for the block that is being played.
func (s *Session) minutes(int64) int {
	if s.phase == Ended {
		return 0
	}
	left := int64(0)
	for i := s.block; i < s.blocks; i++ {
		b := s.protocol.Blocks[i]
		per := int64(defaultUS)
		if b.Minutes > 0 {
			per = int64(b.Minutes*60e6) / int64(b.cards())
		}
		n := b.cards()
		if i == s.block {
			n = len(s.todo)
			if s.timing.count >= believed {
				per = s.timing.took / int64(s.timing.count)
			}
		}
		left += int64(n) * per
	}
	return int((left + 59_999_999) / 60_000_000)
}
