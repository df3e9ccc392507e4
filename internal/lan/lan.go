package lan

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// An Address is one under which this computer may be reached.
type Address struct {
	IP        netip.Addr
	Interface string
	Virtual   bool // of a bridge or tunnel that a program has made: rarely the phones' network
}

// Addresses returns the current addresses, the likeliest first. There may be none: no cable, no Wi-Fi.
func Addresses() ([]Address, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list the network interfaces: %w", err)
	}
	var list []Address
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue // it was removed meanwhile
		}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				list = append(list, Address{IP: p.Addr().Unmap(), Interface: i.Name, Virtual: Virtual(i.Name)})
			}
		}
	}
	return usable(list), nil
}

// usable removes addresses that a phone cannot use, and orders the rest: private IPv4 addresses of real interfaces come
// first.
func usable(list []Address) []Address {
	list = slices.DeleteFunc(list, func(a Address) bool {
		return !a.IP.IsValid() || a.IP.IsLoopback() || a.IP.IsLinkLocalUnicast() || a.IP.IsMulticast() || a.IP.IsUnspecified()
	})
	slices.SortStableFunc(list, func(a, b Address) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

func rank(a Address) (n int) {
	if a.Virtual {
		n += 4
	}
	if a.IP.Is6() {
		n += 2
	}
	if !a.IP.IsPrivate() {
		n++
	}
	return n
}

// madeByPrograms are the first parts of interface names that lead to no phone: containers, virtual machines, tunnels.
var madeByPrograms = []string{
	"docker", "br-", "veth", "virbr", "vnet", "vmnet", "vboxnet", "lxc", "lxd", "incusbr", "cni", "flannel", "cali", "podman", "tun", "tap", "wg",
	"tailscale", "zt", "dummy", "ifb",
}

// Virtual reports whether an interface has a name that programs give.
func Virtual(name string) bool {
	return slices.ContainsFunc(madeByPrograms, func(p string) bool { return strings.HasPrefix(name, p) })
}
