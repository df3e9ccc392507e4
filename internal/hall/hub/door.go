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

// A door decides which keys the embedded server lets in, and what each may do. The list of computers changes while the
// server runs, but the server's options must not: nats-server v2.15.2 writes new options while it reads them elsewhere
// (a data race).
type door struct {
	hub string // the hall's own key, which may do everything

	mu    sync.Mutex
	guest map[string]guest // by public key
}

// A guest is a computer, or a person or program with an invitation.
type guest struct {
	computer string    // "": an invitation
	until    time.Time // zero: without limit
}

// Check is called by the server for each connection. The client must have signed the server's nonce with the private
// key of a guest.
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

// let replaces the guests by those of a list. It returns a function that reports whether the connections of a key must
// end: the key is not in the list any more, or now belongs to another computer. A connection that Check has let in is
// by then among those of the server, with its key. A connection that has given no key yet ("") will be checked by the
// new list.
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
