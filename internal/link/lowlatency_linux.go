package link

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// serialStruct is struct serial_struct of linux/serial.h.
type serialStruct struct {
	kind, line    int32
	port          uint32
	irq, flags    int32
	fifo, divisor int32
	baudBase      int32
	closeDelay    uint16
	ioType, _     byte
	hub6          int32
	closingWait   [2]uint16
	iomemBase     uintptr
	regShift      uint16
	portHigh      uint32
	iomapBase     uintptr
}

// asyncLowLatency is ASYNC_LOW_LATENCY of linux/tty_flags.h. For ftdi_sio it
// means a latency timer of 1 ms instead of 16, and it needs no privilege.
const asyncLowLatency = 1 << 13

// lowLatency asks the driver not to delay bytes. It is best effort: most drivers, and PTYs, have no such setting; the
// value in force afterwards is read from sysfs and reported in Device.LatencyMS.
func lowLatency(p *Port) {
	_ = p.control(func(fd int) error {
		var s serialStruct
		if _, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCGSERIAL, uintptr(unsafe.Pointer(&s))); e != 0 {
			return e
		}
		s.flags |= asyncLowLatency
		_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCSSERIAL, uintptr(unsafe.Pointer(&s)))
		runtime.KeepAlive(&s)
		if e != 0 {
			return e
		}
		return nil
	})
}
