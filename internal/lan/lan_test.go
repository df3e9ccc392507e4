package lan

import (
	"net/netip"
	"testing"
)

func TestTheLikeliestAddressComesFirst(t *testing.T) {
	address := func(ip, name string) Address {
		return Address{IP: netip.MustParseAddr(ip), Interface: name, Virtual: Virtual(name)}
	}
	list := usable([]Address{
		address("127.0.0.1", "lo"), address("172.17.0.1", "docker0"), address("fe80::1", "wlan0"), address("fd00::5", "wlan0"),
		address("203.0.113.9", "eth0"), address("192.168.1.10", "wlan0"), address("169.254.3.4", "eth1"), {},
	})
	want := []string{"192.168.1.10", "203.0.113.9", "fd00::5", "172.17.0.1"}
	if len(list) != len(want) {
		t.Fatalf("%v", list)
	}
	for i, a := range list {
		if a.IP.String() != want[i] {
			t.Errorf("place %d: %v, want %s", i, a, want[i])
		}
	}
}

func TestAddressesOfThisMachineAreNoLoopback(t *testing.T) {
	list, err := Addresses()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if a.IP.IsLoopback() || a.Interface == "" {
			t.Errorf("%+v", a)
		}
	}
}
