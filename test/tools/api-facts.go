// Reads the Go sources of Kubernetes' API types and prints what no server publishes, in the format of make-builtin.mjs with
// --fields: for each type its fields in Go's order, with omitempty, pointers, protobuf numbers and markers.
//
//	v=v0.37.2
//	for m in api apimachinery apiextensions-apiserver kube-aggregator; do GOFLAGS=-mod=mod go mod download k8s.io/$m@$v; done
//	go run test/tools/api-facts.go -root "$(go env GOMODCACHE)/k8s.io" -version $v > fields.json
package main

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// A field of a struct; make-builtin.mjs says what the names mean.
type field struct {
	T   string   `json:"t"`
	R   int      `json:"r,omitempty"`
	OE  int      `json:"oe,omitempty"`
	Ptr int      `json:"ptr,omitempty"`
	P   int      `json:"p,omitempty"`
	PS  string   `json:"ps,omitempty"`
	PK  string   `json:"pk,omitempty"`
	LT  string   `json:"lt,omitempty"`
	LK  []string `json:"lk,omitempty"`
	MT  string   `json:"mt,omitempty"`
	ST  string   `json:"st,omitempty"`
	D   any      `json:"d,omitempty"`
	key string
}

type fields []field

// MarshalJSON keeps Go's order.
func (all fields) MarshalJSON() ([]byte, error) {
	parts := make([]string, len(all))
	for i, each := range all {
		value, err := json.Marshal(each)
		if err != nil {
			return nil, err
		}
		parts[i] = strconv.Quote(each.key) + ":" + string(value)
	}
	return []byte("{" + strings.Join(parts, ",") + "}"), nil
}

type typeFacts struct {
	GVK   []string       `json:"gvk,omitempty"`
	F     fields         `json:"f,omitempty"`
	Of    string         `json:"of,omitempty"`
	Enum  []string       `json:"enum,omitempty"`
	EM    int            `json:"em,omitempty"`
	PbMsg int            `json:"pbMsg,omitempty"`
	MT    string         `json:"mt,omitempty"`
	ST    string         `json:"st,omitempty"`
	K     string         `json:"k,omitempty"`
	PB    map[string]int `json:"pb,omitempty"`
}

// A package of one API version: `core.v1`.
type apiPackage struct {
	name, group, version string
	specs                map[string]*ast.TypeSpec
	docs                 map[string]string
	imports              map[string]map[string]string // the file of a type → local name → path
	constants            map[string][]string          // the values of a type
	borrowed             map[string][]string          // values of a type that are constants of k8s.io/api/core/v1
	registered           map[string]bool
}

// Types that are scalars on the wire, by where they are declared.
var scalars = map[string]string{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                 "quantity",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                     "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                "microtime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                 "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                 "fieldsv1",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                  "raw",
	"k8s.io/apimachinery/pkg/runtime.Object":                        "raw",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":               "intstr",
	"k8s.io/apimachinery/pkg/types.UID":                             "string",
	"k8s.io/apimachinery/pkg/types.NodeName":                        "string",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "json",
}

// Structs with a JSON form of their own, with the protobuf numbers of their fields.
var unions = map[string]map[string]int{
	"apiextensions.v1.JSONSchemaPropsOrArray":       {"schema": 1, "jSONSchemas": 2},
	"apiextensions.v1.JSONSchemaPropsOrBool":        {"allows": 1, "schema": 2},
	"apiextensions.v1.JSONSchemaPropsOrStringArray": {"schema": 1, "property": 2},
}

var packages = map[string]*apiPackage{} // by import path
var texts = map[string]string{}         // the value of `core.v1.IPv4Protocol`
var versionName = regexp.MustCompile(`^v\d+((alpha|beta)\d+)?$`)

