// Package members is the hall's list of its computers: their names and public keys, and the open invitations.
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
// Any bytes in the file: the error names the file, and the file is not overwritten.
//
// # Compatibility promise
//
// Keys may be added to the file.
package members
