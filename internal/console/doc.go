// Package console brings the program's lines to its output: a terminal, a pipe, the system's log.
//
// It knows streams: whether one is a terminal, the character set of that terminal, whether the stream ends in a log
// that others can read. It does not know the content of the lines.
//
//	s := console.NewScreen(os.Stdout)
//	s.Show("a line") // from any goroutine; never waits
//	s.Close()        // after the last Show
//
// # Goroutines
//
// Each Screen has one goroutine, which writes. Close waits for it, but at most a second: a blocked output must not keep
// the process from ending. The goroutine then ends with the process.
//
// # Limits
//
// 1024 lines wait for an output that is not read. When they do, new lines are dropped, and their number is shown when
// there is room again.
package console
