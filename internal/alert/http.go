package alert

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A poster sends requests over HTTP. Its errors name the host and never the path, the query, a header or the answer's
// text: topics, subscriptions and tokens are secrets.
type poster struct {
	client *http.Client
	host   string
}

const (
	dialTimeout   = 5 * time.Second
	answerTimeout = 10 * time.Second // from the request to the header of the answer
	wholeTimeout  = 15 * time.Second // the whole exchange
	maxAnswer     = 4 << 10          // bytes of an answer that are read
)

// newPoster uses the given client, or one of its own with a deadline for every step.
func newPoster(given *http.Client, host string) poster {
	c := http.Client{Timeout: wholeTimeout}
	if given != nil {
		c = *given
		if c.Timeout <= 0 {
			c.Timeout = wholeTimeout
		}
	} else {
		c.Transport = transport(&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second})
	}
	c.CheckRedirect = sameHost
	return poster{client: &c, host: host}
}

func transport(d *net.Dialer) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            d.DialContext,
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  answerTimeout,
		MaxResponseHeaderBytes: 32 << 10,
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConnsPerHost:    1,
		ForceAttemptHTTP2:      true,
	}
}

// abroad returns a client for addresses that a phone has given: it connects to no computer of the local network,
// whatever a name resolves to. A proxy set by the operator is responsible for requests through it; exceptions from the
// proxy (NO_PROXY) are checked.
func abroad() *http.Client { return &http.Client{Transport: newBorder(http.ProxyFromEnvironment)} }

// A border decides for each request whether it goes through a proxy, or directly to an address that must be public.
type border struct {
	proxy             func(*http.Request) (*url.URL, error)
	through, straight *http.Transport
}

func newBorder(proxy func(*http.Request) (*url.URL, error)) *border {
	b := &border{
		proxy:    proxy,
		through:  transport(&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}),
		straight: transport(&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second, Control: onlyPublic}),
	}
	b.through.Proxy = func(req *http.Request) (*url.URL, error) {
		by, _ := req.Context().Value(byProxy{}).(*url.URL)
		return by, nil
	}
	b.straight.Proxy = nil
	return b
}

// RoundTrip is also called for the target of a redirect.
func (b *border) RoundTrip(req *http.Request) (*http.Response, error) {
	by, err := b.proxy(req)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the proxy in the environment: %w", err)
	case by == nil:
		return b.straight.RoundTrip(req)
	}
	return b.through.RoundTrip(req.WithContext(context.WithValue(req.Context(), byProxy{}, by)))
}

// byProxy is the context key for the proxy chosen for a request, so that it is chosen once.
type byProxy struct{}

var errNotPublic = errors.New("the name leads to an address that is not public")

// notPublic lists networks that look public and are not, or through which a local computer can be reached: IANA's
// registries of special-purpose addresses, and addresses that contain an IPv4 address.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10",
)

func prefixes(list ...string) (nets []netip.Prefix) {
	for _, s := range list {
		nets = append(nets, netip.MustParsePrefix(s))
	}
	return nets
}

// onlyPublic is called with the address that is about to be dialled.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return errNotPublic
	}
	ip := to.Addr().Unmap().WithZone("")
	in := func(p netip.Prefix) bool { return p.Contains(ip) }
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || slices.ContainsFunc(notPublic, in) {
		return errNotPublic
	}
	return nil
}

// sameHost follows a redirect only to the same host, with the same security, and with the same method: a POST turned
// into a GET would have no body.
func sameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || next.URL.Host != first.URL.Host || next.Method != first.Method || next.URL.Scheme != first.URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

// An answer is the response to a request.
type answer struct {
	status int
	head   http.Header
	body   []byte // at most maxAnswer
}

// post sends body with the headers. A nil error means that the receiver has answered, with any status.
func (p poster) post(ctx context.Context, to string, head http.Header, body []byte) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return answer{}, fmt.Errorf("%s: the address cannot be used", p.host)
	}
	req.Header = head
	return p.do(req)
}

func (p poster) do(req *http.Request) (answer, error) {
	resp, err := p.client.Do(req)
	if err != nil {
		return answer{}, p.failure(req.Context(), err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil && resp.StatusCode/100 != 2 {
		body = nil // the status is sufficient
	}
	return answer{resp.StatusCode, resp.Header, body}, nil
}

// failure describes why a request was not answered. All such errors are temporary.
func (p poster) failure(ctx context.Context, err error) error {
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
		auth x509.UnknownAuthorityError
		op   *net.OpError
	)
	say := func(why string) error { return temporary("%s: %s", p.host, why) }
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &Temporary{Err: fmt.Errorf("%s: %w", p.host, context.Canceled)}
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return say("no answer in time")
	case errors.As(err, &dns):
		return say("the name cannot be resolved; is the network up?")
	case errors.As(err, &auth):
		return say("its certificate is signed by nobody this computer trusts; install the authority's certificate")
	case errors.As(err, &cert):
		return say("its certificate is not valid for this name or at this time; check the clock of this computer")
	case errors.As(err, &op):
		return say(op.Op + ": " + reason(op.Err))
	}
	return say("the connection broke")
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// reason returns the innermost error: "connection refused".
func reason(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}

// verdict turns a status into the result of Send (retry rule, ecosystem notes section 2). code adds the service's own
// number, "" if there is none.
func (p poster) verdict(a answer, code string, now time.Time) error {
	if code != "" {
		code = ", code " + code
	}
	err := fmt.Errorf("%s answered %d%s", p.host, a.status, code)
	switch s := a.status; {
	case s/100 == 2:
		return nil
	case s == http.StatusTooManyRequests, s == http.StatusRequestTimeout, s == http.StatusTooEarly, s/100 == 5:
		return &Temporary{Err: err, After: retryAfter(a.head, now), Alone: s == http.StatusInternalServerError}
	case s/100 == 3:
		return fmt.Errorf("%w: it points to another address; give that one in the configuration", err)
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		return fmt.Errorf("%w: the token is missing, wrong or has no right to do this", err)
	case s == http.StatusNotFound:
		return fmt.Errorf("%w: there is nothing at this address", err)
	}
	return err
}

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(v, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}

// address checks a URL of the configuration.
func address(what, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: the address cannot be read; it looks like https://example.org/path", what)
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("%s: the address begins with https:// or http:// and has a host", what)
	case u.User != nil:
		return nil, fmt.Errorf("%s: the address holds a password; put a token into a file instead", what)
	case u.Fragment != "":
		return nil, fmt.Errorf("%s: the address has a part after the #, which a server never sees", what)
	}
	return u, nil
}

// loopback reports whether a host is this computer.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
