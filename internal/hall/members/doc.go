// Package members is the list of the computers of a hall, at the hall: their names and public keys, and the invitations
// that are open.
//
// # What it knows
//
// The file computers.json, which the running hall and the commands hall invite, hall revoke and hall list change, each
// under a lock. It does not know connections.
//
//	list := members.Open(path)
//	roll, err := list.Read()
//	err = list.Change(func(r *members.Roll) error { … })
//
// # Input it must survive
//
// Any bytes in the file: an error that names it. Nothing is overwritten then.
//
// # Compatibility promise
//
// Keys may be added to the file.
package members
