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

// This file is about joining a hall: the token, and the files that are kept. The running program and the command join
// use it alike.

// An OtherHallError means that the token would make a computer leave its hall for another one, or give it another name
// in its own hall.
type OtherHallError struct {
	Was  uplink.Member
	Name string // its name by the token, in the same hall; "": the token is of another hall
}

func (e *OtherHallError) Error() string {
	if e.Name != "" {
		return fmt.Sprintf("this computer is %s of this hall already, and would be %s", e.Was.Computer, e.Name)
	}
	return fmt.Sprintf("this computer is %s of another hall, at %s, and would leave it", e.Was.Computer, strings.Join(uplink.Named(e.Was.Addresses), " or "))
}

// JoinHall makes this computer a member of a hall, by a token or the path of a file with a token. With replace it may
// leave another hall, or change its name in its hall; without it that is an OtherHallError.
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
	host, _ := os.Hostname() // without it the code has to do
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
	if other { // the earlier hall's channels, with their secrets
		return who, removed(standbyFile(state))
	}
	return who, nil
}

// renames reports whether a token gives another name to a computer that its hall lets in.
func renames(was uplink.Member, inv wire.Invitation) bool {
	was.Addresses = inv.Addresses // the current ones
	return inv.Computer != "" && inv.Computer != was.Computer && uplink.Reaches(was) == nil
}

// JoinedAs reports whether this computer has joined a hall with the key of its request. The running program may use the
// same token as a command, and may have received the answer.
func JoinedAs(state string, asked uplink.Member) (uplink.Member, bool) {
	who, err := uplink.ReadMember(MemberFile(state))
	return who, err == nil && asked.Seed != "" && who.Seed == asked.Seed
}

// removeMembership removes the files of a membership, or of a request to join. Card is the path of the token on the
// computer's card, "" if there is none: that token is not used again by itself.
func removeMembership(state, card string) error {
	file := MemberFile(state)
	mark := removed(askingFile(file))
	if text, err := readToken(card); card != "" && err == nil {
		if inv, err := wire.ReadToken(text); err == nil {
			mark = uplink.SaveMember(askingFile(file), uplink.Member{Hub: inv.Hub, Addresses: inv.Addresses, Token: tokenPrint(text)})
		}
	}
	return errors.Join(mark, removed(standbyFile(state)), removed(file))
}

// wasLeft reports whether the token on the card was there when this computer left its hall.
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

// askingFile is the file of a computer that has asked to join, beside the file of one that has joined.
func askingFile(member string) string { return filepath.Join(filepath.Dir(member), "joining.json") }

// keyFor returns the key of this computer's request, and saves it first. The key of an earlier request to the same hall
// is used again: the hall may have it, because the answer was lost or because a person has accepted it. The token of
// the request is saved as well.
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
	who, _ := uplink.ReadAsking(askingFile(member)) // an unreadable one counts as none
	return who.Waits
}

// readToken returns the text of a token, from the argument or from the file that it names.
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

// CheckToken returns why a token, or the token in the file of that path, cannot be used to join.
func CheckToken(token string) error {
	text, err := readToken(token)
	if err == nil {
		_, err = wire.ReadToken(text)
	}
	return err
}

// tokenPrint identifies a token without its secret.
func tokenPrint(text string) string {
	sum := sha256.Sum256([]byte(wire.TokenIn(text)))
	return hex.EncodeToString(sum[:8])
}

// MoveHall changes the address of this computer's hall. Nothing is changed if the hall does not answer there.
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
