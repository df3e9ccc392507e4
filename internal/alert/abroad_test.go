package alert

import "testing"

func TestPushGoesToPublicAddressesOnly(t *testing.T) {
	tests := []struct {
		address string
		ok      bool
	}{
		{"93.184.216.34:443", true}, {"[2606:2800:220:1::1]:443", true},
		{"127.0.0.1:443", false}, {"10.0.0.1:443", false}, {"192.168.1.1:443", false}, {"172.16.9.9:443", false}, {"169.254.169.254:80", false},
		{"100.64.0.1:443", false}, {"0.0.0.0:443", false}, {"255.255.255.255:443", false}, {"224.0.0.1:443", false}, {"[::1]:443", false},
		{"[fe80::1]:443", false}, {"[fd00::1]:443", false}, {"[::ffff:10.0.0.1]:443", false}, {"[::]:443", false}, {"nonsense", false},
	}
	for _, tt := range tests {
		if err := onlyPublic("tcp", tt.address, nil); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.address, err)
		}
	}
}
