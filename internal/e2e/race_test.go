//go:build linux && race

package e2e

// raceBuild: the program under test gets the race detector as well.
const raceBuild = true

// operaSpeed: the detector makes everything some five times slower, so the board
// has to wait for it.
const operaSpeed = 3
