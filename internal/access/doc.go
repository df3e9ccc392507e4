// Package access knows who may: the paired devices, their roles, and the codes that pair a new one.
//
// It does not know HTTP, cookies or addresses, what a role allows, nor how a device is told anything.
//
//	store, err := access.Open(filepath.Join(state, "devices.json"), time.Now) // err: no file can be kept here at all
//	notice(store.Warning())                // damaged file put aside, another program's file, a disk that takes no changes
//	go store.Run(ctx)                      // writes when devices were last seen, once a minute, and at the end
//	code, err := store.NewCode(access.Arbiter, access.CodeLife)
//	device, secret, err := store.Pair(typed, "Anna's phone") // secret: into the cookie; it is not kept here
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
// At most 5 wrong guesses in any 60 seconds, over all clients together: one attacker has many addresses. A sixth one is
// not looked at, and *TooMany says when the next may be. What that means for the right code:
//
//   - Typed, it is refused as well, and not spent. Otherwise the limit would limit nothing: whoever sends a million
//     guesses a second would still be let in by the right one. With the limit, 16 open codes and a whole day, the
//     chance is 16 · 7200 / 2^40, one in ten million.
//   - From the QR code it always passes. 130 bits cannot be guessed at any speed, so nothing is lost, and nobody on the
//     network can lock the operator out: pointing the camera works however many wrong codes arrive.
//
// A guess that is no code by its form counts like any other. Refused counts all that were refused.
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
