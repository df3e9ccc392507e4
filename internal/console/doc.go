// Package console is how the program's lines reach whoever looks at its output: a terminal, a pipe, the system's log.
//
// It knows streams: whether one is a terminal, which letters that terminal has, whether the stream ends in a log that
// others can read. It does not know what the lines say.
//
//	s := console.NewScreen(os.Stdout)
//	s.Show("a line") // from any goroutine; never waits
//	s.Close()        // when nobody shows anything any more
//
// # Goroutines
//
// Each Screen has one, which writes. Close waits for it, but at most a second: an output that takes nothing must not keep
// the process from ending. The goroutine then ends with the process.
//
// # Limits
//
// 1024 lines wait for an output that is not read. When they do, new lines are dropped, and their number is shown when
// there is room again.
package console
