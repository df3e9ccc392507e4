// Package golden holds no code, only a test: the core's output about a thousand generated games, all cases and the
// recordings stays the same. It is the safety net under every change of the detector.
//
// testdata/said.txt has one line for each item: its name, the number of effects, and a hash over them without their
// wording (the keys reason, text, detail and say) and without commands to the board. So kinds, sides, plies, positions,
// times, confidences and alerts are pinned, and sentences are free.
//
//	go test ./internal/golden                                                    # compares
//	BOARDWATCHD_GOLDEN=write go test ./internal/golden                           # accepts what is said now
//	BOARDWATCHD_GOLDEN_SHOW='game 17' go test ./internal/golden -v -run Said     # prints what is said of one item
//	BOARDWATCHD_GOLDEN_BYTES=/tmp/bytes.txt go test ./internal/golden -run Said  # every byte, commands and wording too
//
// The last form serves a change that must not change a byte: write the file at both commits and compare the two. A line
// that changes is either a mistake or a decision; a decision is named in the commit that accepts it.
//
// It does not know whether the output is right. Truth is compared in internal/watch and internal/scenario.
package golden
