//go:build race

package journal

// raceEnabled thins out the loops that the race detector makes ten times slower.
const raceEnabled = true