func main() {
	root := flag.String("root", "", "folder k8s.io of the module cache")
	version := flag.String("version", "v0.37.2", "version of the modules")
	flag.Parse()
	for _, module := range []string{"api", "apimachinery/pkg/apis/meta", "apiextensions-apiserver/pkg/apis/apiextensions", "kube-aggregator/pkg/apis/apiregistration"} {
		name, rest, _ := strings.Cut(module, "/")
		base := filepath.Join(*root, name+"@"+*version)
		err := filepath.WalkDir(filepath.Join(base, rest), func(path string, entry os.DirEntry, err error) error {
			if err != nil || !entry.IsDir() || !versionName.MatchString(entry.Name()) {
				return err
			}
			within, _ := filepath.Rel(base, path)
			read(path, "k8s.io/"+name+"/"+filepath.ToSlash(within))
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	facts := map[string]*typeFacts{}
	for _, pkg := range packages {
		for name := range pkg.specs {
			if known := pkg.factsOf(name); known != nil {
				facts[pkg.name+"."+name] = known
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"types": facts}); err != nil {
		log.Fatal(err)
	}
}

func read(folder, path string) {
	parent := filepath.Base(filepath.Dir(path))
	pkg := &apiPackage{
		name: parent + "." + filepath.Base(path), version: filepath.Base(path),
		specs: map[string]*ast.TypeSpec{}, docs: map[string]string{}, imports: map[string]map[string]string{},
		constants: map[string][]string{}, borrowed: map[string][]string{}, registered: map[string]bool{},
	}
	packages[path] = pkg
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.Base(file), "zz_") || strings.HasSuffix(file, ".pb.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			log.Fatal(err)
		}
		pkg.add(tree)
	}
}

func (pkg *apiPackage) add(tree *ast.File) {
	imports := map[string]string{}
	for _, each := range tree.Imports {
		path, _ := strconv.Unquote(each.Path.Value)
		name := filepath.Base(path)
		if each.Name != nil {
			name = each.Name.Name
		}
		imports[name] = path
	}
	for _, declaration := range tree.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				pkg.specs[spec.Name.Name] = spec
				pkg.imports[spec.Name.Name] = imports
				pkg.docs[spec.Name.Name] = raw(general.Doc) + raw(spec.Doc)
			case *ast.ValueSpec:
				pkg.addValue(general.Tok, spec)
			}
		}
	}
	ast.Inspect(tree, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name, ok := call.Fun.(*ast.SelectorExpr); !ok || name.Sel.Name != "AddKnownTypes" {
			return true
		}
		for _, argument := range call.Args {
			if pointer, ok := argument.(*ast.UnaryExpr); ok {
				if literal, ok := pointer.X.(*ast.CompositeLit); ok {
					if name, ok := literal.Type.(*ast.Ident); ok {
						pkg.registered[name.Name] = true
					}
				}
			}
		}
		return true
	})
}

// The comment with its markers, which Text leaves out.
func raw(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	lines := ""
	for _, comment := range group.List {
		lines += strings.TrimPrefix(comment.Text, "//") + "\n"
	}
	return lines
}

func (pkg *apiPackage) addValue(kind token.Token, spec *ast.ValueSpec) {
	if kind != token.CONST || len(spec.Values) != 1 {
		return
	}
	text, isText := textOf(spec.Values[0])
	if isText && spec.Names[0].Name == "GroupName" {
		pkg.group = text
	}
	if isText {
		texts[pkg.name+"."+spec.Names[0].Name] = text
	}
	if name, ok := spec.Type.(*ast.Ident); ok && isText {
		pkg.constants[name.Name] = append(pkg.constants[name.Name], text)
	}
	if conversion, ok := spec.Values[0].(*ast.CallExpr); ok && len(conversion.Args) == 1 {
		name, isName := conversion.Fun.(*ast.Ident)
		if other, ok := conversion.Args[0].(*ast.SelectorExpr); ok && isName {
			pkg.borrowed[name.Name] = append(pkg.borrowed[name.Name], other.Sel.Name)
		}
		if text, isText := textOf(conversion.Args[0]); isName && isText {
			pkg.constants[name.Name] = append(pkg.constants[name.Name], text)
		}
	}
}

