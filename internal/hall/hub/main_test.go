package hub_test

import (
	"testing"

	"boardwatchd/internal/sharedtest"
)

func TestMain(m *testing.M) {
	sharedtest.Waiting(8)
	m.Run()
}
