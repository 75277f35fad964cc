// Reads the Go sources of Kubernetes' internal types and prints their fields in Go's order, as field errors print them:
// the types that the given roots reach, one line of JSON each.
//
//	go run test/tools/internal-types.go -root "$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/pkg/apis" core.PodTemplateSpec … > internal-types.json
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

type pkg map[string]ast.Expr

var root = flag.String("root", "", "pkg/apis of kubernetes")

var pkgs = map[string]pkg{}

func load(name string) pkg {
	if known, ok := pkgs[name]; ok {
		return known
	}
	types := pkg{}
	pkgs[name] = types
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(*root, name, "types.go"), nil, 0)
	if err != nil {
		if os.IsNotExist(err) {
			return types
		}
		log.Fatal(err)
	}
	for _, decl := range file.Decls {
		if general, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range general.Specs {
				if each, ok := spec.(*ast.TypeSpec); ok {
					types[each.Name.Name] = each.Type
				}
			}
		}
	}
	return types
}

var foreign = map[string]string{"Time": "time", "MicroTime": "time", "Quantity": "quantity", "IntOrString": "intstr", "UID": "string", "NodeName": "string", "NamespacedName": "json", "ObjectMeta": "meta", "LabelSelector": "labelselector", "UnionValue": "json"}

var printed = map[string][]string{}

// ref says how a type is printed: `*` before what may be nil, `[]` and `map ` before what they hold.
func ref(in string, expr ast.Expr) string {
	switch t := expr.(type) {
	case *ast.StarExpr:
		return "*" + ref(in, t.X)
	case *ast.ArrayType:
		if of := ref(in, t.Elt); of != "byte" {
			return "[]" + of
		}
		return "bytes"
	case *ast.MapType:
		return "map " + ref(in, t.Value)
	case *ast.Ident:
		if of, ok := load(in)[t.Name]; ok {
			return named(in, t.Name, of)
		}
		if strings.Contains(t.Name, "int") || strings.Contains(t.Name, "float") {
			return "int"
		}
		return t.Name
	case *ast.SelectorExpr:
		from := t.X.(*ast.Ident).Name
		if from == "api" {
			from = "core"
		}
		if of, ok := load(from)[t.Sel.Name]; ok {
			return named(from, t.Sel.Name, of)
		}
		if known, ok := foreign[t.Sel.Name]; ok {
			return known
		}
	}
	return "json"
}

func named(in, name string, of ast.Expr) string {
	fields, ok := of.(*ast.StructType)
	if !ok {
		return ref(in, of)
	}
	full := in + "." + name
	if _, ok := printed[full]; ok {
		return full
	}
	printed[full] = nil
	var lines []string
	for _, each := range fields.Fields.List {
		tag := ""
		if each.Tag != nil {
			tag = " " + each.Tag.Value
		}
		if len(each.Names) == 0 {
			lines = append(lines, " "+ref(in, each.Type)+tag)
		}
		for _, one := range each.Names {
			if one.IsExported() {
				lines = append(lines, one.Name+" "+ref(in, each.Type)+tag)
			}
		}
	}
	printed[full] = lines
	return full
}

func main() {
	flag.Parse()
	for _, each := range flag.Args() {
		in, name, _ := strings.Cut(each, ".")
		of, ok := load(in)[name]
		if !ok {
			log.Fatal("no such type: ", each)
		}
		named(in, name, of)
	}
	names := make([]string, 0, len(printed))
	for each := range printed {
		names = append(names, each)
	}
	sort.Strings(names)
	fmt.Println("{")
	for i, name := range names {
		quoted := make([]string, len(printed[name]))
		for j, line := range printed[name] {
			quoted[j] = strconv.Quote(line)
		}
		end := ","
		if i == len(names)-1 {
			end = ""
		}
		fmt.Printf("%q:[%s]%s\n", name, strings.Join(quoted, ","), end)
	}
	fmt.Println("}")
}
