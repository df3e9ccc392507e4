package emulator

// A Device is a board at the end of a cable, as ServePTY plays it: an Emulator, or another generator of a board's
// bytes. Time is µs and passes only in Advance; emit gets the bytes for the host.
type Device interface {
	Now() int64
	NextEvent() (at int64, ok bool)
	Advance(to int64, emit func(at int64, p []byte))
	Input(at int64, p []byte)
	Done() bool
	// Cable returns whether the cable is plugged in, and how often the host has seen it pulled.
	Cable() (in bool, pulls int)
}

// PTYOptions set the place and speed of serving.
type PTYOptions struct {
	Speed int                // virtual µs per real µs; 0 means 1
	Link  string             // a symbolic link to the slave, which exists while it serves
	Ready func(slave string) // called before the time begins, and again after each replugging; may be nil
	Done  func()             // called once, when the people have left; serving continues
}
