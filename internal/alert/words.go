package alert

import (
	"net/url"
	"strings"
	"time"

	"boardwatchd/rules/words"
)

// wording holds the sentences around an alert. They name no side, no player and no offence.
type wording struct {
	lang                            string
	seen, decided, closed, answered string // {0}: the board
	stands                          string
	ack, open                       string
}

// table has English first; a missing language falls back to English here.
var table = [...]wording{
	{
		lang: "en",
		seen: "Board {0}: somebody is on the way", decided: "Board {0}: decided", closed: "Board {0}: no longer needed",
		answered: "Board {0}: answered meanwhile", stands: "Answered meanwhile: the move stands",
		ack: "On my way", open: "Open",
	},
	{
		lang: "de",
		seen: "Brett {0}: jemand ist unterwegs", decided: "Brett {0}: entschieden", closed: "Brett {0}: nicht mehr nötig",
		answered: "Brett {0}: inzwischen beantwortet", stands: "Inzwischen beantwortet: der Zug bleibt stehen",
		ack: "Bin unterwegs", open: "Öffnen",
	},
	{
		lang: "es",
		seen: "Tablero {0}: alguien va de camino", decided: "Tablero {0}: decidido", closed: "Tablero {0}: ya no es necesario",
		answered: "Tablero {0}: respondido entretanto", stands: "Respondido entretanto: la jugada se mantiene",
		ack: "Voy de camino", open: "Abrir",
	},
	{
		lang: "fr",
		seen: "Échiquier {0}\u00a0: quelqu’un arrive", decided: "Échiquier {0}\u00a0: décidé",
		closed:   "Échiquier {0}\u00a0: plus nécessaire",
		answered: "Échiquier {0}\u00a0: réponse jouée entre-temps", stands: "Réponse jouée entre-temps\u00a0: le coup est maintenu",
		ack: "J’arrive", open: "Ouvrir",
	},
	{
		lang: "hi",
		seen: "बोर्ड {0}: कोई आ रहा है", decided: "बोर्ड {0}: निर्णय हो गया", closed: "बोर्ड {0}: अब ज़रूरत नहीं",
		answered: "बोर्ड {0}: इस बीच उत्तर दिया जा चुका है", stands: "इस बीच उत्तर दिया जा चुका है: चाल मान्य रहती है",
		ack: "पहुँच रहे हैं", open: "खोलें",
	},
	{
		lang: "ru",
		seen: "Доска {0}: кто-то уже идёт", decided: "Доска {0}: решено", closed: "Доска {0}: больше не требуется",
		answered: "Доска {0}: тем временем сделан ответный ход", stands: "Тем временем сделан ответный ход: ход остаётся в силе",
		ack: "Иду", open: "Открыть",
	},
}

func wordsOf(lang string) *wording {
	if i := strings.IndexAny(lang, "-_"); i >= 0 {
		lang = lang[:i]
	}
	for i := range table {
		if strings.EqualFold(table[i].lang, lang) {
			return &table[i]
		}
	}
	return &table[0]
}

const (
	longestBoard = 80  // bytes of a board's name in a text
	longestBody  = 400 // bytes of a body
)

// title returns the one line for the lock screen.
func (o *Outbox) title(e *entry) string {
	board := clean(o.opt.Table(e.board), longestBoard)
	w := wordsOf(o.opt.Language)
	text := ""
	switch f := e.visible; {
	case f.state == Seen:
		text = w.seen
	case f.state == Decided:
		text = w.decided
	case f.reason == Expired:
		text = w.answered
	case f.state == Closed:
		text = w.closed
	default:
		if text = words.Text(o.opt.Language, "alert.look", board); e.late {
			text = words.Text(o.opt.Language, "alert.late", text)
		}
		return text
	}
	return strings.ReplaceAll(text, "{0}", board)
}

// body returns more text if the wording allows it: the offence's name and its articles while a person is needed at
// once. Hints (level advise) are never named (laws notes 5.2, 5.3).
func (o *Outbox) body(e *entry) string {
	if o.opt.Wording != "full" {
		return ""
	}
	switch {
	case e.visible.reason == Expired:
		return wordsOf(o.opt.Language).stands
	case !e.live() || e.visible.level != Now:
		return ""
	}
	text := words.Name(o.opt.Language, e.kind)
	if len(e.articles) > 0 {
		text += " (" + strings.Join(e.articles, ", ") + ")"
	}
	return clean(text, longestBody)
}

// message returns the newest state of an alert for one channel.
func (o *Outbox) message(e *entry, channel, page string) Message {
	w := wordsOf(o.opt.Language)
	m := Message{
		ID: e.id, Journal: e.journal, Ref: e.ref, Board: clean(e.board, longestBoard), Title: o.title(e), Body: o.body(e), Kind: e.kind,
		State: e.visible.state, Level: e.visible.level, Version: e.version, Closed: !e.live(), Raised: e.raised,
		Expires: e.raised.Add(o.opt.Expire), Finding: e.said, Ruling: e.ruling, AckText: w.ack, OpenText: w.open,
	}
	if d := e.deliveries[channel]; d != nil && d.version > 0 {
		m.Update = true
		m.Expires = e.changed.Add(o.opt.Expire)
	}
	if m.State == Closed && (e.visible.reason == Withdrawn || e.visible.reason == Expired) {
		m.State = e.visible.reason
	}
	m.Priority = priority(&m)
	if page != "" {
		m.OpenURL = page + "/#/b/" + url.PathEscape(e.board)
		m.URL = m.OpenURL + "/" + url.PathEscape(e.finding)
		if o.opt.Wording == "full" {
			m.OpenURL = m.URL
		}
		if e.visible.state == Open {
			m.AckURL = page + "/ack/" + tokenOf(o.opt.Refs, o.opt.Key, e.journal, e.id, channel)
		}
	}
	return m
}

// priority returns 4 to ring, 3 for an ordinary sound, 2 for none.
func priority(m *Message) int {
	switch {
	case m.State != Open && m.Update:
		return 2
	case m.State == Open && m.Level == Now:
		return 4
	}
	return 3
}

// milliseconds returns wall time in milliseconds; 0: no time.
func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
