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

// Invite opens an invitation for a computer, or with an empty name one for many. The hall need not run.
func (f Files) Invite(computer string, addresses []string, now time.Time) (inv wire.Invitation, err error) {
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
	err = f.Members().Change(func(r *members.Roll) error {
		return r.Invite(members.Invitation{Name: computer, Key: public, Many: computer == "", Expires: now.Add(InvitationLife).UTC().Truncate(time.Second)}, now)
	})
	if err != nil {
		return inv, fmt.Errorf("invite %s: %w", cmp.Or(computer, "many"), err)
	}
	return wire.Invitation{Computer: computer, Many: computer == "", Addresses: addresses, Pin: wire.PinOf(ca), Hub: hub, Seed: string(seed)}, nil
}
