package emulator

// PTYOptions say where and how fast an emulator serves.
type PTYOptions struct {
	Speed int                // virtual µs per real µs; 0 means 1
	Link  string             // a symbolic link to the slave, kept while it serves
	Ready func(slave string) // called before the time begins, and again after each replugging; may be nil
	Done  func()             // called once, when the people have gone home; serving goes on
}
