package emulator

// LineOptions describe the wire between board and host and the driver that delivers the bytes.
type LineOptions struct {
	// Baud is the speed of the line: 0 means 9,600, a multiple is a faster link, Unpaced delivers every message at the
	// instant it is made.
	Baud int
	// LatencyUS is the receive latency timer of a USB-serial converter: a short message waits this long for more to
	// join it. 0 means 16 ms, the default of ftdi_sio; 1,000 is the low-latency setting; NoLatency delivers bytes one
	// by one, as a real serial port does.
	LatencyUS int64
}

const (
	// Unpaced, as LineOptions.Baud, is a link with no line time at all.
	Unpaced = -1
	// NoLatency, as LineOptions.LatencyUS, is a driver that never waits.
	NoLatency = -1

	standardBaud   = 9600
	bitsPerByte    = 10 // start, eight data bits, stop: DGT protocol notes, section 1.1
	ftdiLatencyUS  = 16_000
	ftdiPacketSize = 62 // a full USB packet of 64 less two status bytes goes at once
)

// timed is one byte and the instant at which its last bit arrives.
type timed struct {
	at int64
	b  byte
}

// line is the board's transmitter, the wire, and the driver's buffer.
type line struct {
	baud    int64
	latency int64
	queue   []timed
	head    int
	// The transmitter is busy until busyUS + busyRest/baud µs: the remainder is
	// carried so that 9,600 baud stays 9,600 over hours (a byte is 1041⅔ µs).
	busyUS   int64
	busyRest int64
}

func newLine(o LineOptions) line {
	l := line{baud: int64(o.Baud), latency: o.LatencyUS}
	if l.baud == 0 {
		l.baud = standardBaud
	}
	switch {
	case l.latency == 0:
		l.latency = ftdiLatencyUS
	case l.latency < 0:
		l.latency = 0
	}
	return l
}

// send queues bytes that the board has ready at the given instant.
func (l *line) send(at int64, p []byte) {
	if l.head > 4096 && l.head*2 > len(l.queue) {
		l.queue = append(l.queue[:0], l.queue[l.head:]...)
		l.head = 0
	}
	for _, b := range p {
		l.queue = append(l.queue, timed{at: l.transmit(at), b: b})
	}
}

// transmit occupies the transmitter for one byte and returns its end.
func (l *line) transmit(at int64) int64 {
	if l.baud < 0 {
		return at
	}
	if l.busyUS < at {
		l.busyUS, l.busyRest = at, 0
	}
	l.busyRest += bitsPerByte * 1_000_000
	l.busyUS += l.busyRest / l.baud
	l.busyRest %= l.baud
	if l.busyRest > 0 {
		return l.busyUS + 1 // rounded up: never faster than the wire
	}
	return l.busyUS
}

// next returns the instant of the next chunk.
func (l *line) next() int64 {
	if l.head == len(l.queue) {
		return never
	}
	due := l.queue[l.head].at + l.latency
	if full := l.head + ftdiPacketSize - 1; full < len(l.queue) && l.queue[full].at < due {
		due = l.queue[full].at
	}
	return due
}

// deliver appends the bytes of the chunk due now.
func (l *line) deliver(now int64, dst []byte) []byte {
	for n := 0; l.head < len(l.queue) && l.queue[l.head].at <= now && n < ftdiPacketSize; n++ {
		dst = append(dst, l.queue[l.head].b)
		l.head++
	}
	if l.head == len(l.queue) {
		l.queue, l.head = l.queue[:0], 0
	}
	return dst
}

// cut drops everything that has not been delivered: the cable was pulled.
func (l *line) cut() { l.queue, l.head, l.busyUS, l.busyRest = l.queue[:0], 0, 0, 0 }

// end returns the instant at which the bytes sent so far have arrived.
func (l *line) end(now int64) int64 { return max(now, l.busyUS+1) }

// idle reports whether no bytes are on the way.
func (l *line) idle() bool { return l.head == len(l.queue) }
