package daemon

import (
	"net"
	"strings"
	"testing"
)

func TestThePageIsWhereItIsServed(t *testing.T) {
	var s served
	if !s.now(&net.TCPAddr{IP: net.IPv6unspecified, Port: 4711}) || s.now(&net.TCPAddr{Port: 4712}) || s.port() != 4712 {
		t.Error("the first address is the first, and the last one holds")
	}
	for listen, want := range map[string]string{
		"127.0.0.1:0": "http://127.0.0.1:4712", "192.168.1.10:80": "http://192.168.1.10:4712", "[::1]:8160": "http://[::1]:4712",
	} {
		if got := s.url(listen); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
	if got := (&served{}).url("10.0.0.1:80"); got != "http://10.0.0.1" {
		t.Errorf("before it is served: %s", got)
	}
	for _, listen := range []string{":8160", "0.0.0.0:8160", "[::]:8160"} {
		if got := s.url(listen); !strings.HasSuffix(got, ":4712") || !everywhere(listen) {
			t.Errorf("%s: %s", listen, got)
		}
	}
}
