// Package e2e holds no code, only the tests that start the real program: it is
// built once, its commands are run as an operator runs them, and boards are at
// the other end of pseudo terminals.
//
// It knows what the public contract promises: commands, exit statuses, files and
// JSON fields. It does not know the program's packages, except the emulator, the
// players and the generator of presses (for a board) and, in the tests of explain,
// the moves that another library lists.
// The journal is read by a reader of its own (ledger_test.go), written from the
// format in the documentation of internal/record and sharing no code with it.
//
// # What is proved, and where
//
// docs/end-to-end.md has a line for each test; index_test.go keeps it complete.
//
//	script_test.go    testdata/*.txt: help, usage, bad files, byte for byte
//	explain_test.go   explain over thousands of lines, against another library
//	capture_test.go   the recorded games in every format
//	feed_test.go      the recorded games through a port, at full speed and asked
//	port_test.go      ports that are absent, denied, in use, or no board
//	replug_test.go    cables that come out, ports that change their number
//	kill_test.go      kill -9 at random moments, also while it recovers
//	verdict_test.go   what verify says to cut, flipped and forged journals
//	simulate_test.go  the demonstration
//	standstill_test.go  a daemon that stands still while the game goes on
//	hall_*_test.go    whole halls of generated people, and the judge of what was made of them
//	service_test.go   systemd's messages, output that nobody reads, idle load
//	page_*_test.go    the page in a real Chromium: pair, rule, lose the network, axe, sizes
//	phone_*_test.go   phones over HTTP: kill while saving, resume, channels, secrets
//
// # Running
//
//	go test ./internal/e2e                       everything, two to six minutes
//	go test -short ./internal/e2e                what does not wait for real time, half a minute to a minute
//	BOARDWATCHD_E2E_KILLS=300 go test -run Kill -timeout 30m ./internal/e2e
//	BOARDWATCHD_HALLS=24 go test -v -timeout 30m -run 'TestHalls$' ./internal/e2e
//	go test -run NONE -bench Idle ./internal/e2e
//	go test -run NONE -bench Page -benchtime 1x ./internal/e2e
//	go test -run Script -update ./internal/e2e   writes the goldens anew
//
// BOARDWATCHD_E2E_KEEP names a folder for the journals of tests that fail.
// With -race the program under test is built with the race detector too.
// BOARDWATCHD_CHROMIUM names the browser for the page, if it is not the headless shell or another one that is found.
// BOARDWATCHD_SHOTS names a folder for screenshots of the page. The accessibility
// checks use axe-core, which is not part of the project: BOARDWATCHD_AXE names its
// axe.min.js, otherwise npm fetches it into the user's cache.
// BOARDWATCHD_SHARED names the folder of the recordings, if it is not ../shared.
//
// No test waits for time to pass: each waits for a line, a record or an exit,
// with a deadline that only a hang reaches. Source: reliability notes, F01,
// F05, F06, F14, F16, F17 and section 6 (rig C).
package e2e
