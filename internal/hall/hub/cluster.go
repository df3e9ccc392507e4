package hub

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/wire"
)

// This file is about a hall whose NATS servers are programs of their own, on one computer or on several
// (Options.Cluster). For every new connection they ask the hall (NATS auth callout), so their configuration, which
// WriteCluster makes, stays the same when a computer joins or is revoked. A connection that was let in earlier by a
// computer that has left the hall is found in the servers' lists of connections.

// A cluster is what the hall needs to work with such servers.
type cluster struct {
	servers []string      // host:port
	issuer  nkeys.KeyPair // signs the permissions of a connection
	system  nkeys.KeyPair // may see connections and end them
	nc      *nats.Conn    // connected with the key system
	changed chan struct{} // signals a change of the list of computers, or of the servers
}

// The accounts in the configuration of the servers.
const (
	hallAccount   = "HALL"
	systemAccount = "SYS"
)

// ErrServers reports a number of servers that a cluster cannot have.
var ErrServers = errors.New("hall.cluster names one server, three or five: of three one can fail, of five two, and of another number no more than of the next smaller one")

// CheckServers reports why a cluster cannot have these servers.
func CheckServers(servers []string) error {
	if n := len(servers); n != 1 && n != 3 && n != 5 {
		return fmt.Errorf("%w; it names %d", ErrServers, n)
	}
	return nil
}

// The files of the keys for the servers.
const (
	issuerSeed = "issuer.seed"
	systemSeed = "system.seed"
)

func (f Files) clusterSeed(name string) string { return filepath.Join(f.dir, name) }

func (f Files) issuer() (nkeys.KeyPair, error) { return f.clusterKey(issuerSeed, nkeys.CreateAccount) }

func (f Files) system() (nkeys.KeyPair, error) { return f.clusterKey(systemSeed, nkeys.CreateUser) }

func (f Files) clusterKey(name string, create func() (nkeys.KeyPair, error)) (key nkeys.KeyPair, err error) {
	err = f.Members().Alone(func() (err error) {
		key, err = keyIn(f.clusterSeed(name), create, "put a copy of it back, or delete it; then write the servers' configuration again (boardwatchd hall cluster)")
		return err
	})
	return key, err
}

// openCluster reads the keys that Options.Cluster needs. It returns nil for a hall with its own server.
func (f Files) openCluster(servers []string) (*cluster, error) {
	if len(servers) == 0 {
		return nil, nil
	}
	c := &cluster{servers: servers, changed: make(chan struct{}, 1)}
	err := CheckServers(servers)
	if err == nil {
		c.issuer, err = f.issuer()
	}
	if err == nil {
		c.system, err = f.system()
	}
	c.poke() // a computer may have been revoked while the hall was away
	return c, err
}

// Network and String make a cluster the address at which computers find the hall.
func (c *cluster) Network() string { return "tcp" }
func (c *cluster) String() string  { return strings.Join(c.servers, ", ") }

var _ net.Addr = (*cluster)(nil)

func (c *cluster) poke() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// replicas is the number of servers that keep the stream.
func (c *cluster) replicas() int {
	if c == nil || len(c.servers) == 1 {
		return 1
	}
	return 3
}

// connectCluster connects to the servers. From then on they ask the hall about every new connection.
func (h *Hub) connectCluster(ctx context.Context) (err error) {
	ca, err := x509.ParseCertificate(h.authority.CA())
	if err != nil {
		return err
	}
	opts := []nats.Option{
		nats.Secure(wire.Trusting(wire.PinOf(ca))), nats.TLSHandshakeFirst(), nats.Timeout(3 * time.Second), nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond), nats.IgnoreAuthErrorAbort(), nats.IgnoreDiscoveredServers(),
		nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(2), nats.Name("hall"),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			h.opt.Log.Warn().Err(err).Msg("the NATS servers refuse something")
		}),
	}
	if h.nc, err = h.cluster.connect(ctx, h.key, opts); err != nil {
		return err
	}
	if h.cluster.nc, err = h.cluster.connect(ctx, h.cluster.system, opts); err == nil {
		_, err = h.nc.Subscribe("$SYS.REQ.USER.AUTH", h.letIn)
	}
	if err != nil {
		h.disconnect()
	}
	return err
}

