// Command write puts the tables of the package handtables into a file: go generate in detector/hands runs it.
//
// It knows the name of the file and nothing of what is in the tables; handtables says how they are made. The same bytes
// are written every time, and a test compares them with the file in the project.
package main
