// Package doctor looks for what would stop boardwatchd from working on this
// computer, and for what would stop a phone from reaching the arbiter's page.
//
//	lines := doctor.Examine(ctx, doctor.ThisComputer(), doctor.Subject{Config: conf, …})
//	doctor.Text(os.Stdout, lines, doctor.Style{})
//
// It knows where a Linux computer tells such things, and the remedy for each.
// It does not know what the daemon does with what it finds, and it changes
// nothing: no port is opened that another program could miss, no file is
// written, no firewall touched. Two things are noticed outside: a free port of
// the page is listened on for the length of the check, and the hosts of the
// channels are asked for their first page, without a secret.
//
// Every check is a function in the table of Examine. It asks a Computer, whose
// fields are the sources; tests give it a tree of files and functions of their
// own. What a source cannot tell (no right, no systemd, not this kernel) is
// left out or said as such: a check never fails for that.
//
// What cannot be seen from one computer is said with the way to try it: an
// access point that keeps its clients from one another.
//
// # Limits
//
// Everything together takes at most about 15 s (3 s for each network wait, the
// channels at the same time). Files are read up to 1 MiB. No secret is
// shown: a token's file is read to see that it holds one, the authority's key
// is not opened, and of an address only scheme and host are shown.
package doctor
