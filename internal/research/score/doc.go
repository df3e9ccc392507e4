// Package score says what a detector of two hands is worth on labelled data: how many it finds at which price, whether
// its confidence comes true, and how large a likelihood ratio the data can support. It is used by the laboratory
// (boardwatchd lab) and by the tests of the model, on recorded hands and on generated ones alike.
//
// # What it knows, and what it does not
//
// It knows cases: a score, in nats, and a label. It knows neither boards nor hands nor where the labels come from. The
// caller must see to it that nothing is scored on what it was fitted to (timing notes, 4.3): split by person and board,
// and publish what an independent population gives.
//
// # The caller's loop
//
//	var cases []score.Case
//	for … { cases = append(cases, score.Case{LLR: nats, Two: label, Silent: abstained}) }
//	curve := score.NewCurve(cases)
//	curve.At(0.001)                                   // detection at one false alarm per 1,000, with its interval
//	score.Earned(curve.Over(advisory))                // the likelihood ratio that may be claimed
//	score.Reliability(cases, prior, cap)              // does what is stated come true
//	plot := score.ROC("…", series…); plot.Write(w)    // SVG
//
// # Exactness
//
// Intervals are Clopper and Pearson's, which are never too narrow; at the sizes of the laboratory (some hundred cases)
// they are wide, and that is the message. Where nothing was counted the interval is 0 to 1.
//
// Source: timing notes, section 4.
package score
