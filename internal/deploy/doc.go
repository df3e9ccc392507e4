// Package deploy tests the files of deploy/systemd: the unit with systemd's
// own tools where they are installed, and the udev rules for their form.
//
// It has no code. It does not know what the program does with a port or with a
// signal; the names that both sides must agree on (USB numbers, the state
// directory) are compared here.
package deploy
