package hub

import (
	"encoding/base64"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/wire"
)

// A door says which keys the embedded server lets in, and what each may do. The list of computers changes while the
// server runs, and its options do not: a server that is given other options writes them while it reads them elsewhere
// (a data race of nats-server v2.15.2).
type door struct {
	hub string // the hall's own key, which may do everything

	mu    sync.Mutex
	guest map[string]guest // by public key
}

// A guest is a computer, or somebody with an invitation.
type guest struct {
	computer string    // "": an invitation
	until    time.Time // zero: for good
}

// Check is called by the server for each connection: whoever has the private key of a guest has signed the server's
// nonce with it.
func (d *door) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	sig, err := base64.RawURLEncoding.DecodeString(o.Sig)
	if c.Kind() != server.CLIENT || err != nil || len(c.GetNonce()) == 0 {
		return false
	}
	key, err := nkeys.FromPublicKey(o.Nkey)
	if err != nil || key.Verify(c.GetNonce(), sig) != nil {
		return false
	}
	if o.Nkey == d.hub {
		return true
	}
	d.mu.Lock()
	g, in := d.guest[o.Nkey]
	d.mu.Unlock()
	if !in || !g.until.IsZero() && !time.Now().Before(g.until) {
		return false
	}
	may := wire.InvitationPermissions(o.Nkey)
	if g.computer != "" {
		may = wire.ComputerPermissions(g.computer)
	}
	c.RegisterUser(&server.User{Username: o.Nkey, Permissions: permissions(may)})
	return true
}

func permissions(m wire.Permissions) *server.Permissions {
	p := &server.Permissions{Publish: &server.SubjectPermission{Allow: m.Publish}, Subscribe: &server.SubjectPermission{Allow: m.Subscribe}}
	if m.Answers {
		p.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: answerTime}
	}
	return p
}

// let takes the computers and invitations of a list, and returns whose connections are over: who is not in it any more,
// or is somebody else now. A connection that Check has let in is among those of the server by then, with its key. One
// that has said no key yet ("") is about to be checked, by the new list.
func (d *door) let(r *members.Roll, now time.Time) (over func(key string) bool) {
	next := map[string]guest{}
	for _, i := range r.Invitations {
		if i.Expires.After(now) {
			next[i.Key] = guest{until: i.Expires}
		}
	}
	for _, c := range r.Computers {
		next[c.Key] = guest{computer: c.Name}
	}
	d.mu.Lock()
	before := d.guest
	d.guest = next
	d.mu.Unlock()
	return func(key string) bool {
		g, in := next[key]
		was, known := before[key]
		return key != "" && key != d.hub && (!in || known && was.computer != g.computer)
	}
}
