// Package score says what a detector of two hands is worth on labelled data: how many it finds at which price, whether its confidence
// comes true, and how large a likelihood ratio the data can support. The laboratory (boardwatchd lab) and the tests of the model use it.
//
// It knows counts only, neither boards nor hands nor where the labels come from. The caller must see to it that nothing is scored on what
// it was fitted to (timing notes, 4.3).
//
// Intervals are Clopper and Pearson's, which are never too narrow; at the sizes of the laboratory (some hundred cases) they are wide, and
// that is the message. Where nothing was counted the interval is 0 to 1.
//
// Source: timing notes, section 4.
package score
