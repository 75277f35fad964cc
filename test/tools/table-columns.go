// Reads how kube-apiserver prints its own kinds and prints the columns of each, by the name of its Go type, as
// make-builtin.mjs takes them with --columns.
//
//	go run test/tools/table-columns.go -kubernetes "$(go env GOMODCACHE)/k8s.io/kubernetes@v1.36.2" > columns.json
package main

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

type column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Format   string `json:"format,omitempty"`
	Priority int    `json:"priority,omitempty"`
}

var packages = map[string]string{} // the folder of what an import is called here
var printed = map[string]string{}  // what a function prints: `core.Pod`
var definitions = map[string][]column{}
var columns = map[string][]column{}

func main() {
	folder := flag.String("kubernetes", "", "sources of k8s.io/kubernetes")
	flag.Parse()
	file := filepath.Join(*folder, "pkg/printers/internalversion/printers.go")
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, each := range tree.Imports {
		from, _ := strconv.Unquote(each.Path.Value)
		if name := each.Name; name != nil && strings.HasPrefix(from, "k8s.io/kubernetes/pkg/apis/") {
			packages[name.Name] = path.Base(from)
		} else {
			packages[path.Base(from)] = path.Base(from)
		}
	}
	for _, each := range tree.Decls {
		if function, ok := each.(*ast.FuncDecl); ok {
			readPrinter(function)
		}
	}
	ast.Inspect(tree, readDefinitions)
	ast.Inspect(tree, readHandler)
	if err := json.NewEncoder(os.Stdout).Encode(columns); err != nil {
		log.Fatal(err)
	}
}

// printPodList(list *api.PodList, options printers.GenerateOptions)
func readPrinter(function *ast.FuncDecl) {
	if function.Type.Params == nil || len(function.Type.Params.List) == 0 {
		return
	}
	pointer, ok := function.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return
	}
	if selector, ok := pointer.X.(*ast.SelectorExpr); ok {
		printed[function.Name.Name] = packages[selector.X.(*ast.Ident).Name] + "." + selector.Sel.Name
	}
}

// podColumnDefinitions := []metav1.TableColumnDefinition{…}
func readDefinitions(node ast.Node) bool {
	assignment, ok := node.(*ast.AssignStmt)
	if !ok || len(assignment.Rhs) != 1 {
		return true
	}
	name, isNamed := assignment.Lhs[0].(*ast.Ident)
	if !isNamed {
		return true
	}
	switch value := assignment.Rhs[0].(type) {
	case *ast.CompositeLit:
		definitions[name.Name] = columnsIn(value)
	case *ast.CallExpr: // append(csiDriverColumnDefinitions, …)
		if len(value.Args) == 2 {
			if more, ok := value.Args[1].(*ast.CompositeLit); ok {
				definitions[name.Name] = append(definitions[name.Name], columnsIn(more)...)
			}
		}
	}
	return true
}

func columnsIn(list *ast.CompositeLit) []column {
	all := []column{}
	for _, element := range list.Elts {
		literal, ok := element.(*ast.CompositeLit)
		if !ok {
			continue
		}
		one := column{}
		for _, entry := range literal.Elts {
			pair, ok := entry.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			value, ok := pair.Value.(*ast.BasicLit)
			if !ok {
				continue
			}
			text, _ := strconv.Unquote(value.Value)
			switch pair.Key.(*ast.Ident).Name {
			case "Name":
				one.Name = text
			case "Type":
				one.Type = text
			case "Format":
				one.Format = text
			case "Priority":
				one.Priority, _ = strconv.Atoi(value.Value)
			}
		}
		all = append(all, one)
	}
	return all
}

// h.TableHandler(podColumnDefinitions, printPodList)
func readHandler(node ast.Node) bool {
	call, ok := node.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return true
	}
	if selector, ok := call.Fun.(*ast.SelectorExpr); !ok || selector.Sel.Name != "TableHandler" {
		return true
	}
	names, isNamed := call.Args[0].(*ast.Ident)
	function, isFunction := call.Args[1].(*ast.Ident)
	if isNamed && isFunction {
		columns[printed[function.Name]] = definitions[names.Name]
	}
	return true
}
