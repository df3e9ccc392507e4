// Package access keeps the access rights: the paired devices, their roles, and the codes that pair a new one.
//
// It does not know HTTP, cookies or addresses (an Origin is any value by which the caller distinguishes clients), the
// rights of a role, nor the ways to reach a device.
//
//	store := access.Open(filepath.Join(state, "devices.json"), time.Now)
//	notice(store.Warning())                // damaged file set aside, another program's file, a failing disk
//	go store.Run(ctx)                      // writes the times of last use, once a minute, and at the end
//	code, err := store.NewCode(access.Arbiter, access.CodeLife)
//	device, secret, err := store.Pair(from, typed, "Anna's phone") // secret: for the cookie; it is not stored here
//	device, ok := store.Check(secret)      // at every request
//	store.CodeOpen(code)                   // false: the code need not be shown any longer
//	<-store.Changed()                      // then Check and Warning again: a device may have been revoked
//	store.Close()                          // after Run has ended
//
// # Secrets
//
// A device's secret is 256 bits of crypto/rand. Only its SHA-256 is kept, in memory and in the file. A slow hash is not
// needed, because it is not a password: 2^256 values cannot be tried. The comparison covers all devices, in constant
// time for each. This package writes no log, and no String or error contains a code, a secret or a push address.
//
// # Codes
//
// A code has two forms. Text, ABCD-EFGH, is typed: 8 symbols of Crockford's base 32, 40 bits. Link goes into the QR
// code, after the # of its address: 26 symbols, 130 bits. Pair accepts either one, in any case, with spaces and dashes
// anywhere, O for 0, I and L for 1. One use makes both invalid. At most 16 are open. They exist in memory only: a
// restart makes them invalid.
//
// # Guessing
//
// Only a typed code can be guessed. Wrong ones are limited three times (guess.go):
//
//   - By origin, which the caller derives from the address: 5 at once, then one a minute. Wrong codes lock typing for
//     the person who types them, and for others with the same address.
//   - Over all origins: 60 at once, then one a second. To exhaust this, and so to lock typing for all, takes 60
//     addresses. It excludes codes typed at the computer itself (ThisComputer), which have the limit of their own
//     origin.
//   - By code: a code that was open while 5,000 wrong ones were checked can only be scanned from then on. In the 10
//     minutes of an ordinary code the limit over all origins lets 660 through.
//
// Beyond a limit a typed code is not checked, and *TooMany gives the time of the next check. The right code is refused
// as well, and stays valid; otherwise the limit would have no effect. The code of the QR code is always accepted: 130
// bits cannot be guessed at any speed, so this is safe, and an attacker on the network cannot lock the operator out.
// Input without the form of a typed code cannot be right, and is not counted. Refused counts all refusals.
//
// The arithmetic: a typed code is 8 symbols of 32, 2^40 codes, of which at most 16 are open. Over all addresses an hour
// has 3,600 guesses, and 60 at this computer; a day with both bursts 87,905. The chance that one of them hits an open
// code is 16 · 87,905 / 2^40, one in 780,000 a day, with hundreds of addresses that guess all day, and 16 codes that
// are renewed whenever they have faced 5,000. One code, open for any time, is hit with 5,000 / 2^40, one in 220
// million; one address alone, with 1,445 guesses a day, hits one of 16 in 48 million days.
//
// # The file
//
// JSON with "version": 1, mode 0600; see file.go. Every change writes it anew: temporary file, fsync, rename, fsync of
// the directory. A change is in force at once; if it cannot be written, the error is ErrNotSaved (Pair reports it only
// through Warning, because the phone works), and Flush tries again. The time of last use is written with other changes
// and by Flush. A file that cannot be understood is renamed to devices.json.damaged-TIME, and the store begins empty:
// every phone has to be paired again, and boards are watched meanwhile.
//
// Where a failing disk keeps the list of an earlier run from being read, the store is opened on another file and is
// Unread: an unknown device may still be a paired one, and is not let in. When the list can be read, Merge adds its
// devices to those that were paired meanwhile (merge.go).
//
// One program owns the file: it has the lock of devices.json.lock from Open to Close, and the kernel frees it when the
// program ends without Close. A second program on the same file, a simulation beside the event for example, is Shared:
// it knows the devices as they were when it started, writes nothing, and reports that in Warning. Its changes are in
// force in it until it ends, and it does not learn of later changes by the first one. It does not take over when the
// first one ends. Without locks in the file system, two programs do not notice each other.
//
// # Input it must survive
//
// Codes, names, board names and push subscriptions may be any text; the file may contain any bytes (4 MiB are read). A
// name loses control characters, bidirectional overrides and other invisible ones, has at most 40 characters, and is
// "Phone" if nothing is left. It is still plain text: the caller escapes it for display.
//
// # Limits
//
// 256 devices; then the caller must revoke one. Check takes 0.4 µs with 3 devices and 10 µs with 256, and never touches
// the disk (go test -bench . ./internal/access).
//
// # Compatibility promise
//
// A later version reads every file with "version": 1. Keys are only added.
package access
