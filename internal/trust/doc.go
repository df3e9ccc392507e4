// Package trust is the event's own certificate authority: it makes https possible in a hall without a public name.
//
// A browser gives notifications, a wake lock and installing only to a secure context, and on a LAN that is https with
// an authority the phone trusts. The package makes that authority, the server's certificate, and the forms in which a
// phone can install the authority. It does not know HTTP, the page that explains the trust step, nor the addresses of
// the machine.
//
//	a, err := trust.Open(filepath.Join(state, "tls"), []string{"hall.local"}, addresses, time.Now)
//	server.TLSConfig = &tls.Config{GetCertificate: a.Certificate, MinVersion: tls.VersionTLS12}
//	notice(a.Warning())       // now and then: information for the operator
//	a.Update(names, addresses) // whenever the machine's addresses have changed
//
// # The authority
//
// ECDSA on P-256, made at the first start: ca.key (PKCS #8) and ca.crt, both PEM and 0600, in a directory 0700. Each
// installation has its own; the key never leaves the machine, and nothing in the program can export it. It may sign
// only for names and addresses in a hall. Critical name constraints (RFC 5280 4.2.1.10) permit
//
//   - names below local, lan, home.arpa and localhost, and the names given to Open when it was made;
//   - addresses in 10/8, 172.16/12, 192.168/16, 169.254/16, 100.64/10, 127/8, fc00::/7, fe80::/10 and ::1;
//
// pathlen is 0, and the use is serverAuth. A thief of the key could not pose as a bank to a phone that trusts the
// authority: Go (tested here), OpenSSL 3.0 and Chromium 156 (tried by hand) refuse that certificate. Constraints are
// written without a leading dot, as the RFC has them for DNS: "local" is local and everything below it.
//
// # Validity
//
// The authority holds one year. With less than 30 days left, Open issues it again with the same key and the same name,
// and Warning says that phones have to trust it again: they accept the old one until it ends, so there are 30 days in
// which to do that. One that has ended is issued again by Certificate as well. The server's certificate holds 90 days
// at most, is renewed 30 days before its end, and is never stored. Both begin a day early: phones' clocks differ.
//
// A name or address outside the constraints is left out of the certificate, because a single one makes browsers refuse
// the whole certificate, and Warning reports it. The authority is not replaced for it: in the middle of an event every
// phone would have to trust the new one.
//
// # Input it must survive
//
// Invalid bytes in the two files give an error that names the file and the remedy; nothing is repaired or overwritten.
// A clock earlier than the date of the program (a machine without a battery) is an error as well, as certificates made
// then would never be valid. Names from outside are checked as host names; invalid ones are left out and reported.
//
// # Limits
//
// A certificate has at most 50 names and 50 addresses. Making one takes 0.3 ms, Certificate otherwise 0.3 µs
// (go test -bench . ./internal/trust).
//
// # Compatibility promise
//
// A later version reads these two files.
package trust
