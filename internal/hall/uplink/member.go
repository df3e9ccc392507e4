package uplink

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"boardwatchd/internal/disk"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/secretfile"
)

// A Member is this computer's membership of a hall. It holds a secret.
type Member struct {
	Computer  string   `json:"computer"`
	Addresses []string `json:"addresses"` // host:port
	Pin       []byte   `json:"pin"`       // of the hall's authority
	Hub       string   `json:"hub"`       // public key of the hall
	Seed      string   `json:"seed"`      // of this computer's own key
	Token     string   `json:"token"`     // hash of the token with which it joined
	// Waits is the token with which it asks until a person accepts it, even after the file with the token is gone; "":
	// it does not wait.
	Waits string `json:"waits,omitempty"`
}

// ErrNoMember means that this computer has not joined a hall.
var ErrNoMember = errors.New("this computer has not joined a hall")

// ReadMember reads the file of SaveMember for a computer that has joined.
func ReadMember(path string) (m Member, err error) {
	m, err = ReadAsking(path)
	if err == nil && wire.CheckName(m.Computer) != nil {
		err = damaged(path)
	}
	return m, err
}

func damaged(path string) error {
	return disk.Unusable(path, "notice.because_damaged", "is damaged: join the hall again with a new token")
}

// ReadAsking is ReadMember for a computer that may still wait to be accepted: until then it has no name.
func ReadAsking(path string) (m Member, err error) {
	b, err := os.ReadFile(path)
	if secretfile.Missing(err) {
		return m, ErrNoMember
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil || len(m.Addresses) == 0 || !nkeys.IsValidPublicUserKey(m.Hub) {
		return m, damaged(path)
	}
	return m, nil
}

// SaveMember writes the membership to a file.
func SaveMember(path string, m Member) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return secretfile.Replace(path, append(b, '\n'))
}

// joinTime is how long Join waits for an answer.
const joinTime = 10 * time.Second

// Prepare makes a key for this computer. The caller saves it before Join, because the hall may accept the key and the
// answer be lost.
func Prepare(inv wire.Invitation) (m Member, err error) {
	own, err := nkeys.CreateUser()
	if err != nil {
		return m, err
	}
	seed, err := own.Seed()
	return Member{Computer: inv.Computer, Addresses: inv.Addresses, Pin: inv.Pin, Hub: inv.Hub, Seed: string(seed)}, err
}

// A WaitsError means that the hall has received the request, and that a person has to accept the computer there. People
// compare the code at both ends.
type WaitsError struct{ Code string }

func (e *WaitsError) Error() string {
	return "this computer waits to be accepted at the hall, on its page under Computers; its code is " + e.Code
}

// Join uses an invitation: the hall accepts the computer's key, or has done so before. It returns the computer's name.
// With an invitation for many the error is a WaitsError until a person accepts the computer.
func Join(ctx context.Context, inv wire.Invitation, m Member, host string) (name string, err error) {
	name, err = join(ctx, inv, m, host)
	if err != nil && !inv.Many && Reaches(m) == nil {
		return inv.Computer, nil
	}
	return name, err
}

// ErrOut means that a hall answers and does not let this computer in.
var ErrOut = errors.New("it was revoked there, or another computer has joined under this name")

// Reaches returns nil if the hall of a member answers at its addresses and lets it in, and ErrOut if it does not let it
// in. The error is for people.
func Reaches(m Member) error {
	opts, err := connecting(m.Pin, m.Seed, m.Computer)
	if err != nil {
		return err
	}
	at := strings.Join(Named(m.Addresses), " or ")
	nc, err := nats.Connect(servers(m.Addresses), append(opts, nats.RetryOnFailedConnect(false), nats.NoReconnect(), quiet)...)
	switch {
	case err == nil:
		nc.Close()
		return nil
	case notLetIn(err):
		return fmt.Errorf("the hall at %s does not let this computer in as %s: %w", at, m.Computer, ErrOut)
	}
	return fmt.Errorf("the hall of this computer does not answer at %s, or does not take this computer; is boardwatchd hall running there, and this computer in the same network?", at)
}

// quiet keeps the library from writing to stderr.
var quiet = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

