// Package array knows the arrays that a game begins with, orthodox and Chess960, and the errors of a set-up that is
// nearly one of them (FIDE Laws 2.3, 7.2.1).
package array
