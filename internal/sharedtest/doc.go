// Package sharedtest finds the test material that is not part of the project: recordings of real boards, perft files.
// It also says how long a test waits for something real, a process or a socket: as long as it has time. It is for tests
// only.
//
// It does not know what the material means, and not what is waited for. Where the material is missing, the test is
// skipped with a message. A wait that Patience bounds only guards against hanging: how fast something is, is measured
// elsewhere.
//
//	path := sharedtest.Path(t, "captures", "dgtdriver-game1.hex")
//	select {
//	case <-done:
//	case <-sharedtest.Hung(t):
//		t.Fatal("…")
//	}
package sharedtest