func join(ctx context.Context, inv wire.Invitation, m Member, host string) (name string, err error) {
	public, err := publicOf(m.Seed)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	id, err := publicOf(inv.Seed)
	if err != nil {
		return "", err
	}
	opts, err := connecting(inv.Pin, inv.Seed, id)
	if err != nil {
		return "", err
	}
	opts = append(opts, nats.RetryOnFailedConnect(false), nats.NoReconnect(), quiet)
	once, err := nkeys.FromSeed([]byte(inv.Seed))
	if err != nil {
		return "", err
	}
	msg, err := wire.Sealed(wire.Join(id), wire.JoinBody{Key: public, Host: host}, once)
	if err != nil {
		return "", err
	}
	answer, err := askToJoin(ctx, inv, opts, msg)
	if err != nil {
		return "", cannotJoin(inv, err)
	}
	var a wire.JoinAnswer
	if err := json.Unmarshal(answer.Data, &a); err != nil {
		return "", cannotJoin(inv, err)
	}
	if a.Error != "" {
		return "", &RefusedError{a.Error}
	}
	if a.Waits {
		return "", &WaitsError{wire.CodeOf(public)}
	}
	if inv.Many {
		return a.Name, wire.CheckName(a.Name)
	}
	return inv.Computer, nil
}

// A running hall notices an invitation a moment after it was printed, and its server accepts connections a moment
// before the hall subscribes.
const (
	joinTries = 4
	joinPause = 300 * time.Millisecond
)

// askToJoin repeats the request until there is an answer. The hall answers the same computer again.
func askToJoin(ctx context.Context, inv wire.Invitation, opts []nats.Option, msg *nats.Msg) (answer *nats.Msg, err error) {
	for try := range joinTries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return nil, err
			case <-time.After(joinPause):
			}
		}
		var nc *nats.Conn
		if nc, err = nats.Connect(servers(inv.Addresses), opts...); err != nil {
			if errors.Is(err, wire.ErrPin) {
				return nil, err
			}
			continue // a refused computer gets that error, or a broken connection
		}
		answer, err = nc.RequestMsgWithContext(ctx, msg)
		nc.Close()
		if err == nil {
			return answer, nil
		}
	}
	return nil, err
}

func notLetIn(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || strings.Contains(err.Error(), "Authorization")
}

func cannotJoin(inv wire.Invitation, err error) error {
	switch {
	case errors.Is(err, wire.ErrPin):
		return err
	case notLetIn(err):
		return ErrInvitation
	}
	return &SilentError{inv.Addresses, err}
}

// ErrInvitation means that a hall answers and does not accept the invitation.
var ErrInvitation = errors.New("the hall does not take this invitation: it was used, was replaced, or its time is over; ask for a new one (boardwatchd hall invite)")

// A SilentError means that no hall answers at the addresses of an invitation.
type SilentError struct {
	Addresses []string
	why       error
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("the hall does not answer at %s: %v; is boardwatchd hall running there, and this computer in the same network?",
		strings.Join(Named(e.Addresses), " or "), e.why)
}

func (e *SilentError) Unwrap() error { return e.why }

// A RefusedError is a hall's reason for not accepting a computer.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

func publicOf(seed string) (string, error) {
	key, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return "", err
	}
	return key.PublicKey()
}

// Named are the addresses of a hall that people can use: a token has that of the hall's own computer as well
// (127.0.0.1), which says nothing to them where there are others.
func Named(addresses []string) []string {
	others := slices.DeleteFunc(slices.Clone(addresses), func(a string) bool {
		host, _, _ := net.SplitHostPort(a)
		ip := net.ParseIP(host)
		return ip != nil && ip.IsLoopback()
	})
	if len(others) == 0 {
		return addresses
	}
	return others
}

func servers(addresses []string) string {
	var list []string
	for _, a := range addresses {
		list = append(list, "tls://"+a)
	}
	return strings.Join(list, ",")
}

// connecting are the options of every connection to a hall. The library's defaults are for other networks: it would
// give up after 60 attempts, notice a dead radio after four minutes, and repeat by itself what was written into a dead
// connection.
func connecting(pin []byte, seed, inbox string) ([]nats.Option, error) {
	key, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return nil, err
	}
	public, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	return []nats.Option{
		nats.Nkey(public, key.Sign),
		nats.Secure(wire.Trusting(pin)), nats.TLSHandshakeFirst(),
		nats.CustomInboxPrefix(wire.Inbox(inbox)),
		nats.Timeout(3 * time.Second),
		nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, time.Second),
		nats.RetryOnFailedConnect(true), nats.IgnoreAuthErrorAbort(), nats.IgnoreDiscoveredServers(),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), nats.NoEcho(),
	}, nil
}
