// Package link owns serial ports: it finds them, opens them, keeps one open through unplugging and replugging, and
// passes on received bytes with the time at which they arrived.
//
// It knows devices: paths and symbolic links, USB identities, exclusive use, raw mode, the symptoms of an unplugged
// cable. It does not know the meaning of the bytes and takes no protocol decision, with one exception: to find a board
// it must recognise one, and a board is recognised by its answer, never by its USB numbers, which are those of any FTDI
// cable. Identify sends requests that change nothing and accepts only a well-formed reply.
//
// # The caller's loop
//
//	l := link.New(link.Spec{Port: "/dev/serial/by-id/…", Clock: now}, func(e link.Event) { … })
//	go l.Run(ctx)
//	err := l.Send(bytes)
//
// Events come from one goroutine, in order: Up, any number of Bytes, Down, and again; Trouble between Down and Up
// whenever the reason for having no link changes. The handler is part of the reading loop: while it works nothing is
// read, and the kernel's buffer of 4,095 bytes is four seconds of a board that sends as fast as it can. Send never
// blocks; it refuses when 16 messages wait, because a board that accepts none of them is gone.
//
// # Standing still
//
// A read without bytes lasts 100 ms. If this process did not read the open port for 250 ms, it stood still: the
// computer was suspended or busy. The next Bytes event gives the time since then, and the bytes of that period, which
// may be none. Behind reports that such an event is still to come.
//
// # Unplugging
//
// On any error the descriptors are closed first and only then is the name looked up again, from the start, symbolic
// links included: while a dead descriptor is held, the kernel gives the replugged board another number. Looking for an
// absent device is one stat(2) each 100 ms and no descriptor; only failed opens back off, from 0.1 s to 2 s with
// jitter. A read that returns no bytes without a timeout is the end of the device and never "nothing yet".
//
// # Bytes that were waiting at open
//
// They are kept and delivered. On a PTY the other side has just sent them, and the decoder finds the next frame anyway,
// after at most one maximal frame; the caller handles stale bytes by requesting a fresh board dump after every connect.
//
// # go.bug.st/serial and its workarounds (measured with v1.8.0)
//
//   - Write after Close wrote into an unrelated file, a blocked Write had no
//     deadline, short writes and EINTR were left to the caller. So bytes go
//     out through a descriptor of our own on the same device, an *os.File,
//     which has none of this and takes deadlines.
//   - Read says (0, nil) for a timeout and PortClosed for an unplugged cable;
//     a descriptor of 1024 or more makes it panic. Open tries one read.
//   - SetReadTimeout races with Read: it is called before the first one.
//   - Close lets a reader go only after the descriptor is free for others: we
//     let the reader leave first, which takes at most its 100 ms.
//   - TIOCEXCL stops other programs unless they are root, and stays set on a
//     PTY after the program that set it was killed, so that its successor is
//     locked out for ever. Our own exclusion is flock(2), which dies with the
//     process; on a PTY the flag is taken off again.
//
// # Limits
//
// Linux. 9600 baud 8N1 raw, the only setting a DGT board has. Descriptors per open port: 4 (two on the device, two of
// the library's pipe), the same after 200 reconnects. This package does not notice the silence of a board that is
// plugged in but dead: the caller checks that the board answers and calls Reopen when it does not.
//
// Sources: DGT protocol notes, sections 1 and 9; reliability notes, section 2
// (B1 to B15); ecosystem notes, section 6.
package link
