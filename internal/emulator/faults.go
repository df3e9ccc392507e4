package emulator

import (
	"fmt"

	"boardwatchd/dgt"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// Faults describes the faults of the equipment. The zero Faults is faultless equipment. Rates are per million.
type Faults struct {
	// For each byte from the board to the host.
	BitFlip, ReplaceByte, DropByte, DoubleByte int
	// For each frame.
	CutFrame    int // only the first bytes are sent
	Garbage     int // 1 to 8 bytes of garbage precede it
	LoseField   int // a field update is not sent; a dump repairs it
	DoubleField int // a field update is sent twice
	BadClock    int // a clock message has an impossible digit

	Flicker []Flicker
	At      []Fault
}

// Flicker is a coil that repeatedly loses its piece.
type Flicker struct {
	Square       legal.Square
	FromUS, ToUS int64
	EveryUS      int64 // half a period; 0 means 300 ms
}

// FaultKind is the kind of a Fault.
type FaultKind uint8

// The faults that occur once, at an instant.
const (
	NoFault       FaultKind = iota
	Unplug                  // the cable is pulled for For; the board restarts in bus mode
	UnplugInFrame           // the same, after N bytes of the next frame with id Frame (0: any frame)
	PowerCycle              // the board restarts, the link stays
	DropToBus               // the board switches silently to bus mode, as after a stray byte with bit 7
	Mute                    // the board does nothing for For
	Noise                   // N random bytes
	Stream80                // N bytes 80, the stream of invalid messages that one user observed
	SpuriousLog             // a log without a request
	ClockGone               // the clock's plug is out for For
	BatteryLow              // the clock's battery gets low
	BlankClock              // one clock message of seven zeros
	faultCount
)

var faultNames = [faultCount]string{"none", "unplug", "unplug-in-frame", "power-cycle", "drop-to-bus", "mute", "noise", "stream-80", "spurious-log", "clock-gone", "battery-low", "blank-clock"}

func (k FaultKind) String() string {
	if int(k) < len(faultNames) {
		return faultNames[k]
	}
	return fmt.Sprintf("fault(%d)", uint8(k))
}

// Fault is a fault that occurs once.
type Fault struct {
	At    int64
	Kind  FaultKind
	For   int64  // duration
	N     int    // number of bytes
	Frame dgt.ID // UnplugInFrame
}

const (
	flickerUS  = 300_000
	maxGarbage = 8
)

// trouble holds the faults that are still to come.
type trouble struct {
	Faults
	rng     random.Source
	agenda  []Fault // by time
	armed   *Fault  // UnplugInFrame waiting for its frame
	replug  int64   // time when the cable is plugged in again
	clockIn int64
	speak   int64 // the board is mute until this time
	next    int64 // flicker
}

func newTrouble(f Faults, r random.Source) trouble {
	t := trouble{Faults: f, rng: r, replug: never, clockIn: never, next: never}
	for _, one := range f.At {
		t.plan(one)
	}
	for _, k := range f.Flicker {
		t.next = min(t.next, k.FromUS)
	}
	return t
}

// plan keeps the agenda in the order of time.
func (t *trouble) plan(f Fault) {
	t.agenda = append(t.agenda, f)
	for j := len(t.agenda) - 1; j > 0 && t.agenda[j].At < t.agenda[j-1].At; j-- {
		t.agenda[j], t.agenda[j-1] = t.agenda[j-1], t.agenda[j]
	}
}

func (t *trouble) due() int64 {
	at := min(t.replug, t.clockIn, t.next)
	if len(t.agenda) > 0 {
		at = min(at, t.agenda[0].At)
	}
	return at
}

// flick toggles the faulty coils that are due and returns the next time.
func (t *trouble) flick(now int64, hide func(sq legal.Square, hidden bool)) {
	t.next = never
	for _, k := range t.Flicker {
		every := k.EveryUS
		if every <= 0 {
			every = flickerUS
		}
		switch {
		case now < k.FromUS:
			t.next = min(t.next, k.FromUS)
		case now >= k.ToUS:
			hide(k.Square, false)
		default:
			beat := (now - k.FromUS) / every
			hide(k.Square, beat%2 == 0)
			t.next = min(t.next, k.FromUS+(beat+1)*every)
		}
	}
}

// spoil returns what the line makes of a frame: usually the frame itself.
func (t *trouble) spoil(frame []byte, id dgt.ID) []byte {
	if id == dgt.MsgField {
		if t.rng.PPM(t.LoseField) {
			return nil
		}
		if t.rng.PPM(t.DoubleField) {
			frame = append(frame, frame...)
		}
	}
	if id == dgt.MsgClock && t.rng.PPM(t.BadClock) {
		frame[4] |= 0x0F // minutes: not a decimal digit
	}
	if t.rng.PPM(t.CutFrame) {
		frame = frame[:1+t.rng.Below(int64(len(frame)-1))]
	}
	if t.rng.PPM(t.Garbage) {
		frame = append(t.noise(1+t.rng.Below(maxGarbage)), frame...)
	}
	if t.BitFlip|t.ReplaceByte|t.DropByte|t.DoubleByte == 0 {
		return frame
	}
	out := make([]byte, 0, len(frame)+4)
	for _, b := range frame {
		if t.rng.PPM(t.BitFlip) {
			b ^= 1 << t.rng.Below(8)
		}
		if t.rng.PPM(t.ReplaceByte) {
			b = byte(t.rng.Next())
		}
		if t.rng.PPM(t.DropByte) {
			continue
		}
		out = append(out, b)
		if t.rng.PPM(t.DoubleByte) {
			out = append(out, b)
		}
	}
	return out
}

func (t *trouble) noise(n int64) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(t.rng.Next())
	}
	return p
}
