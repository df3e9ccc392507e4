package emulator

import "testing"

// drain takes every chunk of a line.
func drain(l *line) (chunks [][]byte, at []int64) {
	for l.next() != never {
		now := l.next()
		at = append(at, now)
		chunks = append(chunks, l.deliver(now, nil))
	}
	return chunks, at
}

func TestTheWireIsNeverFasterThanItsBaudRate(t *testing.T) {
	for _, baud := range []int{0, 9600, 96_000, 1_000_000} {
		l := newLine(LineOptions{Baud: baud, LatencyUS: NoLatency})
		const n = 10_000
		for range n / 10 {
			l.send(500, make([]byte, 10))
		}
		if baud == 0 {
			baud = 9600
		}
		for i, q := range l.queue {
			if least := int64(i+1) * 10 * second / int64(baud); q.at-500 < least {
				t.Fatalf("%d baud: byte %d after %d µs, the wire needs %d", baud, i, q.at-500, least)
			}
		}
		// Over the whole it is not slower either: the fraction is carried.
		if took, need := l.queue[n-1].at-500, int64(n)*10*second/int64(baud); took > need+1 {
			t.Errorf("%d baud: %d bytes took %d µs, want %d", baud, n, took, need)
		}
	}
}

func TestTheDriverWaitsForItsLatencyTimer(t *testing.T) {
	l := newLine(LineOptions{})
	l.send(0, make([]byte, 5)) // a field update: 5.2 ms on the wire
	_, at := drain(&l)
	if want := int64(1042 + ftdiLatencyUS); len(at) != 1 || at[0] != want {
		t.Errorf("chunks at %v, want one at %d", at, want)
	}
}

func TestAFullPacketDoesNotWait(t *testing.T) {
	l := newLine(LineOptions{Baud: 1_000_000})
	l.send(0, make([]byte, 200))
	chunks, at := drain(&l)
	for i, c := range chunks[:3] {
		if len(c) != ftdiPacketSize || at[i] != int64(i+1)*ftdiPacketSize*10 {
			t.Errorf("packet %d: %d bytes at %d µs", i, len(c), at[i])
		}
	}
	if len(chunks) != 4 || len(chunks[3]) != 200-3*ftdiPacketSize {
		t.Errorf("%d packets, the last of %d bytes", len(chunks), len(chunks[len(chunks)-1]))
	}
}

func TestWithoutLatencyBytesComeOneByOne(t *testing.T) {
	l := newLine(LineOptions{LatencyUS: NoLatency})
	l.send(0, make([]byte, 5))
	if chunks, _ := drain(&l); len(chunks) != 5 {
		t.Errorf("%d chunks of 5 bytes", len(chunks))
	}
}

func TestAnUnpacedLineDeliversAMessageAtOnce(t *testing.T) {
	l := newLine(LineOptions{Baud: Unpaced, LatencyUS: NoLatency})
	l.send(7, make([]byte, 40))
	chunks, at := drain(&l)
	if len(chunks) != 1 || at[0] != 7 {
		t.Errorf("%d chunks at %v", len(chunks), at)
	}
}

func TestACutLineLosesWhatIsOnIt(t *testing.T) {
	l := newLine(LineOptions{})
	l.send(0, make([]byte, 30))
	lost := len(l.queue) - l.head
	l.cut()
	if lost != 30 || !l.idle() || l.next() != never {
		t.Errorf("%d bytes lost, idle %v", lost, l.idle())
	}
}
