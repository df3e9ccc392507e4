package daemon

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
)

// This file is about what makes a computer one of a hall: the token, and the files that it leaves. The running program
// and the command join use it alike.

// An OtherHallError says that a computer belongs to another hall than that of a token, and would leave it; or that it
// would get another name in its own.
type OtherHallError struct {
	Was  uplink.Member
	Name string // that the token gives in the same hall; "": it is of another hall
}

func (e *OtherHallError) Error() string {
	if e.Name != "" {
		return fmt.Sprintf("this computer is %s of this hall already, and would be %s", e.Was.Computer, e.Name)
	}
	return fmt.Sprintf("this computer is %s of another hall, at %s, and would leave it", e.Was.Computer, strings.Join(e.Was.Addresses, " or "))
}

// JoinHall makes this computer one of a hall, by a token or the path of a file with one. Replace lets it leave another
// hall for that, or the name under which its hall lets it in; without it the error is an OtherHallError.
func JoinHall(ctx context.Context, state, token string, replace bool) (uplink.Member, error) {
	text, err := readToken(token)
	if err != nil {
		return uplink.Member{}, err
	}
	inv, err := wire.ReadToken(text)
	if err != nil {
		return uplink.Member{}, err
	}
	file := MemberFile(state)
	was, err := uplink.ReadMember(file)
	other := err == nil && was.Hub != inv.Hub
	if err == nil && !replace {
		if other {
			return uplink.Member{}, &OtherHallError{Was: was}
		}
		if renames(was, inv) {
			return uplink.Member{}, &OtherHallError{was, inv.Computer}
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return uplink.Member{}, err
	}
	who, err := keyFor(askingFile(file), inv, text)
	if err != nil {
		return who, err
	}
	host, _ := os.Hostname() // without one the code has to do
	who.Computer, err = uplink.Join(ctx, inv, who, host)
	if waits := (*uplink.WaitsError)(nil); errors.As(err, &waits) && who.Waits != text {
		who.Waits = text
		return who, cmp.Or(uplink.SaveMember(askingFile(file), who), err)
	}
	if err != nil {
		return who, err
	}
	who.Waits = ""
	if err := uplink.SaveMember(file, who); err != nil {
		return who, err
	}
	if err := os.Remove(askingFile(file)); err != nil {
		return who, err
	}
	if other { // its channels, with their secrets
		return who, removed(standbyFile(state))
	}
	return who, nil
}

// renames says whether a token gives another name to a computer that its hall lets in.
func renames(was uplink.Member, inv wire.Invitation) bool {
	was.Addresses = inv.Addresses // those of now
	return inv.Computer != "" && inv.Computer != was.Computer && uplink.Reaches(was) == nil
}

// JoinedAs says whether this computer is in a hall by now with the key with which it asked: run asks with the token that a
// command asks with, and may have had the answer.
func JoinedAs(state string, asked uplink.Member) (uplink.Member, bool) {
	who, err := uplink.ReadMember(MemberFile(state))
	return who, err == nil && asked.Seed != "" && who.Seed == asked.Seed
}

// forget takes away what made a computer one of a hall, or let it ask. Card is the path of a token on its card, "" where
// there is none: that one is not used again by itself.
func forget(state, card string) error {
	file := MemberFile(state)
	mark := removed(askingFile(file))
	if text, err := readToken(card); card != "" && err == nil {
		if inv, err := wire.ReadToken(text); err == nil {
			mark = uplink.SaveMember(askingFile(file), uplink.Member{Hub: inv.Hub, Addresses: inv.Addresses, Token: tokenPrint(text)})
		}
	}
	return errors.Join(mark, removed(standbyFile(state)), removed(file))
}

// wasLeft says whether the token on the card is one that was there when this computer left its hall.
func wasLeft(member, card string) bool {
	who, err := uplink.ReadAsking(askingFile(member))
	text, terr := readToken(card)
	return err == nil && terr == nil && who.Seed == "" && who.Token == tokenPrint(text)
}

func removed(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// askingFile is what a computer keeps that has asked to join, beside the file of one that has joined.
func askingFile(member string) string { return filepath.Join(filepath.Dir(member), "joining.json") }

// keyFor is what this computer asks with, and is kept before it asks. The key of an earlier attempt at the same hall is
// used again: the hall may have it, because the answer was lost, or because a person has accepted it. What this
// computer waits with is kept likewise.
func keyFor(file string, inv wire.Invitation, text string) (uplink.Member, error) {
	who, err := uplink.Prepare(inv)
	if err != nil {
		return who, err
	}
	who.Token = tokenPrint(text)
	was, err := uplink.ReadAsking(file)
	if err == nil && was.Hub == inv.Hub && was.Seed != "" {
		who.Seed, who.Waits = was.Seed, was.Waits
		if was.Token == who.Token {
			return who, nil
		}
	}
	return who, uplink.SaveMember(file, who)
}

// waitingToken is the token with which this computer waits to be accepted; empty: it does not wait.
func waitingToken(member string) string {
	who, _ := uplink.ReadAsking(askingFile(member)) // one that cannot be read says nothing
	return who.Waits
}

// readToken returns the token itself.
func readToken(token string) (string, error) {
	if !filepath.IsAbs(token) {
		return token, nil
	}
	b, err := os.ReadFile(token)
	if err != nil {
		return "", fmt.Errorf("the token of the hall: %w", err)
	}
	return wire.TokenIn(string(b)), nil
}

// CheckToken says why nobody can join with a token, or with that in a file of this path, or nil.
func CheckToken(token string) error {
	text, err := readToken(token)
	if err == nil {
		_, err = wire.ReadToken(text)
	}
	return err
}

// tokenPrint tells tokens apart without keeping the secret.
func tokenPrint(text string) string {
	sum := sha256.Sum256([]byte(wire.TokenIn(text)))
	return hex.EncodeToString(sum[:8])
}

// MoveHall says where the hall of this computer is from now on. Nothing is changed where it does not answer there.
func MoveHall(state string, addresses []string) (uplink.Member, error) {
	who, err := uplink.ReadMember(MemberFile(state))
	if err != nil {
		return who, err
	}
	who.Addresses = addresses
	if err := uplink.Reaches(who); err != nil {
		return who, err
	}
	return who, uplink.SaveMember(MemberFile(state), who)
}
