// Package qr shows a text as a QR code: on a terminal, as SVG, and on a page to be printed and pinned to the arbiters'
// table. The code itself is made by rsc.io/qr.
//
// It does not know the meaning of the text; only Page knows that a phone is to be paired. It writes no log: a pairing
// link is a secret.
//
//	code, err := qr.New("http://192.168.1.10:8160/#…")
//	err = code.Terminal(os.Stdout, ascii)     // only where standard output is a terminal
//	svg := code.SVG()                         // into a page, or as image/svg+xml
//	err = qr.Page(w, qr.PageData{URL: …})     // one HTML file, no script; PageCSP is its policy
//
// # How it is drawn
//
// ISO/IEC 18004 wants dark modules on light ground and a quiet zone of 4 modules. Terminals are dark or light, and many
// scanners do not read an inverted code, so both colours are set explicitly in every cell: black on white whatever the
// terminal's own colours are. That is no decoration, so NO_COLOR does not apply. Where escape sequences would not be
// understood (TERM=dumb, a file, the system's log) the caller prints the address and the code instead.
//
//   - Terminal with half blocks: one column and half a line for each module, quiet zone 4. A link of 60 bytes takes 41
//     columns and 21 lines, so it fits 80 x 24. Colours 16 and 231 of the 256, which no theme changes.
//   - Terminal in ASCII: ## for dark, two spaces for light, with the 16 colours that a serial console knows. The quiet
//     zone is 2 modules, or a link of 60 bytes would not fit 80 columns; cameras read that as a rule, and the code can
//     be typed. It takes 74 columns and 37 lines.
//   - SVG: one path on a white ground, quiet zone 4, a title for screen readers that does not hold the text.
//
// Error correction is M, or better where the same size has room for it.
//
// # Limits
//
// Texts of 1 to 500 bytes: a longer one makes a code that a phone cannot read from a terminal. Any bytes are accepted.
package qr
