// Package doctor looks for problems that stop boardwatchd from working on this computer, or a phone from reaching the
// arbiter's page.
//
//	lines := doctor.Examine(ctx, doctor.ThisComputer(), doctor.Subject{Config: conf, …})
//	doctor.Text(os.Stdout, lines, doctor.Style{})
//
// It knows the sources of such facts on a Linux computer, and the remedy for each. It does not know how the daemon
// works, and it changes nothing: no port is opened that another program could miss, no file is written over, no
// firewall touched. Three actions are visible from outside: it makes a file in each directory that the program writes
// in and removes it, listens on a free port of the page for the length of the check, and requests the first page of
// the channels' hosts, without a secret.
//
// Every check is a function in the table of Examine. It reads from a Computer, whose fields are the sources; tests give
// it a tree of files and functions of their own. Facts that a source cannot give (no right, no systemd, not this
// kernel) are left out or reported as unknown: a check never fails for that.
//
// Conditions that one computer cannot check are reported with a way to test them: for instance an access point that
// isolates its clients.
//
// # Limits
//
// Everything together takes at most about 15 s (3 s for each network wait, the channels at the same time). Files are
// read up to 1 MiB. No secret is shown: a token's file is read to check that it contains one, the authority's key is
// not opened, and of an address only scheme and host are shown.
package doctor
