package uplink_test

import (
	"slices"
	"testing"

	"boardwatchd/internal/hall/uplink"
)

func TestNamed(t *testing.T) {
	for _, tt := range []struct{ in, want []string }{
		{[]string{"192.0.2.1:8162", "127.0.0.1:8162"}, []string{"192.0.2.1:8162"}},
		{[]string{"127.0.0.1:8162"}, []string{"127.0.0.1:8162"}},
		{[]string{"hall.example:8162", "[::1]:8162"}, []string{"hall.example:8162"}},
	} {
		if got := uplink.Named(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.in, got, tt.want)
		}
	}
}
