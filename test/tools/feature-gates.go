// Prints src/api/release/newest/feature-gates.json: the feature gates of kube-apiserver with their stage, default and what they need.
//
//	go run test/tools/feature-gates.go -cache "$(go env GOMODCACHE)/k8s.io" -minor 36 -patch 2 > src/api/release/newest/feature-gates.json
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Where gates are declared, by the module and the file.
var files = [][2]string{
	{"kubernetes@v1", "pkg/features/kube_features.go"},
	{"kubernetes@v1", "pkg/features/versioned_kube_features.go"},
	{"apiserver@v0", "pkg/features/kube_features.go"},
	{"apiextensions-apiserver@v0", "pkg/features/kube_features.go"},
	{"client-go@v0", "features/known_features.go"},
	{"component-base@v0", "featuregate/feature_gate.go"},
	{"component-base@v0", "logs/api/v1/kube_features.go"},
	{"component-base@v0", "metrics/features/kube_features.go"},
	{"component-base@v0", "zpages/features/kube_features.go"},
}

var names = map[string]string{} // the value of a constant
var stages = map[string]string{}
var needs = map[string][]string{}

func main() {
	cache := flag.String("cache", "", "folder k8s.io of the module cache")
	minor := flag.Int("minor", 36, "minor version")
	patch := flag.Int("patch", 2, "patch version")
	flag.Parse()
	trees := []*ast.File{}
	for _, file := range files {
		path := filepath.Join(*cache, fmt.Sprintf("%s.%d.%d", file[0], *minor, *patch), file[1])
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if os.IsNotExist(err) {
			continue // not in every release
		}
		if err != nil {
			log.Fatal(err)
		}
		trees = append(trees, tree)
		ast.Inspect(tree, readName)
	}
	for _, tree := range trees {
		ast.Inspect(tree, func(node ast.Node) bool { return readEntry(node, *minor) })
	}
	all := []string{}
	for name := range stages {
		all = append(all, name)
	}
	sort.Strings(all)
	for i, name := range all {
		sort.Strings(needs[name])
		text := strings.Join(append([]string{stages[name]}, needs[name]...), " ")
		fmt.Printf("%s%q: %q", map[bool]string{true: "{\n", false: ",\n"}[i == 0], name, text)
	}
	fmt.Println("\n}")
}

func readName(node ast.Node) bool {
	if spec, ok := node.(*ast.ValueSpec); ok && len(spec.Values) == 1 && len(spec.Names) == 1 {
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
			names[spec.Names[0].Name], _ = strconv.Unquote(literal.Value)
		}
	}
	return true
}

// An entry of one of the maps: a gate with its versions, or with the gates it needs.
func readEntry(node ast.Node, minor int) bool {
	entry, ok := node.(*ast.KeyValueExpr)
	if !ok {
		return true
	}
	name, isGate := names[lastName(entry.Key)]
	list, isList := entry.Value.(*ast.CompositeLit)
	if !isGate || !isList {
		return true
	}
	if len(list.Elts) > 0 {
		// Without versions, as 1.32 and those before it have most of them.
		if _, isField := list.Elts[0].(*ast.KeyValueExpr); isField {
			addStage(name, list, minor)
			return false
		}
	}
	for _, element := range list.Elts {
		if spec, ok := element.(*ast.CompositeLit); ok {
			addStage(name, spec, minor)
		} else if other, ok := names[lastName(element)]; ok {
			needs[name] = append(needs[name], other)
		}
	}
	return false
}

func lastName(expression ast.Expr) string {
	switch each := expression.(type) {
	case *ast.Ident:
		return each.Name
	case *ast.SelectorExpr:
		return each.Sel.Name
	}
	return ""
}

// The last version up to the minor one counts: `beta on`, `ga on locked`.
func addStage(name string, spec *ast.CompositeLit, minor int) {
	stage, rest := "", ""
	for _, element := range spec.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		value := lastName(pair.Value)
		switch key := lastName(pair.Key); {
		case key == "PreRelease":
			stage = strings.ToLower(value)
		case key == "Default" && value == "true":
			rest = " on" + rest
		case key == "LockToDefault" && value == "true":
			rest += " locked"
		case key == "Version":
			if call, ok := pair.Value.(*ast.CallExpr); ok && isLater(call, minor) {
				return
			}
		}
	}
	if stage != "" {
		stages[name] = stage + rest
	}
}

func isLater(call *ast.CallExpr, minor int) bool {
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return false
	}
	text, _ := strconv.Unquote(literal.Value)
	number, _ := strconv.Atoi(strings.TrimPrefix(text, "1."))
	return number > minor
}
