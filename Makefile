# The commands of every day. What they run is said in .ci/run.
.PHONY: build test lint check halls

build:
	CGO_ENABLED=0 go build ./cmd/boardwatchd

test:
	go test ./...

lint:
	.ci/run lint

# Six halls of 24 boards of generated people at the real program, at the speed of life: eight minutes, and rates.
halls:
	BOARDWATCHD_HALLS=24 go test -v -timeout 30m -run 'TestHalls$$' ./internal/e2e

# What CI runs.
check:
	.ci/run