// connect tries until startPatience is over, because servers and hall may be started at the same time.
func (c *cluster) connect(ctx context.Context, key nkeys.KeyPair, opts []nats.Option) (nc *nats.Conn, err error) {
	public, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	err = patiently(ctx, func() (err error) {
		nc, err = nats.Connect("tls://"+strings.Join(c.servers, ",tls://"), append(slices.Clone(opts), nats.Nkey(public, key.Sign))...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the NATS servers %s: %w; do they run, with the configuration that boardwatchd hall cluster wrote?", c, err)
	}
	return nc, nil
}

// patiently repeats an action until it succeeds or startPatience is over.
func patiently(ctx context.Context, do func() error) (err error) {
	for end := time.Now().Add(startPatience); ; {
		if err = do(); err == nil || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(pollEvery):
		}
	}
}

// permissionsOf returns what the holder of a key may do. The hall's own keys do not come here.
func permissionsOf(r *members.Roll, key string, now time.Time) (m wire.Permissions, ok bool) {
	for _, c := range r.Computers {
		if c.Key == key {
			return wire.ComputerPermissions(c.Name), true
		}
	}
	for _, i := range r.Invitations {
		if i.Key == key && i.Expires.After(now) {
			return wire.InvitationPermissions(key), true
		}
	}
	return m, false
}

// letIn answers a server that asks about a new connection. The connecting program must have signed the server's
// challenge.
func (h *Hub) letIn(m *nats.Msg) {
	req, err := jwt.DecodeAuthorizationRequestClaims(string(m.Data))
	if err != nil {
		h.opt.Log.Warn().Err(err).Msg("a question of the NATS servers cannot be read")
		return
	}
	a := jwt.NewAuthorizationResponseClaims(req.UserNkey)
	a.Audience = req.Server.ID
	key := req.ConnectOptions.Nkey
	h.mu.Lock()
	granted, ok := permissionsOf(&h.roll, key, time.Now())
	h.mu.Unlock()
	if ok && signed(key, req.ClientInformation.Nonce, req.ConnectOptions.SignedNonce) {
		a.Jwt, err = h.cluster.user(req.UserNkey, key, granted)
	} else {
		a.Error = "it is not in the hall"
	}
	text := ""
	if err == nil {
		text, err = a.Encode(h.cluster.issuer)
	}
	if err == nil {
		err = m.Respond([]byte(text))
	}
	if err != nil {
		h.opt.Log.Warn().Err(err).Msg("the NATS servers are not answered; whoever wanted to connect tries again")
	}
}

// user is the server's answer for a connection that is let in: its name, key and permissions.
func (c *cluster) user(id, key string, m wire.Permissions) (string, error) {
	u := jwt.NewUserClaims(id)
	u.Name = key // as the servers' lists of connections have it
	u.Audience = hallAccount
	u.Pub.Allow, u.Sub.Allow = m.Publish, m.Subscribe
	if m.Answers {
		u.Resp = &jwt.ResponsePermission{MaxMsgs: 1, Expires: answerTime}
	}
	return u.Encode(c.issuer)
}

// signed reports whether a challenge was signed with a key.
func signed(key, nonce, signature string) bool {
	sig, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil {
		if sig, err = base64.StdEncoding.DecodeString(signature); err != nil {
			return false
		}
	}
	public, err := nkeys.FromPublicKey(key)
	return err == nil && nonce != "" && public.Verify([]byte(nonce), sig) == nil
}

const (
	sweepEvery = time.Minute
	// sweepAgain is the time in which a connection may still be let in by the previous list: the servers wait that long
	// for the hall's answer.
	sweepAgain = 3 * time.Second
	// sweepTime is how long the next server's answer is awaited. After it, all servers are taken to have answered.
	sweepTime = time.Second
)

// sweeping ends the connections of keys that are not in the hall any more.
func (h *Hub) sweeping(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-h.cluster.changed:
			h.sweep()
			select {
			case <-ctx.Done():
			case <-time.After(sweepAgain):
				h.sweep()
			}
		case <-time.After(sweepEvery):
			h.sweep()
		}
	}
}

// connections is a server's list of its connections.
type connections struct {
	Server struct {
		ID string `json:"id"`
	} `json:"server"`
	Data struct {
		Connections []struct {
			CID  uint64 `json:"cid"`
			User string `json:"authorized_user"`
		} `json:"connections"`
	} `json:"data"`
}

func (h *Hub) sweep() {
	nc := h.cluster.nc
	sub, err := nc.SubscribeSync(nats.NewInbox())
	if err != nil {
		return // the hall ends
	}
	defer func() { _ = sub.Unsubscribe() }()
	question := fmt.Sprintf(`{"auth":true,"acc":%q,"limit":%d}`, hallAccount, 4*members.MaxComputers)
	if err := nc.PublishRequest("$SYS.REQ.SERVER.PING.CONNZ", sub.Subject, []byte(question)); err != nil {
		return // not connected: a new connection signals a change
	}
	for {
		m, err := sub.NextMsg(sweepTime)
		var c connections
		if err != nil {
			return
		}
		if json.Unmarshal(m.Data, &c) != nil {
			continue
		}
		for _, one := range c.Data.Connections {
			if h.mayStay(one.User) {
				continue
			}
			h.opt.Log.Info().Str("server", c.Server.ID).Msg("a connection of a computer that is not in the hall any more is ended")
			// A server that gets no reply subject does nothing. The content of its answer is not used. If the request
			// fails, the next sweep repeats it.
			_ = nc.PublishRequest("$SYS.REQ.SERVER."+c.Server.ID+".KICK", nats.NewInbox(), fmt.Appendf(nil, `{"cid":%d}`, one.CID))
		}
	}
}

func (h *Hub) mayStay(key string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := permissionsOf(&h.roll, key, time.Now())
	return ok || key == h.public
}
