//go:build linux && !race

package e2e

const raceBuild = false

// operaSpeed is how many times as fast as life the emulated boards play: one ply is
// about half a second, so what happens while the daemon starts again is one or two.
const operaSpeed = 5
