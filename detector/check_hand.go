package detector

// The clock was pressed with a piece in the hand (FIDE Laws 6.2.1, 6.2.4): lifted and not put, or a castling or a
// promotion of which one piece is missing. While there is time the hand may still put it down.
//
// Innocent look-alikes: the piece is reported on its square within one scan of the press.
