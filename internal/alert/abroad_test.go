package alert

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestPushGoesToPublicAddressesOnly(t *testing.T) {
	tests := []struct {
		address string
		ok      bool
	}{
		{"93.184.216.34:443", true}, {"[2606:2800:220:1::1]:443", true},
		{"127.0.0.1:443", false}, {"10.0.0.1:443", false}, {"192.168.1.1:443", false}, {"172.16.9.9:443", false}, {"169.254.169.254:80", false},
		{"100.64.0.1:443", false}, {"0.0.0.0:443", false}, {"255.255.255.255:443", false}, {"224.0.0.1:443", false}, {"[::1]:443", false},
		{"[fe80::1]:443", false}, {"[fd00::1]:443", false}, {"[::ffff:10.0.0.1]:443", false}, {"[::]:443", false}, {"nonsense", false},
		{"[64:ff9b::a00:1]:443", false}, {"[64:ff9b:1::a00:1]:443", false}, {"198.18.0.1:443", false}, {"198.19.255.255:443", false},
		{"192.0.0.8:443", false}, {"240.0.0.1:443", false}, {"[2002:a00:1::1]:443", false}, {"[2001:0:1::1]:443", false}, {"[::a00:1]:443", false},
		{"[fec0::1]:443", false}, {"[::ffff:198.18.0.1]:443", false}, {"0.1.2.3:443", false}, {"198.20.0.1:443", true}, {"192.0.1.1:443", true},
	}
	for _, tt := range tests {
		if err := onlyPublic("tcp", tt.address, nil); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.address, err)
		}
	}
}

// Every request here goes to this computer itself, which is not a public address.
func TestWhatGoesByTheProxyIsCheckedAllTheSame(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("by proxy: " + r.Host))
	}))
	defer server.Close()
	proxy, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: newBorder(func(req *http.Request) (*url.URL, error) {
		if req.URL.Host == "push.example.org" {
			return proxy, nil
		}
		return nil, nil // excepted
	})}
	for _, tt := range []struct {
		claim, to string
		ok        bool
	}{
		{"a name goes through the proxy, which is near by", "http://push.example.org/1", true},
		{"an address that is excepted is checked", server.URL + "/1", false},
		{"also the proxy's own", server.URL, false},
	} {
		resp, err := client.Get(tt.to)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, errNotPublic) {
			t.Errorf("%s: %v", tt.claim, err)
		}
	}
}
