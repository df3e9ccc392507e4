// Command boardwatchd watches tournament chess boards. See README.md, or boardwatchd help.
//
// It knows flags, standard streams and exit statuses, and which room of the project a command calls; each command has a
// file of its name. It does not know chess, the wire, files of journals or HTTP. What a command prints on standard
// output is its result; everything else goes to standard error.
//
// Exit statuses: 0 done; 1 failed; 2 wrong usage or configuration; verify also 3 damaged, 4 written by another core
// revision and different, 5 different.
package main
