package config

import (
	"errors"
	"strings"
)

func checkSection(s string) error {
	name, boards, ok := strings.Cut(s, "=")
	if !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(boards) == "" {
		return errors.New("is no section: write NAME = TABLES, like Open A = 1-120")
	}
	return nil
}

func sectionsOf(list []string) (sections []Section) {
	for _, s := range list {
		name, boards, _ := strings.Cut(s, "=")
		sections = append(sections, Section{Name: strings.TrimSpace(name), Boards: strings.TrimSpace(boards)})
	}
	return sections
}