func textOf(value ast.Expr) (string, bool) {
	literal, ok := value.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

func (pkg *apiPackage) factsOf(name string) *typeFacts {
	spec := pkg.specs[name]
	if spec.Assign.IsValid() {
		return nil // another name of the same type
	}
	full := pkg.name + "." + name
	if numbers, ok := unions[full]; ok {
		return &typeFacts{K: "json", PB: numbers}
	}
	doc := pkg.docs[name]
	if structure, ok := spec.Type.(*ast.StructType); ok {
		facts := &typeFacts{F: pkg.fieldsOf(name, structure), MT: marker(doc, "mapType"), ST: marker(doc, "structType")}
		if pkg.registered[name] && pkg.group != "meta.k8s.io" {
			facts.GVK = []string{pkg.group, pkg.version, name}
		}
		return facts
	}
	if !pkg.isKept(name) {
		return nil
	}
	facts := &typeFacts{Of: pkg.typeText(name, spec.Type)}
	values := pkg.constants[name]
	for _, other := range pkg.borrowed[name] {
		values = append(values, texts["core.v1."+other])
	}
	if len(values) > 0 {
		sort.Strings(values)
		facts.Enum = values
	}
	if strings.Contains(doc, "+enum") {
		facts.EM = 1
	}
	if facts.Of == "[]string" {
		facts.PbMsg = 1
	}
	return facts
}

// A name that is kept: a string, or a list that protobuf wraps in a message. Others are looked through.
func (pkg *apiPackage) isKept(name string) bool {
	switch spec := pkg.specs[name].Type.(type) {
	case *ast.Ident:
		return spec.Name == "string"
	case *ast.ArrayType:
		return strings.Contains(pkg.docs[name], "+protobuf.nullable=true")
	}
	return false
}

func (pkg *apiPackage) fieldsOf(name string, structure *ast.StructType) fields {
	all := fields{}
	for _, each := range structure.Fields.List {
		if each.Tag == nil {
			continue
		}
		text, _ := strconv.Unquote(each.Tag.Value)
		tag := reflect.StructTag(text)
		parts := strings.Split(tag.Get("json"), ",")
		if one, ok := each.Type.(*ast.SelectorExpr); ok && (one.Sel.Name == "TypeMeta") && len(each.Names) == 0 {
			continue
		}
		if one, ok := each.Type.(*ast.Ident); ok && one.Name == "TypeMeta" && len(each.Names) == 0 {
			continue
		}
		if parts[0] == "-" {
			continue
		}
		all = append(all, pkg.fieldOf(name, each, tag, parts))
	}
	return all
}

func (pkg *apiPackage) fieldOf(owner string, each *ast.Field, tag reflect.StructTag, parts []string) field {
	doc := raw(each.Doc)
	made := field{key: parts[0], T: pkg.typeText(owner, each.Type), PS: tag.Get("patchStrategy"), PK: tag.Get("patchMergeKey"),
		LT: marker(doc, "listType"), LK: markers(doc, "listMapKey"), MT: marker(doc, "mapType"), ST: marker(doc, "structType")}
	optional := strings.Contains(doc, "+optional\n") || strings.Contains(doc, "+k8s:optional\n")
	for _, option := range parts[1:] {
		switch option {
		case "omitempty":
			made.OE, optional = made.OE|1, true
		case "omitzero":
			made.OE |= 2
		}
	}
	if len(each.Names) == 0 && parts[0] == "" { // inlined; `json:",inline"` before 1.37
		made.key = "," + strings.TrimPrefix(made.T[strings.LastIndex(made.T, ".")+1:], "#")
	}
	if _, ok := each.Type.(*ast.StarExpr); ok {
		made.Ptr = 1
	}
	if made.T == "raw" && made.Ptr == 0 {
		made.OE = 0 // a struct is never empty
	}
	if numbers := strings.Split(tag.Get("protobuf"), ","); len(numbers) > 1 {
		made.P, _ = strconv.Atoi(numbers[1])
	}
	if (strings.Contains(doc, "+required\n") || !optional) && !strings.HasPrefix(made.key, ",") {
		made.R = 1
	}
	if text := marker(doc, "default"); text != "" {
		if strings.HasPrefix(text, "ref(") {
			made.D = "@" + text
		} else if json.Unmarshal([]byte(text), &made.D) != nil {
			made.D = nil
		}
	}
	return made
}

// `[]#core.v1.Container`; the names of structs and kept aliases have a mark.
func (pkg *apiPackage) typeText(owner string, expression ast.Expr) string {
	switch each := expression.(type) {
	case *ast.StarExpr:
		return pkg.typeText(owner, each.X)
	case *ast.ArrayType:
		if one, ok := each.Elt.(*ast.Ident); ok && one.Name == "byte" {
			return "bytes"
		}
		return "[]" + pkg.typeText(owner, each.Elt)
	case *ast.MapType:
		return "{}" + pkg.typeText(owner, each.Value)
	case *ast.InterfaceType:
		return "any"
	case *ast.Ident:
		return pkg.named(each.Name)
	case *ast.SelectorExpr:
		path := pkg.imports[owner][each.X.(*ast.Ident).Name]
		if scalar, ok := scalars[path+"."+each.Sel.Name]; ok {
			return scalar
		}
		other, ok := packages[path]
		if !ok {
			return "string"
		}
		return other.named(each.Sel.Name)
	}
	return "any"
}

func (pkg *apiPackage) named(name string) string {
	for path, one := range packages {
		if scalar, ok := scalars[path+"."+name]; ok && one == pkg {
			return scalar
		}
	}
	spec, ok := pkg.specs[name]
	if !ok {
		if name == "int" {
			return "int64"
		}
		return name
	}
	if _, isStruct := spec.Type.(*ast.StructType); !spec.Assign.IsValid() && (isStruct || pkg.isKept(name)) {
		return "#" + pkg.name + "." + name
	}
	return pkg.typeText(name, spec.Type)
}

func markers(doc, name string) []string {
	found := regexp.MustCompile(`(?m)^\s*\+`+name+`=(.+?)\s*$`).FindAllStringSubmatch(doc, -1)
	values := []string{}
	for _, each := range found {
		values = append(values, each[1])
	}
	return values
}

func marker(doc, name string) string {
	if all := markers(doc, name); len(all) > 0 {
		return all[0]
	}
	return ""
}
