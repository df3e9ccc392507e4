package tables

import (
	"bytes"
	"html/template"
	"io"
	"slices"

	"boardwatchd/internal/pairing"
)

// A SheetRow is a table on the printed sheet.
type SheetRow struct {
	Table, Board, Serial, Computer, Port string
	URL                                  string // of the board's page; "": the board is unknown
	SVG                                  []byte // URL as QR code
}

// A Sheet is the printed sheet: one list, and with Cards a page with a card for each table.
type Sheet struct {
	Lang  string
	Event string
	Rows  []SheetRow
	Cards bool
}

// sheetWords are the words of the sheet.
type sheetWords struct{ Title, Table, Board, Serial, Computer, Port, Scan, None string }

var sheetTexts = map[string]sheetWords{
	"en": {"Tables", "Table", "Board", "Serial number", "Computer", "Port", "This board’s page", "No board is at a table yet."},
	"de": {"Tische", "Tisch", "Brett", "Seriennummer", "Rechner", "Anschluss", "Seite dieses Bretts", "Noch steht kein Brett an einem Tisch."},
	"es": {"Mesas", "Mesa", "Tablero", "Número de serie", "Ordenador", "Puerto", "Página de este tablero", "Todavía no hay ningún tablero en una mesa."},
	"fr": {"Tables", "Table", "Échiquier", "Numéro de série", "Ordinateur", "Port", "Page de cet échiquier", "Aucun échiquier n’est encore à une table."},
	"hi": {"मेज़ें", "मेज़", "बोर्ड", "क्रम संख्या", "कंप्यूटर", "पोर्ट", "इस बोर्ड का पृष्ठ", "अभी किसी मेज़ पर कोई बोर्ड नहीं है।"},
	"ru": {"Столы", "Стол", "Доска", "Серийный номер", "Компьютер", "Порт", "Страница этой доски", "Ни одна доска ещё не стоит за столом."},
}

var sheetPage = template.Must(template.New("sheet").Parse(`<!DOCTYPE html>
<html lang="{{.Lang}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.W.Title}}{{with .Event}} · {{.}}{{end}}</title>
<style>
@page { size: A4; margin: 12mm; }
:root { color-scheme: light; }
body { margin: 1rem auto; padding: 0 .8rem; max-width: 60rem; background: #fff; color: #000; font: 1rem/1.35 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: .2rem 0 .8rem; }
.list { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #767676; text-align: left; vertical-align: middle; overflow-wrap: anywhere; }
tbody th { font-size: 1.5rem; white-space: nowrap; }
tr { break-inside: avoid; }
td.qr { width: 22mm; }
td.qr svg { display: block; width: 20mm; height: 20mm; }
.card { break-before: page; break-inside: avoid; height: 250mm; border: 2px dashed #767676; display: flex; flex-direction: column; justify-content: center; align-items: center; text-align: center; gap: 6mm; margin-top: 1rem; padding: 4mm; box-sizing: border-box; }
.card h2 { font-size: 2rem; margin: 0; font-weight: 600; }
.card .number { font-size: 6rem; line-height: 1; font-weight: 800; overflow-wrap: anywhere; }
.card svg { width: 60mm; height: 60mm; }
.card p { margin: 0; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10.5pt; } .list { overflow: visible; } .card { margin: 0; } }
</style>
</head>
<body>
<main>
<h1>{{.W.Title}}{{with .Event}} · {{.}}{{end}}</h1>
{{if .Rows}}<div class="list" role="region" aria-label="{{.W.Title}}" tabindex="0"><table>
<thead><tr><th scope="col">{{.W.Table}}</th><th scope="col">{{.W.Board}}</th><th scope="col">{{.W.Serial}}</th><th scope="col">{{.W.Computer}}</th><th scope="col">{{.W.Port}}</th><th scope="col">{{.W.Scan}}</th></tr></thead>
<tbody>
{{range .Rows}}<tr><th scope="row">{{or .Table "–"}}</th><td>{{or .Board "–"}}</td><td>{{or .Serial "–"}}</td><td>{{or .Computer "–"}}</td><td>{{or .Port "–"}}</td><td class="qr">{{.Picture}}</td></tr>
{{end}}</tbody>
</table></div>
{{else}}<p>{{.W.None}}</p>
{{end}}{{if .Cards}}{{range .Rows}}{{if .Table}}<section class="card"><h2>{{$.W.Table}}</h2><p class="number">{{.Table}}</p>{{.Picture}}<p>{{$.W.Scan}}</p></section>
{{end}}{{end}}{{end}}</main>
</body>
</html>
`))

type sheetRow struct {
	SheetRow
	label string
}

// Picture is the QR code, with the address as its name.
func (r sheetRow) Picture() template.HTML {
	if len(r.SVG) == 0 {
		return ""
	}
	svg := r.SVG
	if i := bytes.Index(svg, []byte("<svg")); i >= 0 { // without the head of a separate file
		svg = svg[i:]
	}
	label := []byte(`<svg role="img" aria-label="` + template.HTMLEscapeString(r.label+" "+r.Table+": "+r.URL) + `"`)
	return template.HTML(bytes.Replace(svg, []byte("<svg"), label, 1)) // drawn by package qr, of modules only
}

// Write writes the sheet as one complete HTML file.
func (s Sheet) Write(w io.Writer) error {
	words, ok := sheetTexts[s.Lang]
	if !ok {
		s.Lang, words = "en", sheetTexts["en"]
	}
	rows := make([]sheetRow, 0, len(s.Rows))
	for _, r := range s.Rows {
		rows = append(rows, sheetRow{r, words.Table})
	}
	slices.SortStableFunc(rows, func(a, b sheetRow) int {
		if (a.Table == "") != (b.Table == "") { // boards without a table come last
			return len(b.Table) - len(a.Table)
		}
		return pairing.Natural(a.Table, b.Table)
	})
	var b bytes.Buffer
	err := sheetPage.Execute(&b, struct {
		Lang, Event string
		W           sheetWords
		Rows        []sheetRow
		Cards       bool
	}{s.Lang, s.Event, words, rows, s.Cards})
	if err != nil {
		return err
	}
	_, err = b.WriteTo(w)
	return err
}
