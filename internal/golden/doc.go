// Package golden holds no code, only a test: what the core says about a thousand generated games, all cases and the
// recordings stays what it was. It is the safety net under every change of the detector.
//
// testdata/said.txt has one line for each item: its name, how many effects were said, and a hash over them without
// their wording (the keys reason, text, detail and say) and without commands to the board. So kinds, sides, plies,
// positions, times, confidences and alerts are pinned, and sentences are free.
//
//	go test ./internal/golden                                                    # compares
//	BOARDWATCHD_GOLDEN=write go test ./internal/golden                           # accepts what is said now
//	BOARDWATCHD_GOLDEN_SHOW='game 17' go test ./internal/golden -v -run Said     # prints what is said of one item
//	BOARDWATCHD_GOLDEN_BYTES=/tmp/bytes.txt go test ./internal/golden -run Said  # every byte, commands and wording too
//
// The last form serves a change that must not change a byte: write the file at both commits and compare the two. A line
// that changes is either a mistake or a decision; a decision is named in the commit that accepts it.
//
// What it does not know: whether what is said is right. Truth is compared in internal/watch and internal/scenario.
package golden
