import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createStubRegistry } from '../../../src/testing/stubs/stub-registry.ts';
import { loadScript } from '../../../src/testing/stubs/load-script.ts';
import type { ReviewFunction } from '../../../src/testing/stubs/webhook-spec.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

let made = 0;

/** A folder with these files, and the result of loading the first of them, without the folder in its texts. */
async function load(files: Readonly<Record<string, string>>): Promise<string | ReviewFunction> {
  const root = join(folder, String((made += 1)));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const [first = ''] = Object.keys(files);
  const loading = await loadScript(join(root, first));
  return loading.outcome === 'loaded' ? loading.run : loading.error.replaceAll(`${root}/`, '');
}

const review = { request: { uid: 'u', object: { metadata: { name: 'web' } } } };
const denies = { allowed: false };

const typed = `
interface Review { request: { uid: string } }

enum Answer { No = 'no' }

export default async function review(review: Review): Promise<unknown> {
  return { allowed: false, status: { message: \`\${Answer.No} \${review.request.uid}\` } };
}
`;

const loads: readonly [fact: string, files: Readonly<Record<string, string>>, answer: unknown][] = [
  ['a default export', { 'a.mjs': 'export default () => ({ allowed: false })' }, denies],
  ['an export named review', { 'a.js': 'export const review = () => ({ allowed: false });' }, denies],
  ['CommonJS with a function', { 'a.cjs': 'module.exports = () => ({ allowed: false });' }, denies],
  ['CommonJS with review', { 'a.cjs': 'exports.review = () => ({ allowed: false });' }, denies],
  ['CommonJS in a .js file', { 'a.js': 'module.exports = { review: () => ({ allowed: false }) };' }, denies],
  ['TypeScript, with more than types', { 'a.ts': typed }, { allowed: false, status: { message: 'no u' } }],
  ['an .mts file', { 'a.mts': 'export const review = (_: object): unknown => null;' }, null],
  [
    'files it imports, as .js for .ts and JSON too',
    {
      'a.ts': `import answer from './lib/answer.js'; import data from './data.json' with { type: 'json' };
        export * from './lib/review.ts'; export const all = [answer, data];`,
      'lib/answer.ts': 'const answer: string = "yes"; export default answer;',
      'lib/review.ts': 'import { all } from "../a.ts"; export const review = () => ({ all });',
      'data.json': '{"x":1}',
    },
    { all: ['yes', { x: 1 }] },
  ],
  ["Node's modules", { 'a.mjs': 'import { join } from "node:path"; export default () => join("a", "b");' }, 'a/b'],
  ['its own place', { 'a.mjs': 'export default () => import.meta.url.slice(0, 8);' }, 'file:///'],
  [
    'what it imports later',
    { 'a.mjs': 'export default () => import("./b.mjs");', 'b.mjs': 'export const b = 1;' },
    { b: 1 },
  ],
  ['what a CommonJS file imports later', { 'a.cjs': 'module.exports = () => import("./b.mjs");', 'b.mjs': '' }, {}],
  [
    "the default export, names and all of a package of Node's",
    {
      'a.mjs': `import path, { sep } from 'node:path'; import * as all from 'node:path'; export * from 'node:path';
        export default () => [path.sep, sep, all.sep, Object.keys(all).includes('join')];`,
    },
    ['/', '/', '/', true],
  ],
  [
    'exports that change',
    {
      'a.mjs': 'import { n, next } from "./b.mjs"; export default () => [n, next(), n];',
      'b.mjs': 'export let n = 1; export const next = () => { n++; return n; };',
    },
    [1, 2, 2],
  ],
  ['an import of a type alone', { 'a.ts': 'import { T } from "no-such-types"; export default (): T => 1 as T;' }, 1],
  [
    'parameter properties',
    { 'a.ts': 'class A { constructor(readonly x: number) {} }\nexport default () => new A(1).x;' },
    1,
  ],
  [
    'the lines of the file in a stack trace',
    {
      'a.ts': `#!/usr/bin/env node
import { sep } from 'node:path';
interface A {
  a: typeof sep;
}
export default (_: A) => /a\\.ts:\\d+/.exec(new Error('here').stack ?? '')?.[0];
`,
    },
    'a.ts:6',
  ],
  ['await outside of functions', { 'a.mjs': 'const one = await Promise.resolve(1); export default () => one;' }, 1],
];

test.each(loads)('a script may be or have %s', async (_fact, files, answer) => {
  const run = await load(files);
  if (typeof run === 'string') throw new Error(run);
  expect(await run(review)).toEqual(answer);
});

const problems: readonly [fact: string, files: Readonly<Record<string, string>>, error: string][] = [
  ['JavaScript that cannot be read', { 'a.mjs': 'const a = 1;\n\nconst b = ;\n' }, 'a.mjs:3: Unexpected token'],
  ['TypeScript that cannot be read', { 'a.ts': 'type A = 1;\nlet b: = 2;\n' }, 'a.ts:2: Unexpected token'],
  [
    'nothing to call',
    { 'a.mjs': 'export const x = 1;' },
    'a.mjs:1: exports no function: write `export default function (review) { … }`',
  ],
  [
    'an error while it loads',
    { 'a.ts': 'type A = 1;\n\n\nconst a: A = 1;\nthrow new Error("not today\\nnor tomorrow");' },
    'a.ts:5: not today',
  ],
  [
    'JavaScript that Node refuses',
    { 'a.js': '\nlet b;\nlet b;\n' },
    "a.js:3: Identifier 'b' has already been declared",
  ],
  ['an import without an end', { 'a.mjs': 'const a = 1;\nimport(' }, 'a.mjs:2: Unexpected token'],
  ['CommonJS that cannot be read', { 'a.cjs': '\nconst b = ;\n' }, "a.cjs:2: Unexpected token ';'"],
  [
    'an error in what it imports',
    { 'a.ts': 'import "./b.ts";', 'b.ts': '\nlet x: number = y;' },
    'b.ts:2: y is not defined',
  ],
  ['an import that is not there', { 'a.ts': 'import "./b.ts";' }, 'b.ts: no such file, or it cannot be read'],
  ['another extension', { 'a.py': 'pass' }, 'a.py: a script is a .js, .mjs, .cjs, .ts or .mts file'],
];

test.each(problems)('%s is one line', async (_fact, files, error) => {
  expect(await load(files)).toBe(error);
});

test('a package that is not there is named', async () => {
  expect(await load({ 'a.mjs': 'import "no-such-package-of-kadmit"; export default () => 1;' })).toMatch(
    /^a\.mjs:1: .*no-such-package-of-kadmit/,
  );
});

// Issue 5, part 2: state in a script stays in its world.
test('each stubRegistry has variables of its own, also those of imported files', async () => {
  const run = await load({
    'a.ts': `import { next } from './count.ts'; let own: number = 0;
      export default () => ({ allowed: true, warnings: [\`\${(own += 1)} \${next()}\`] });`,
    'count.ts': 'let count = 0; export const next = () => (count += 1);',
  });
  if (typeof run === 'string') throw new Error(run);
  const specs = [{ name: 'w', does: [{ type: 'script' as const, run }], faults: [] }];
  const runs = [createStubRegistry(specs, 1), createStubRegistry(specs, 1)].map((board) => {
    const [behaviour] = board.find('w', undefined)?.does ?? [];
    return behaviour?.type === 'script' ? behaviour.run : run;
  });
  const said = [];
  for (const one of [runs[0], runs[0], runs[1]]) said.push(await one?.(review));
  expect(said).toEqual(['1 1', '2 2', '1 1'].map((text) => ({ allowed: true, warnings: [text] })));
});
