package alert

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strconv"
)

// payload is a message for a webhook or a command. Keys are only added.
type payload struct {
	ID        string          `json:"id"`
	Version   int             `json:"version"`
	Board     string          `json:"board"`
	Title     string          `json:"title"`
	Body      string          `json:"body"`
	Kind      string          `json:"kind"`
	State     string          `json:"state"`
	Level     string          `json:"level"`
	Priority  int             `json:"priority"`
	Update    bool            `json:"update"`
	Closed    bool            `json:"closed"`
	URL       string          `json:"url"`
	AckURL    string          `json:"ack_url"`
	RaisedMS  int64           `json:"raised_ms"`
	ExpiresMS int64           `json:"expires_ms"`
	Finding   json.RawMessage `json:"finding"`
	Ruling    json.RawMessage `json:"ruling"`
	Journal   string          `json:"journal"`
}

// The bounds of texts in a payload, in bytes.
const (
	payloadTitle = 300
	payloadBody  = 4000
	payloadName  = 300
)

// Payload returns the message as one JSON object: a webhook posts it and a command reads it. Finding and ruling are the
// objects of the contract, or null.
func (m Message) Payload() []byte {
	p := payload{
		ID: m.ID, Version: m.Version, Board: clean(m.Board, payloadName), Title: clean(m.Title, payloadTitle),
		Body: clean(m.Body, payloadBody), Kind: clean(m.Kind, payloadName), State: m.State, Level: m.Level, Priority: m.Priority,
		Update: m.Update, Closed: m.Closed, URL: m.URL, AckURL: m.AckURL, RaisedMS: milliseconds(m.Raised),
		ExpiresMS: milliseconds(m.Expires), Finding: object(m.Finding), Ruling: object(m.Ruling),
		Journal: clean(m.Journal, payloadName),
	}
	b, err := json.Marshal(p)
	if err != nil {
		panic("alert: internal error: " + err.Error()) // object returns only JSON
	}
	return b
}

// object returns its argument if it is JSON and not too long.
func object(r json.RawMessage) json.RawMessage {
	if len(r) > longestRaw || !json.Valid(r) {
		return nil
	}
	return r
}

// key returns the same for a message that is sent twice, and different for all others of every round:
// JOURNAL~ALERT.VERSION.
func (m Message) key() string { return m.name() + "." + strconv.Itoa(m.Version) }

// name returns a name of the alert that is unique among all journals.
func (m Message) name() string {
	if m.Journal == "" {
		return m.ID
	}
	return bounded(escape(m.Journal) + "~" + m.ID)
}

// tag names the alert to a server run by strangers: at most 32 characters of [A-Za-z0-9_-].
func (m Message) tag() string {
	if m.Ref != "" {
		return m.Ref
	}
	sum := sha256.Sum256([]byte(m.name()))
	return base64.RawURLEncoding.EncodeToString(sum[:refBytes])
}
