// Package deploy tests the files of deploy: the units with systemd's own tools
// where they are installed, the udev rules for their form, the configurations of
// the package, and that its scripts can be read by a shell. What the scripts do is
// tried by deploy/package/try, with root's rights in a Debian system of its own.
//
// It has no code. It does not know what the program does with a port or with a
// signal; the names that both sides must agree on (USB numbers, the state
// directory) are compared here.
package deploy
