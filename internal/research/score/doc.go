// Package score measures a detector of two hands on labelled data: its rates of detection and of false alarms, whether
// its confidence is right, and the largest likelihood ratio that the data can support. The laboratory (boardwatchd lab)
// and the tests of the model use it.
//
// It knows counts only, neither boards nor hands nor the origin of the labels. The caller must ensure that nothing is
// scored on the data that it was fitted to (timing notes, 4.3).
//
// Intervals are Clopper and Pearson's, which are never too narrow; at the sizes of the laboratory (some hundred cases)
// they are wide, as they should be. Without any count the interval is 0 to 1.
//
// Source: timing notes, section 4.
package score
