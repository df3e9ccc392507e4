package wire

import (
	"fmt"
	"strings"
)

// Stream is the name of the stream that the chunks of all boards are in.
const Stream = "BOARDS"

// StreamSubjects are those of the stream.
const StreamSubjects = "bw.rec.*.*"

// Probe is the hall's own subject in the stream: no computer has such a name.
const Probe = "bw.rec.=.probe"

// Beats are the beats of all computers.
const Beats = "bw.beat.*"

// Joins are the requests of all invitations.
const Joins = "bw.join.*"

// List is where programs on the hall's own computer ask for the operator's list. No computer may publish there.
const List = "bw.list"

// Records is the subject of a board's chunks.
func Records(computer, board string) string { return "bw.rec." + computer + "." + token(board) }

// Puts and Lasts are what all computers send about chunks. The stream's own subjects, and JetStream's, belong to the
// hall alone: whoever may publish there chooses where JetStream answers, and it may publish everywhere.
const (
	Puts  = "bw.put.*.*"
	Lasts = "bw.last.*.*"
)

// Put is the subject on which a computer brings a chunk of a board.
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

// Answerable says whether a reply goes to a computer's, or an invitation's, own inbox.
func Answerable(reply, name string) bool { return strings.HasPrefix(reply, Inbox(name)+".") }

// Beat is the subject on which a computer says how it is.
func Beat(computer string) string { return "bw.beat." + computer }

// Ask is the subject on which the hall asks a computer.
func Ask(computer string) string { return "bw.ask." + computer }

// Join is the subject on which the holder of an invitation sends its key.
func Join(invitation string) string { return "bw.join." + invitation }

// Inbox begins the subjects on which a computer gets answers.
func Inbox(computer string) string { return "_INBOX." + computer }

// A Permissions lists the subjects on which a client of the hall may publish and to which it may subscribe.
type Permissions struct {
	Publish, Subscribe []string
	Answers            bool // each question once, wherever the answer is to go
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

// Sender is the computer of a subject that begins with bw; "" of another.
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

// A NameError says why a computer cannot be called so.
type NameError string

func (e NameError) Error() string { return string(e) }

// CheckName says why a computer cannot be called so: the name is a part of subjects and the name of a directory.
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
