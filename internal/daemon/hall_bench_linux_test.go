package daemon

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/view"
)

// BenchmarkReadMirror measures how long a hall that starts reads one mirrored journal: the file that
// BOARDWATCHD_JOURNAL names.
func BenchmarkReadMirror(b *testing.B) {
	path := os.Getenv("BOARDWATCHD_JOURNAL")
	info, err := os.Stat(path)
	if err != nil {
		b.Skip("BOARDWATCHD_JOURNAL names no journal")
	}
	conf := config.Default()
	d := Open(Options{Config: conf, Dir: b.TempDir(), Log: zerolog.Nop(), Hub: true, Getenv: func(string) string { return "" }})
	defer func() { _ = d.Close() }()
	b.SetBytes(info.Size())
	b.ReportAllocs()
	cpu := func() time.Duration {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	n, before := 0, cpu()
	for b.Loop() {
		n++
		if _, err := view.Read(path, d.frontend.hear(fmt.Sprint("board ", n%8), "sim-r1", 1), nil, zerolog.Nop()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cpu()-before).Microseconds())/1000/float64(n), "cpu-ms/op")
}
