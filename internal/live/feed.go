package live

import (
	"strconv"
	"strings"
	"sync"
)

// feed is the ring of durable events, with the channels that wake waiting readers.
type feed struct {
	epoch string
	ring  []Event // event n is at n modulo its length

	mu      sync.Mutex
	head    uint64        // number of the latest event; the first is 1
	floor   uint64        // readers before this number must fetch the state, because a board was read again
	durable chan struct{} // closed at the next durable event; nil: no reader waits
	changed chan struct{} // closed at the next change of a summary; nil: no reader waits
	follows int
}

func newFeed(epoch string, keep int) feed { return feed{epoch: epoch, ring: make([]Event, keep)} }

// append adds an event, gives it its identifier and wakes the followers.
func (f *feed) append(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(e)
}

func (f *feed) add(e Event) {
	f.head++
	e.ID = f.id(f.head)
	f.ring[f.head%uint64(len(f.ring))] = e
	wake(&f.durable)
}

// breakOff adds an event and makes every reader that has not received it fetch the state.
func (f *feed) breakOff(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(e)
	f.floor = f.head
}

// touch wakes readers that wait for a summary.
func (f *feed) touch() {
	f.mu.Lock()
	defer f.mu.Unlock()
	wake(&f.changed)
}

func wake(c *chan struct{}) {
	if *c != nil {
		close(*c)
		*c = nil
	}
}

// waiting returns the channel that the next event closes. The caller holds the lock.
func waiting(c *chan struct{}) <-chan struct{} {
	if *c == nil {
		*c = make(chan struct{})
	}
	return *c
}

// oldest returns the least number after which the feed still has all events. The caller holds the lock.
func (f *feed) oldest() uint64 {
	n := uint64(0)
	if keep := uint64(len(f.ring)); f.head > keep {
		n = f.head - keep
	}
	return max(n, f.floor)
}

// since returns the events after number n. The caller holds the lock and has checked n.
func (f *feed) since(n uint64) []Event {
	if n == f.head {
		return nil
	}
	list := make([]Event, 0, f.head-n)
	for n++; n <= f.head; n++ {
		list = append(list, f.ring[n%uint64(len(f.ring))])
	}
	return list
}

func (f *feed) last() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.id(f.head)
}

func (f *feed) id(n uint64) string { return f.epoch + "-" + strconv.FormatUint(n, 10) }

// parseID reads an identifier of the given epoch. There is one text for each number: no sign, no leading zero.
func parseID(epoch, id string) (n uint64, ok bool) {
	digits, ours := strings.CutPrefix(id, epoch+"-")
	if !ours || digits == "" || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}
