package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// A refusal is an answer other than 200. All have the same form.
type refusal struct {
	status  int
	code    string // for programs
	message string // for people: what is wrong
	remedy  string // what to do about the refusal
	retry   time.Duration
	allow   string // with status 405: the methods that are allowed
	item    any    // 409: the current finding
	args    []string
	cause   string // a key of remedies
}

func (e *refusal) Error() string { return e.code + ": " + e.message }

func refuse(status int, code, message, remedy string) *refusal {
	return &refusal{status: status, code: code, message: message, remedy: remedy}
}

func notFound() *refusal {
	return refuse(http.StatusNotFound, "not_found", "There is nothing at this address.", "Open the page at /.")
}

func noSuchBoard(name string) *refusal {
	return refuse(http.StatusNotFound, "no_such_board", fmt.Sprintf("There is no board %.32q.", name),
		"Take a name of GET /api/v1/boards.")
}

func wrongKey(key, message, remedy string) *refusal {
	return refuse(http.StatusBadRequest, "wrong_value", fmt.Sprintf("%.40q %s.", key, message), remedy)
}

// errorBody is the JSON of every refusal.
type errorBody struct {
	Error errorText `json:"error"`
	Item  any       `json:"item,omitempty"`
}

type errorText struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
	// Args are put into the message, for a page in another language.
	Args []string `json:"args,omitempty"`
	// Cause is why a write failed, likewise for the remedy.
	Cause string `json:"cause,omitempty"`
}

// answerError answers with an error. An error that is no refusal is internal, and its text goes only into the log.
func (s *Server) answerError(w http.ResponseWriter, err error) {
	var e *refusal
	if !errors.As(err, &e) {
		s.log.Error().Err(err).Msg("A request could not be answered.")
		e = refuse(http.StatusInternalServerError, "internal", "The program made a mistake.",
			"Try again; the program's log says more.")
	}
	h := w.Header()
	if e.allow != "" {
		h.Set("Allow", e.allow)
	}
	if e.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.retry.Seconds()))))
	}
	closeIfUnread(w)
	answerJSON(w, e.status, errorBody{errorText{e.code, e.message, e.remedy, e.args, e.cause}, e.item})
}

// answerJSON writes v. Nothing of it may be cached.
func answerJSON(w http.ResponseWriter, status int, v any) { send(w, status, jsonOf(v)) }

func jsonOf(v any) *bytes.Buffer {
	b := new(bytes.Buffer)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		panic("web: internal error: an answer is no JSON: " + err.Error())
	}
	return b
}

func send(w http.ResponseWriter, status int, b *bytes.Buffer) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a client that has gone is not an error
}

// answerLong packs a long answer. The answer must hold no secret, because a secret could be guessed from the packed
// length.
func answerLong(w http.ResponseWriter, r *http.Request, v any) error {
	w.Header().Add("Vary", "Accept-Encoding")
	if !takesGzip(r.Header.Get("Accept-Encoding")) {
		return answer(w, v)
	}
	packed := new(bytes.Buffer)
	z, err := gzip.NewWriterLevel(packed, gzip.BestSpeed)
	if err != nil {
		return err
	}
	_, err = jsonOf(v).WriteTo(z)
	if err := errors.Join(err, z.Close()); err != nil {
		return err
	}
	w.Header().Set("Content-Encoding", "gzip")
	send(w, http.StatusOK, packed)
	return nil
}

func answer(w http.ResponseWriter, v any) error {
	answerJSON(w, http.StatusOK, v)
	return nil
}
