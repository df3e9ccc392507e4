package hub

import (
	"cmp"
	"crypto/x509"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nkeys"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/wire"
)

// InvitationLife is how long an invitation can be used.
const InvitationLife = 24 * time.Hour

// Invite makes an invitation for a computer, or with an empty name one for many. The hall need not run.
func (f Files) Invite(computer string, addresses []string, now time.Time) (inv wire.Invitation, err error) {
	return f.invite(members.Invitation{Name: computer, Many: computer == ""}, addresses, now)
}

// InviteInstead is Invite for a computer that replaces the one of that name.
func (f Files) InviteInstead(computer string, addresses []string, now time.Time) (inv wire.Invitation, err error) {
	return f.invite(members.Invitation{Name: computer, Replace: true}, addresses, now)
}

// invite makes an invitation with a key of its own.
func (f Files) invite(in members.Invitation, addresses []string, now time.Time) (inv wire.Invitation, err error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return inv, err
	}
	authority, err := f.Authority()
	if err != nil {
		return inv, err
	}
	ca, err := x509.ParseCertificate(authority.CA())
	if err != nil {
		return inv, err
	}
	own, err := f.Key()
	if err != nil {
		return inv, err
	}
	hub, err := own.PublicKey()
	if err != nil {
		return inv, err
	}
	key, err := nkeys.CreateUser()
	if err != nil {
		return inv, err
	}
	public, err := key.PublicKey()
	if err != nil {
		return inv, err
	}
	seed, err := key.Seed()
	if err != nil {
		return inv, err
	}
	in.Key, in.Expires = public, now.Add(InvitationLife).UTC().Truncate(time.Second)
	if err = f.Members().Change(func(r *members.Roll) error { return r.Invite(in, now) }); err != nil {
		return inv, fmt.Errorf("invite %s: %w", cmp.Or(in.Name, "many"), err)
	}
	return wire.Invitation{Computer: in.Name, Many: in.Many, Addresses: addresses, Pin: wire.PinOf(ca), Hub: hub, Seed: string(seed)}, nil
}
