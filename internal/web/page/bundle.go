package page

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// This file makes one script of the page's modules, for a file that is opened without a server, where a browser loads
// no modules. Each module becomes a function that is called once and returns its exports; nothing is shortened.

var (
	importLine = regexp.MustCompile(`(?m)^import \{([^}]*)\} from '\./([\w.]+)';\n`)
	exportLine = regexp.MustCompile(`(?m)^export (async function|function|const|let|class) (\w+)`)
)

// Bundle returns the module of a name in js/ with all its imports. It refuses imports in another form, cycles, and the
// import of a variable that changes.
func Bundle(entry string) ([]byte, error) {
	return bundled(FS(), entry)
}

func bundled(from fs.FS, entry string) ([]byte, error) {
	b := bundle{from: from, done: map[string][]string{}}
	b.out.WriteString("'use strict';\n")
	if err := b.add(entry, nil); err != nil {
		return nil, fmt.Errorf("page: bundle %s: %w", entry, err)
	}
	return []byte(b.out.String()), nil
}

type bundle struct {
	from fs.FS
	out  strings.Builder
	done map[string][]string // written modules, with the variables that they change
}

// add writes a module after its imports.
func (b *bundle) add(name string, above []string) error {
	if slices.Contains(above, name) {
		return fmt.Errorf("%s imports itself, by way of %s", name, strings.Join(above, ", "))
	}
	if _, ok := b.done[name]; ok {
		return nil
	}
	source, err := fs.ReadFile(b.from, path.Join("js", name))
	if err != nil {
		return err
	}
	text := string(source)
	for _, m := range importLine.FindAllStringSubmatch(text, -1) {
		if err := b.add(m[2], append(above, name)); err != nil {
			return err
		}
		for _, variable := range b.done[m[2]] {
			if slices.Contains(names(m[1]), variable) {
				return fmt.Errorf("%s imports %s of %s, which changes", name, variable, m[2])
			}
		}
	}
	text = importLine.ReplaceAllStringFunc(text, func(line string) string {
		m := importLine.FindStringSubmatch(line)
		return "const {" + strings.ReplaceAll(m[1], " as ", ": ") + "} = " + variableOf(m[2]) + ";\n"
	})
	var exported, changing []string
	for _, m := range exportLine.FindAllStringSubmatch(text, -1) {
		if m[1] == "let" {
			changing = append(changing, m[2])
			continue
		}
		exported = append(exported, m[2])
	}
	text = exportLine.ReplaceAllString(text, "$1 $2")
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ") || strings.Contains(line, "</script") {
			return fmt.Errorf("%s has a line that cannot stand in one script: %s", name, line)
		}
	}
	fmt.Fprintf(&b.out, "const %s = (() => {\n%sreturn { %s };\n})();\n", variableOf(name), text, strings.Join(exported, ", "))
	b.done[name] = changing
	return nil
}

// names are the names in an import: "a, b as c" imports a and b.
func names(list string) (all []string) {
	for part := range strings.SplitSeq(list, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), " as ")
		all = append(all, name)
	}
	return all
}

func variableOf(module string) string { return "$" + strings.TrimSuffix(module, ".js") }
