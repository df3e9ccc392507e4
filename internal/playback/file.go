package playback

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"

	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// fileModule is the module that opens a file.
const fileModule = "replayfile.js"

// gameEntry is a game in the list of a file. Its events are in a block of their own, which is parsed when the game is
// opened.
type gameEntry struct {
	Game   int    `json:"game"`
	White  string `json:"white"`
	Black  string `json:"black"`
	Result string `json:"result"`
	Plies  int    `json:"plies"`
}

// listed is a recording in the list of a file.
type listed struct {
	*Recording
	Games []gameEntry `json:"games"`
}

// WriteFile writes recordings as one complete HTML file, which needs no server and no network. Its policy allows its
// own script only, and no loading.
func WriteFile(w io.Writer, recordings []*Recording) error {
	script, err := page.Bundle(fileModule)
	if err != nil {
		return err
	}
	var style []byte
	for _, name := range [...]string{"style.css", "replay.css"} {
		b, err := fs.ReadFile(page.FS(), name)
		if err != nil {
			return err
		}
		style = append(style, b...)
	}
	out := bufio.NewWriter(w)
	script = append([]byte("\n"), script...)
	fmt.Fprintf(out, head, hash(script), hash(style), html.EscapeString(titleOf(recordings)), style)
	index := make([]listed, len(recordings))
	for i, r := range recordings {
		l := listed{r, make([]gameEntry, len(r.Games))}
		for k, g := range r.Games {
			l.Games[k] = gameEntry{g.Game, g.White, g.Black, g.Result, g.Plies}
		}
		index[i] = l
	}
	if err := block(out, "index", index); err != nil {
		return err
	}
	for i, r := range recordings {
		for k, g := range r.Games {
			if err := block(out, fmt.Sprintf("game-%d-%d", i, k), g); err != nil {
				return err
			}
		}
	}
	for _, lang := range words.Languages() {
		var all []json.RawMessage
		for _, group := range []string{"", page.Rest, "replay"} {
			texts, ok := page.Served(group, lang)
			if !ok {
				return fmt.Errorf("there are no texts in %s", lang)
			}
			all = append(all, texts)
		}
		if err := block(out, "texts-"+lang, all); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "<script>%s</script>\n</body>\n</html>\n", script)
	return out.Flush()
}

// block writes data as JSON without a "<", so that the data cannot end the block.
func block(out io.Writer, id string, data any) error {
	b, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("write %s: %w", id, err)
	}
	_, err = fmt.Fprintf(out, "<script type=\"application/json\" id=\"%s\">%s</script>\n", id, b)
	return err
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func titleOf(recordings []*Recording) string {
	if len(recordings) == 1 {
		return "boardwatchd · " + recordings[0].Board
	}
	return "boardwatchd"
}

const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<style>%s</style>
</head>
<body>
<div id="app"></div>
<div id="say" class="sr" role="status" aria-live="polite"></div>
<div id="shout" class="sr" role="alert" aria-live="assertive"></div>
<noscript><p class="starting">This page needs JavaScript.</p></noscript>
`
