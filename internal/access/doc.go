// Package access knows who may: the paired devices, their roles, and the codes that pair a new one.
//
// It does not know HTTP, cookies or addresses (an Origin is whatever the caller tells apart), what a role allows, nor how a
// device hears of anything.
//
//	store, err := access.Open(filepath.Join(state, "devices.json"), time.Now) // err: no file can be kept here at all
//	notice(store.Warning())                // damaged file put aside, another program's file, a disk that takes no changes
//	go store.Run(ctx)                      // writes when devices were last seen, once a minute, and at the end
//	code, err := store.NewCode(access.Arbiter, access.CodeLife)
//	device, secret, err := store.Pair(from, typed, "Anna's phone") // secret: into the cookie; it is not kept here
//	device, ok := store.Check(secret)      // at every request
//	store.CodeOpen(code)                   // false: what shows the code may be put away
//	<-store.Changed()                      // then Check and Warning again: a device may have been revoked
//	store.Close()                          // after Run has ended
//
// # Secrets
//
// A device's secret is 256 bits of crypto/rand. Only its SHA-256 is kept, in memory and in the file. That is enough
// without a slow hash, because it is no password: nobody can try 2^256. Comparing goes over all devices, in constant
// time for each. Nothing here writes a log, and no String or error holds a code, a secret or a push address.
//
// # Codes
//
// A code has two forms. Text, ABCD-EFGH, is typed: 8 symbols of Crockford's base 32, 40 bits. Link goes into the QR
// code, behind the # of its address: 26 symbols, 130 bits. Pair takes either one, in any case, with spaces and dashes
// anywhere, O for 0, I and L for 1. One use spends both. At most 16 are open. They live in memory only: a restart makes
// them void.
//
// # Guessing
//
// Only a typed code can be guessed. Wrong ones are limited three times (guess.go):
//
//   - By origin, which the caller makes of the address: 5 at once, then one a minute. Somebody who types wrong codes locks
//     typing for himself, and for those who share his address.
//   - Over all origins: 60 at once, then one a second. To keep this used up, and so to lock typing for all, takes 60
//     addresses. It is not for codes typed at the computer itself (ThisComputer), which have the limit of their own origin.
//   - By code: one that was open while 5,000 wrong ones were looked at can only be scanned from then on. In the 10 minutes
//     of an ordinary code the ceiling lets 660 through.
//
// Beyond a limit a typed code is not looked at, and *TooMany says when the next one may be. The right code is refused as
// well, and not spent; otherwise the limit would limit nothing. From the QR code it always passes: 130 bits cannot be
// guessed at any speed, so nothing is lost, and nobody on the network can lock the operator out. What has the form of no
// typed code could hit nothing, and is not counted. Refused counts all that were refused.
//
// The arithmetic: a typed code is 8 symbols of 32, 2^40 codes, of which at most 16 are open. Over all addresses an hour has
// 3,600 guesses, and 60 at this computer; a day with both bursts 87,905. The chance that one of them hits an open code is
// 16 · 87,905 / 2^40, one in 780,000 a day, with hundreds of addresses that guess all day, and 16 codes that are opened anew
// whenever they have faced 5,000. One code, however long it is open, is hit with 5,000 / 2^40, one in 220 million; one
// address alone, with 1,445 guesses a day, hits one of 16 in 48 million days.
//
// # The file
//
// JSON with "version": 1, mode 0600; see file.go. Every change writes it anew: temporary file, fsync, rename, fsync of
// the directory. A change is in force at once; if the disk does not take it, the error is ErrNotSaved (Pair says it
// through Warning only, because the phone works), and Flush tries again. When a device was last seen is written along
// with other changes and by Flush. A file that cannot be understood is renamed to devices.json.damaged-TIME, and the
// store begins empty: every phone has to be paired again, and boards are watched meanwhile.
//
// One program owns the file: it has the lock of devices.json.lock from Open to Close, and the kernel frees it when the
// program ends without Close. A second program on the same file, a simulation beside the event for example, is Shared: it
// knows the devices as they were when it started, writes nothing, and says so in Warning. What is changed there is in force
// there until it ends, and what the first one changes later it does not hear of. It does not take over when the first one
// ends. Where the file system has no locks, two programs are not told apart.
//
// # Input it must survive
//
// Codes, names, board names and push subscriptions are anybody's text; the file may hold any bytes (4 MiB are read). A
// name loses control characters, bidirectional overrides and other invisible ones, has at most 40 characters, and is
// "Phone" where nothing is left. It still is text: whoever shows it escapes it.
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
