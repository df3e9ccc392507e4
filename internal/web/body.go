package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxBody is more than any request needs; a Web Push subscription is the largest.
const maxBody = 16 << 10

// maxKeys is more than any object of a request has. Each key is compared with all others, so only few may be sent.
const maxKeys = 64

// receive reads the body of a request that needs one. The deadline is set already.
func receive(w http.ResponseWriter, r *http.Request, kind body) (*object, error) {
	if err := checkType(r.Header); err != nil {
		return nil, err
	}
	most, tooLarge := int64(maxBody), refuse(http.StatusRequestEntityTooLarge, "too_large", "The body is larger than 16 KiB.", "Shorten the note.")
	if kind == withFile {
		most = maxRoundText + maxBody
		tooLarge = refuse(http.StatusRequestEntityTooLarge, "too_large", "The file is larger than 4 MiB.", "Export one round only.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	switch {
	case err == nil:
		wasRead(w)
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		return parseObject(body)
	case errors.As(err, &large):
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(http.StatusRequestTimeout, "too_slow", "The body did not arrive in time.", "Send the request again.")
	}
	return nil, refuse(http.StatusBadRequest, "bad_body", "The body could not be read.",
		"Send it with its length, or in chunks, and completely.")
}

func checkType(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	if err != nil || kind != "application/json" || (charset != "" && charset != "utf-8") || h.Get("Content-Encoding") != "" {
		return refuse(http.StatusUnsupportedMediaType, "not_json", "The body is not declared as JSON.",
			"Send it plain, with Content-Type: application/json.")
	}
	return nil
}

// An object is a JSON object that is read key by key. The first error is kept, and everything read after it is empty;
// done returns the error. A key may be missing, or be null, if its zero value is allowed.
type object struct {
	in    string // its place in the body: "", or "keys."
	keys  []string
	raw   []json.RawMessage
	asked []string
	err   error
}

// parseObject parses one JSON object with each key once and nothing after it.
func parseObject(body []byte) (*object, error) { return parseObjectIn("", body) }

func parseObjectIn(in string, body []byte) (*object, error) {
	bad := func(message string) error {
		return refuse(http.StatusBadRequest, "bad_json", message, "Send one JSON object, each key once, in UTF-8.")
	}
	if !utf8.Valid(body) {
		return nil, bad("The body is not valid UTF-8.")
	}
	if !json.Valid(body) {
		return nil, bad("The body is not valid JSON.")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, bad("The body is not a JSON object.")
	}
	o := &object{in: in}
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return nil, bad("The body is not valid JSON.")
		}
		if len(o.keys) == maxKeys {
			return nil, refuse(http.StatusBadRequest, "bad_json", fmt.Sprintf("The body has more than %d keys.", maxKeys),
				"Send the keys that the request has, and no others.")
		}
		if slices.Contains(o.keys, key) {
			return nil, refuse(http.StatusBadRequest, "twice", fmt.Sprintf("The key %.40q stands there twice.", in+key),
				"Give each key once.")
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, bad("The body is not valid JSON.")
		}
		o.keys, o.raw = append(o.keys, key), append(o.raw, raw)
	}
	return o, nil
}

// value returns the value of a key; nil if it is missing or null.
func (o *object) value(key string) json.RawMessage {
	o.asked = append(o.asked, key)
	if i := slices.Index(o.keys, key); i >= 0 && string(o.raw[i]) != "null" {
		return o.raw[i]
	}
	return nil
}

func (o *object) fail(key, message, remedy string) {
	if o.err == nil {
		o.err = wrongKey(o.in+key, message, remedy)
	}
}

func (o *object) has(key string) bool { return slices.Contains(o.keys, key) }

// text returns a string of least to most characters.
func (o *object) text(key string, least, most int) string {
	raw := o.value(key)
	var t string
	if raw != nil && json.Unmarshal(raw, &t) != nil {
		o.fail(key, "is not a string", "Put it between quotation marks.")
		return ""
	}
	if n := utf8.RuneCountInString(t); n < least || n > most {
		o.fail(key, fmt.Sprintf("has %d characters", n), fmt.Sprintf("Give %d to %d.", least, most))
		return ""
	}
	return t
}

// note returns free text of people: without control characters and without marks that change the direction of the line.
func (o *object) note(key string, most int) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case unicode.IsControl(c), c == '\u2028', c == '\u2029':
			return ' '
		case unicode.Is(unicode.Cf, c) && c != '\u200c' && c != '\u200d': // joiners: Hindi needs them
			return -1
		}
		return c
	}, o.text(key, 0, most)))
}

// word returns one of the words. If "" is among them the key may be missing.
func (o *object) word(key string, words ...string) string {
	t := o.text(key, 0, 1000)
	if o.err == nil && !slices.Contains(words, t) {
		named := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
		o.fail(key, "is not one of the words that are known", "It is one of "+strings.Join(named, ", ")+".")
		return ""
	}
	return t
}

// number returns an integer. If least is not above 0 the key may be missing.
func (o *object) number(key string, least, most int64) int64 {
	raw := o.value(key)
	if raw == nil && least <= 0 {
		return 0
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < least || n > most {
		upper := ""
		if most < math.MaxInt64 {
			upper = fmt.Sprintf(" to %d", most)
		}
		o.fail(key, "is not a number that fits", fmt.Sprintf("Give a whole number from %d%s.", least, upper))
		return 0
	}
	return n
}

// onOff returns a boolean that must not be missing.
func (o *object) onOff(key string) bool {
	switch string(o.value(key)) {
	case "true":
		return true
	case "false":
		return false
	}
	o.fail(key, "is neither true nor false", "Give true or false.")
	return false
}

// list returns a list of at most most strings of 1 to length characters each.
func (o *object) list(key string, most, length int) []string {
	raw := o.value(key)
	if raw == nil {
		return nil
	}
	var list []*string
	if json.Unmarshal(raw, &list) != nil || len(list) > most {
		o.fail(key, "is not a list that fits", fmt.Sprintf("Give a list of at most %d strings.", most))
		return nil
	}
	words := make([]string, 0, len(list))
	for _, w := range list {
		if w == nil || *w == "" || utf8.RuneCountInString(*w) > length {
			o.fail(key, "has something in it that does not fit", fmt.Sprintf("Give strings of 1 to %d characters.", length))
			return nil
		}
		words = append(words, *w)
	}
	return words
}

// object returns an object in an object; its done has to be called too.
func (o *object) object(key string) *object {
	raw := o.value(key)
	if raw == nil {
		raw = json.RawMessage("0") // which is no object
	}
	inner, err := parseObjectIn(o.in+key+".", raw)
	if err != nil {
		o.fail(key, "is not an object", "Give an object, each key once.")
		return &object{in: o.in + key + ".", err: o.err}
	}
	return inner
}

// done returns the first error. A key that was not read is an error too.
func (o *object) done() error {
	if o.err != nil {
		return o.err
	}
	for _, key := range o.keys {
		if !slices.Contains(o.asked, key) {
			known := "No key is known here."
			if len(o.asked) > 0 {
				known = "Known here: " + strings.Join(o.asked, ", ") + "."
			}
			return refuse(http.StatusBadRequest, "unknown_key", fmt.Sprintf("The key %.40q is not known here.", o.in+key), known)
		}
	}
	return nil
}
