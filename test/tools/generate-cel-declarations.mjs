// Makes src/cel/builtin/declarations.json from a dump of the Kubernetes CEL environment (spec/cel-env.json):
//   node test/tools/generate-cel-declarations.mjs path/to/cel-env.json
// A row is [function, overload, argument types (the receiver first), result type, member, since].
import { readFileSync, writeFileSync } from 'node:fs';

const [path = 'cel-env.json'] = process.argv.slice(2);
const { functions, macros } = JSON.parse(readFileSync(path, 'utf8'));

/** The parts of `a, b(c, d)` between top-level commas. */
function split(text) {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    depth += Number(char === '(') - Number(char === ')');
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function row({ fn, overload, signature, member, since }) {
  const arrow = signature.lastIndexOf(' -> ');
  const head = signature.slice(0, arrow - 1);
  const at = member ? head.lastIndexOf(`.${fn}(`) : -1;
  const receiver = member ? [head.slice(0, at)] : [];
  const args = split(head.slice(at + 1 + fn.length + 1));
  return [fn, overload, [...receiver, ...args], signature.slice(arrow + 4), member, since];
}

// What 1.37 adds, and an older spelling of operators that no expression can contain.
const added = {
  fn: 'includes',
  overload: 'list_includes_dyn_dyn',
  signature: 'dyn.includes(dyn) -> bool',
  member: true,
  since: '1.37',
};
const rows = [...functions, added].filter(({ fn }) => !['in', '_in_', '__not_strictly_false__'].includes(fn)).map(row);
// Upstream declares the element types in this order, and of several overloads that fit an empty list the first one decides.
const elementOrder = 'int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes'
  .split(' ')
  .map((type) => `list(${type})`);
const ordered = ['sum', 'min', 'max', 'isSorted', 'sort', '@sortByAssociatedKeys'];
const place = ([fn, , args]) => (ordered.includes(fn) ? elementOrder.indexOf(args.at(-1)) : 0);
const names = [...new Set(rows.map(([fn]) => fn))];
const sorted = names.flatMap((name) => rows.filter(([fn]) => fn === name).sort((a, b) => place(a) - place(b)));

const macroRows = macros.map(({ name, args, receiver, since }) => [name, args, receiver, since]);

const lines = (list) => list.map((item) => `    ${JSON.stringify(item)}`).join(',\n');
writeFileSync(
  'src/cel/builtin/declarations.json',
  `{\n  "macros": [\n${lines(macroRows)}\n  ],\n  "functions": [\n${lines(sorted)}\n  ]\n}\n`,
);
