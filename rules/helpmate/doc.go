// Package helpmate tells whether a side can still be helped to give checkmate.
package helpmate
