// Package sharedtest finds the test material that is not part of the project: recordings of real boards, perft files.
// It also bounds how long a test waits for something real, a process or a socket, by the time that the test has left.
// It is for tests only.
//
// It does not know the meaning of the material, nor what a test waits for. If the material is missing, the test is
// skipped with a message. A wait bounded by Patience only guards against hanging: speed is measured elsewhere.
//
//	path := sharedtest.Path(t, "captures", "dgtdriver-game1.hex")
//	select {
//	case <-done:
//	case <-sharedtest.Hung(t):
//		t.Fatal("…")
//	}
package sharedtest
