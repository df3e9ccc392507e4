//go:build race

package journal

// raceEnabled shortens loops that the race detector makes ten times slower.
const raceEnabled = true
