//go:build linux && !race

package e2e

const raceBuild = false

// operaSpeed is how many times as fast as life the emulated boards play: one ply is
// close to a second, so that little happens while the daemon starts again, on a busy
// machine too.
const operaSpeed = 3
