package wire

import (
	"fmt"
	"strings"
)

// Stream is the name of the stream with the chunks of all boards.
const Stream = "BOARDS"

// StreamSubjects are those of the stream.
const StreamSubjects = "bw.rec.*.*"

// Probe is the hall's own subject in the stream: no computer can have the name in it.
const Probe = "bw.rec.=.probe"

// Beats are the beats of all computers.
const Beats = "bw.beat.*"

// Joins are the requests of all invitations.
const Joins = "bw.join.*"

// List is the subject on which programs on the hall's own computer request the operator's list. No computer may publish
// there.
const List = "bw.list"

// Records is the subject of a board's chunks.
func Records(computer, board string) string { return "bw.rec." + computer + "." + token(board) }

// Puts and Lasts are the subjects on which computers send and ask for chunks. The stream's own subjects, and
// JetStream's, belong to the hall alone: a client that publishes there chooses where JetStream answers, and JetStream
// may publish everywhere.
const (
	Puts  = "bw.put.*.*"
	Lasts = "bw.last.*.*"
)

// Put is the subject on which a computer sends a chunk of a board.
func Put(computer, board string) string { return "bw.put." + computer + "." + token(board) }

// Last is the subject on which a computer asks for the last chunk of a board.
func Last(computer, board string) string { return "bw.last." + computer + "." + token(board) }

// RecordsOf is the subject of the chunks that a Put or Last is about.
func RecordsOf(subject string) string {
	_, about, _ := strings.Cut(strings.TrimPrefix(subject, "bw."), ".")
	return "bw.rec." + about
}

// BoardOf is the board of a Put or Last; "" of another subject.
func BoardOf(subject string) string {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 || parts[0] != "bw" {
		return ""
	}
	board, err := untoken(parts[3])
	if err != nil {
		return ""
	}
	return board
}

// LastOf asks JetStream for the last chunk of a subject.
func LastOf(records string) string { return "$JS.API.DIRECT.GET." + Stream + "." + records }

// RepliesToOwnInbox reports whether a reply goes to the own inbox of a computer, or of an invitation.
func RepliesToOwnInbox(reply, name string) bool { return strings.HasPrefix(reply, Inbox(name)+".") }

// Beat is the subject on which a computer reports its state.
func Beat(computer string) string { return "bw.beat." + computer }

// Ask is the subject of the hall's questions to a computer.
func Ask(computer string) string { return "bw.ask." + computer }

// Join is the subject on which the holder of an invitation sends its key.
func Join(invitation string) string { return "bw.join." + invitation }

// Inbox begins the subjects on which a computer gets answers.
func Inbox(computer string) string { return "_INBOX." + computer }

// A Permissions lists the subjects on which a client of the hall may publish and to which it may subscribe.
type Permissions struct {
	Publish, Subscribe []string
	Answers            bool // it may answer each question once, on any subject
}

// ComputerPermissions are the permissions of a computer that has joined.
func ComputerPermissions(name string) Permissions {
	return Permissions{
		Publish:   []string{Put(name, "") + "*", Beat(name), Last(name, "") + "*"},
		Subscribe: []string{Ask(name), Inbox(name) + ".>"}, Answers: true,
	}
}

// InvitationPermissions are the permissions of the holder of an invitation.
func InvitationPermissions(key string) Permissions {
	return Permissions{Publish: []string{Join(key)}, Subscribe: []string{Inbox(key) + ".>"}}
}

// Sender is the computer in a subject that begins with bw; "" for another subject.
func Sender(subject string) string {
	parts := strings.Split(subject, ".")
	if len(parts) < 3 || parts[0] != "bw" {
		return ""
	}
	return parts[2]
}

// token writes a name as one part of a subject.
func token(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func plain(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_'
}

// maxName is the greatest length of a computer's name.
const maxName = 40

// A NameError is the reason why a computer cannot have a name.
type NameError string

func (e NameError) Error() string { return string(e) }

// CheckName reports why a computer cannot have a name: it is a part of subjects and the name of a directory.
func CheckName(name string) error {
	if name == "" || len(name) > maxName {
		return NameError(fmt.Sprintf("a computer's name has 1 to %d letters, digits, - and _", maxName))
	}
	for _, c := range []byte(name) {
		if !plain(c) {
			return NameError("a computer's name is made of letters, digits, - and _, like table-7")
		}
	}
	return nil
}
