package alert_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/alert/alerttest"
	"boardwatchd/internal/sharedtest"
)

// secretFile writes a secret to a file as an operator would.
func secretFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// field reads one key of a JSON body.
func field(t *testing.T, body []byte, keys ...string) string {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal(body, &o); err != nil {
		t.Fatalf("the body is no JSON object: %v", err)
	}
	text := ""
	for _, k := range keys {
		s, _ := o[k].(string)
		text += s + "|"
	}
	return text
}

func TestNtfyConforms(t *testing.T) {
	alerttest.Run(t, func(t *testing.T, r *alerttest.Receiver) alerttest.Kit {
		ch, err := alert.NewNtfy("hall", alert.NtfyOptions{
			URL: r.URL + "/sub/topic-nobody-guesses", TokenFile: secretFile(t, "tk_abcdefghijklmnopqrstuvwxyz123"),
		})
		if err != nil {
			t.Fatal(err)
		}
		return alerttest.Kit{
			Channel: ch, Limit: 8 << 10, Secrets: []string{"tk_abcdefghij", "topic-nobody-guesses"},
			Place: func(t *testing.T, r alerttest.Request) string { return field(t, r.Body, "topic", "sequence_id") },
			Text:  func(t *testing.T, r alerttest.Request) string { return field(t, r.Body, "title", "message") },
		}
	})
}

func TestWebhookConforms(t *testing.T) {
	alerttest.Run(t, func(t *testing.T, r *alerttest.Receiver) alerttest.Kit {
		ch, err := alert.NewWebhook("office", alert.WebhookOptions{
			URL: r.URL + "/hook/path-nobody-guesses?key=query-nobody-guesses", SecretFile: secretFile(t, "hmac-key-nobody-guesses"),
		})
		if err != nil {
			t.Fatal(err)
		}
		return alerttest.Kit{
			Channel: ch, Secrets: []string{"nobody-guesses"},
			Place: func(t *testing.T, r alerttest.Request) string { return field(t, r.Body, "id") },
			Text:  func(t *testing.T, r alerttest.Request) string { return field(t, r.Body, "title", "body", "board") },
		}
	})
}

func TestCommandConforms(t *testing.T) {
	alerttest.Run(t, func(t *testing.T, r *alerttest.Receiver) alerttest.Kit {
		words, err := alerttest.HelperCommand(r.URL + "/from-the-command")
		if err != nil {
			t.Fatal(err)
		}
		ch, err := alert.NewCommand("sms", alert.CommandOptions{Command: words, Timeout: sharedtest.Patience(t)})
		if err != nil {
			t.Fatal(err)
		}
		return alerttest.Kit{
			Channel: ch, Deaf: true,
			Place: func(t *testing.T, r alerttest.Request) string { return field(t, r.Body, "id") },
			Text:  func(t *testing.T, r alerttest.Request) string { return field(t, r.Body, "title", "body", "board") },
		}
	})
}

func TestWebPushConforms(t *testing.T) {
	alerttest.Run(t, func(t *testing.T, r *alerttest.Receiver) alerttest.Kit {
		phone := newPhone(t, r.URL+"/push/endpoint-nobody-guesses")
		ch, err := alert.NewWebPush("push-1", alert.WebPushOptions{Subscription: phone.sub, Keys: vapid(t), Contact: "mailto:arbiter@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		return alerttest.Kit{
			Channel: ch, Limit: 4096, Secrets: []string{"nobody-guesses", phone.sub.Auth, phone.sub.P256dh},
			Place: func(_ *testing.T, r alerttest.Request) string { return r.Header.Get("Topic") },
			Text: func(t *testing.T, r alerttest.Request) string {
				return field(t, phone.open(t, r.Body), "title", "body")
			},
		}
	})
}
