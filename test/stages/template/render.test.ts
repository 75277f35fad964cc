import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/apimachinery/json.ts';
import { isTemplateFunction, templateFunctions } from '../../../src/stages/template-functions.ts';
import { parseTemplate } from '../../../src/stages/template/parse.ts';
import { render } from '../../../src/stages/template/render.ts';

const functions = templateFunctions({
  now: () => '2026-01-01T00:00:00Z',
  startTime: '',
  nodeName: 'node-1',
  nodeIPs: () => ['10.0.0.1'],
  podIPs: (uid, namespace, name) => [`address of ${[uid, namespace, name].join('/')}`],
});

const data: JsonObject = {
  name: 'web',
  count: 3,
  empty: '',
  none: null,
  ports: [80, 443],
  labels: { b: 'two', a: 'one' },
  containers: [
    { name: 'c', image: 'i:1' },
    { name: 'd', image: 'j' },
  ],
};

function made(source: string): string {
  const reading = parseTemplate(source, isTemplateFunction);
  if (reading.outcome === 'wrong') return `wrong: ${reading.error}`;
  const rendering = render(reading.nodes, data, functions);
  return rendering.outcome === 'rendered' ? rendering.text : `failed: ${rendering.error}`;
}

// What go's text/template with Sprig and KWOK's functions makes of them.
test.each<readonly [source: string, text: string]>([
  ['plain', 'plain'],
  ['{{ .name }}', 'web'],
  ['a {{- .name -}} b', 'awebb'],
  ['a {{/* not said */}}b', 'a b'],
  ['{{ .missing }}', '<no value>'],
  ['{{ .missing.deeper }}', '<no value>'],
  ['{{ .none }}', '<no value>'],
  ['{{ .labels }} {{ .ports }}', 'map[a:one b:two] [80 443]'],
  ['{{ .labels.a | Quote }}', '"one"'],
  ['{{ .count | Quote }}', '"3"'],
  ['{{ if .empty }}yes{{ else }}no{{ end }}', 'no'],
  ['{{ if not .empty }}yes{{ end }}', 'yes'],
  ['{{ if .empty }}a{{ else if .name }}b{{ else }}c{{ end }}', 'b'],
  ['{{ with .labels }}{{ .a }}{{ else }}none{{ end }}', 'one'],
  ['{{ with .missing }}{{ .a }}{{ else with .name }}{{ . }}{{ end }}', 'web'],
  ['{{ range .containers }}{{ .name }}={{ $.name }} {{ end }}', 'c=web d=web '],
  ['{{ range $i, $c := .containers }}{{ $i }}{{ $c.image }}{{ end }}', '0i:11j'],
  ['{{ range $k, $v := .labels }}{{ $k }}{{ $v }} {{ end }}', 'aone btwo '],
  ['{{ range .missing }}x{{ else }}none{{ end }}', 'none'],
  ['{{ range .ports }}{{ if eq . 443 }}{{ break }}{{ end }}{{ . }}{{ end }}', '80'],
  ['{{ range .ports }}{{ if eq . 80 }}{{ continue }}{{ end }}{{ . }}{{ end }}', '443'],
  ['{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}', '2'],
  ['{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }}', '1'],
  ['{{ or .empty .name }} {{ and .empty .name }}|', 'web |'],
  ['{{ or .name (fail "not asked") }}', 'web'],
  ['{{ index .ports 1 }} {{ index .labels "b" }} {{ (index .containers 0).image }}', '443 two i:1'],
  ['{{ eq .name "db" "web" }} {{ ne 1 2 }} {{ lt 1 2 }} {{ ge "b" "a" }}', 'true true true true'],
  ['{{ len .ports }} {{ len "ä" }}', '2 2'],
  ['{{ printf "%s-%03d %q %v%%" .name 7 "x" .ports }}', 'web-007 "x" [80 443]%'],
  ['{{ "a\\tb" }}{{ `raw \\t` }}', 'a\tbraw \\t'],
  ['{{ list "a" .name | join "-" }}', 'a-web'],
  ['{{ default "x" .empty }} {{ ternary "a" "b" false }}', 'x b'],
  ['{{ (dict "k" .name).k }} {{ hasKey (dict "k" 1) "j" }}', 'web false'],
  ['{{ add 1 2 }} {{ sub 5 3 }} {{ div 7 2 }} {{ mod 7 2 }}', '3 2 3 1'],
  ['{{ "a b" | upper | replace " " "-" | trunc 2 }}', 'A-'],
  ['{{ YAML .labels 1 }}', '\n  {"b":"two","a":"one"}\n'],
  ['{{ NodeName }} {{ NodeIP }} {{ NodeIPWith "n" }} {{ Now }}', 'node-1 10.0.0.1 10.0.0.1 2026-01-01T00:00:00Z'],
  ['{{ PodIPWith "n" false "u" "p" "ns" }} {{ PodIPWith "n" true "u" "p" "ns" }}', 'address of u/ns/p 10.0.0.1'],
])('%s', (source, text) => {
  expect(made(source)).toBe(text);
});

test.each<readonly [source: string, problem: string]>([
  ['a\n{{ .x', 'wrong: line 2: unclosed action'],
  ['{{ if .x }}', 'wrong: line 1: {{if}} has no {{end}}'],
  ['{{ end }}', 'wrong: line 1: unexpected {{end}}'],
  ['{{ else }}', 'wrong: line 1: unexpected {{else}}'],
  ['{{ $x }}', 'wrong: line 1: undefined variable "$x"'],
  ['{{ $x = 1 }}', 'wrong: line 1: undefined variable "$x"'],
  ['{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}', 'wrong: line 1: undefined variable "$x"'],
  ['{{ genCA "x" 1 }}', 'wrong: line 1: function "genCA" is not known here'],
  ['{{ template "x" }}', 'wrong: line 1: {{template}} is not supported; write its content where it is needed'],
  ['{{ break }}', 'wrong: line 1: {{break}} outside {{range}}'],
  ['{{ (1 }}', 'wrong: line 1: unclosed left paren'],
  ['{{ .a .b }}', 'wrong: line 1: arguments are given to something that is no function'],
  ['{{ .name.first }}', "failed: can't evaluate field first in web"],
  ['{{ index .ports 2 }}', 'failed: error calling index: index out of range: 2'],
  ['{{ fail "no" }}', 'failed: no'],
  ['{{ div 1 0 }}', 'failed: integer divide by zero'],
  ['{{ repeat 2000000 "x" }}', 'failed: repeat makes more than 1 MiB of text'],
  ['{{ range until 10000 }}{{ range until 10000 }}x{{ end }}{{ end }}', 'failed: it takes more than 100000 steps'],
])('%s is refused', (source, problem) => {
  expect(made(source)).toBe(problem);
});
