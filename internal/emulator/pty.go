package emulator

// A Device is a board at the end of a cable, as ServePTY plays it: an Emulator, or another generator of a board's bytes. Time
// is µs and passes only in Advance; emit gets what the host receives.
type Device interface {
	Now() int64
	NextEvent() (at int64, ok bool)
	Advance(to int64, emit func(at int64, p []byte))
	Input(at int64, p []byte)
	Done() bool
	// Cable says whether the cable is in, and how often the host has seen it come out.
	Cable() (in bool, pulls int)
}

// PTYOptions say where and how fast an emulator serves.
type PTYOptions struct {
	Speed int                // virtual µs per real µs; 0 means 1
	Link  string             // a symbolic link to the slave, kept while it serves
	Ready func(slave string) // called before the time begins, and again after each replugging; may be nil
	Done  func()             // called once, when the people have gone home; serving goes on
}
