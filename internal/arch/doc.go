// Package arch holds no code, only the test that keeps the layout of the house true: who may import whom, and what the
// core may not use. The table is the one of docs/architecture.md; change both together.
package arch
