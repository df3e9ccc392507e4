package alert_test

import (
	"os"
	"testing"

	"boardwatchd/internal/alert/alerttest"
)

func TestMain(m *testing.M) {
	alerttest.Helper()
	os.Exit(m.Run())
}
