import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

/** The rooms of src/, core first, and the other rooms each may open. `(root)` is main.ts, library.ts, test-thread.ts and replay-thread.ts. */
const mayOpen: Readonly<Record<string, readonly string[]>> = {
  apimachinery: [],
  files: [],
  cel: ['apimachinery'],
  schema: ['apimachinery'],
  apply: ['apimachinery', 'schema'],
  auth: ['apimachinery'],
  store: ['apimachinery'],
  quota: ['apimachinery', 'schema'],
  admission: ['apimachinery', 'auth', 'cel', 'schema', 'quota'],
  crd: ['apimachinery', 'cel', 'schema', 'apply'],
  custom: ['apimachinery', 'schema', 'apply', 'crd', 'store', 'admission'],
  request: ['apimachinery', 'schema', 'apply', 'auth', 'store', 'admission', 'custom'],

  trace: ['apimachinery', 'admission', 'request', 'files'],
  findings: ['apimachinery', 'admission', 'trace'],
  explain: ['apimachinery', 'admission', 'trace', 'findings'],
  audit: ['apimachinery', 'auth', 'admission', 'request', 'files'],
  telemetry: ['apimachinery', 'admission', 'request'],
  certs: ['files'],
  'webhook-client': ['apimachinery', 'admission', 'files'],
  breaks: ['apimachinery', 'admission'],
  engines: ['apimachinery', 'store', 'files'],
  controllers: ['apimachinery', 'schema', 'quota', 'custom', 'request', 'store', 'files'],
  http: ['apimachinery', 'schema', 'request', 'trace', 'findings', 'breaks'],
  ui: ['apimachinery', 'trace', 'findings', 'explain'],
  faults: ['apimachinery', 'admission', 'files'],
  config: ['apimachinery', 'schema', 'files'],
  scenario: ['apimachinery', 'trace', 'findings', 'explain', 'files', 'faults'],
  'cel-command': ['apimachinery', 'cel'],
  replay: ['apimachinery', 'admission', 'schema', 'trace'],
  flags: ['apimachinery', 'config'],
  kubeconfig: ['apimachinery', 'files', 'config'],
  snapshot: ['apimachinery', 'files', 'config', 'kubeconfig'],
  lint: [
    'apimachinery',
    'cel',
    'schema',
    'admission',
    'crd',
    'custom',
    'request',
    'trace',
    'webhook-client',
    'scenario',
  ],
  cluster: [
    'apimachinery',
    'cel',
    'schema',
    'apply',
    'auth',
    'store',
    'admission',
    'crd',
    'custom',
    'request',
    'trace',
    'webhook-client',
    'controllers',
    'http',
    'faults',
    'scenario',
    'config',
    'snapshot',
  ],
  simulate: [
    'apimachinery',
    'admission',
    'request',
    'trace',
    'certs',
    'webhook-client',
    'controllers',
    'http',
    'faults',
    'scenario',
    'config',
    'cluster',
  ],
  trials: ['apimachinery', 'admission', 'trace', 'findings', 'files', 'faults', 'scenario', 'config', 'lint'],
  serve: [
    'apimachinery',
    'cel',
    'schema',
    'auth',
    'store',
    'crd',
    'custom',
    'admission',
    'request',
    'trace',
    'audit',
    'telemetry',
    'files',
    'certs',
    'webhook-client',
    'breaks',
    'engines',
    'controllers',
    'http',
    'faults',
    'config',
    'cluster',
    'lint',
    'trials',
    'simulate',
  ],
  imports: ['apimachinery', 'cel', 'lint', 'scenario', 'config'],
  load: ['apimachinery', 'config', 'faults', 'scenario', 'kubeconfig'],
  cli: [
    'apimachinery',
    'lint',
    'trials',
    'imports',
    'load',
    'trace',
    'findings',
    'explain',
    'files',
    'certs',
    'scenario',
    'cel-command',
    'replay',
    'config',
    'flags',
    'kubeconfig',
    'snapshot',
  ],
  library: [
    'apimachinery',
    'admission',
    'trace',
    'explain',
    'faults',
    'scenario',
    'config',
    'cluster',
    'simulate',
    'serve',
    'lint',
    'trials',
    'imports',
    'load',
    'kubeconfig',
    'snapshot',
    'flags',
  ],
  '(root)': [
    'cli',
    'library',
    'load',
    'snapshot',
    'lint',
    'trials',
    'serve',
    'simulate',
    'faults',
    'scenario',
    'config',
    'trace',
    'http',
    'admission',
  ],
};
const core = new Set([
  'custom',
  'apimachinery',
  'cel',
  'schema',
  'apply',
  'auth',
  'store',
  'quota',
  'admission',
  'crd',
  'request',
]);

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const coreFiles = files.filter((file) => core.has(roomOf(file)));

test('the imports are really read', () => {
  expect(files.flatMap(importsOf).length).toBeGreaterThan(files.length);
});

test('a room opens only rooms that stand before it, and the root is opened by nobody', () => {
  const order = Object.keys(mayOpen);
  const backwards = order.flatMap((room, place) =>
    (mayOpen[room] ?? []).filter((opened) => order.indexOf(opened) >= place).map((opened) => `${room} opens ${opened}`),
  );
  expect(backwards).toEqual([]);
});

test('the files of the root are opened by nobody, not even by each other', () => {
  const opened = files.flatMap((file) => openedBy(file).filter((one) => roomOf(one) === '(root)'));
  expect(opened).toEqual([]);
});

test('no file leads back to itself, not even by its types', () => {
  expect(cyclesIn(new Map(files.map((file) => [file, openedBy(file)])))).toEqual([]);
});

test.each<[string, Readonly<Record<string, readonly string[]>>, readonly (readonly string[])[]]>([
  ['a line', { a: ['b'], b: ['c'], c: [] }, []],
  ['two ways to the same file', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ['a file that opens itself', { a: ['a'] }, [['a', 'a']]],
  ['two that open each other', { a: ['b'], b: ['a'] }, [['a', 'b', 'a']]],
  ['a round behind a line', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, [['b', 'c', 'd', 'b']]],
  [
    'two rounds',
    { a: ['b', 'c'], b: ['b'], c: ['c'] },
    [
      ['b', 'b'],
      ['c', 'c'],
    ],
  ],
])('cycles are found: %s', (_, opens, cycles) => {
  expect(cyclesIn(new Map(Object.entries(opens)))).toEqual(cycles);
});

test.each(files)('src/%s opens only the rooms it may', (file) => {
  const opened = openedBy(file)
    .map(roomOf)
    .filter((room) => room !== roomOf(file));
  expect(mayOpen).toHaveProperty([roomOf(file)]);
  expect(mayOpen[roomOf(file)]).toEqual(expect.arrayContaining(opened));
});

test.each(Object.entries(mayOpen))('%s opens every room that it may', (room, allowed) => {
  const opened = new Set(files.filter((file) => roomOf(file) === room).flatMap((file) => openedBy(file).map(roomOf)));
  expect(allowed.filter((one) => !opened.has(one))).toEqual([]);
});

test('files are short: eighty lines are usual, 260 the end', () => {
  const written = files.filter((file) => !file.includes('/generated/'));
  const lengths = written.map((file) => readFileSync(join('src', file), 'utf8').split('\n').length - 1);
  expect(written.filter((_, index) => (lengths[index] ?? 0) > 260)).toEqual([]);
  expect(lengths.toSorted((one, other) => one - other)[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(80);
});

/** Counted in the syntax tree: `as const` and the words of comments and texts are none. */
function castsIn(text: string): number {
  let casts = 0;
  const visitor = new Visitor({
    TSAsExpression: ({ typeAnnotation: type }) => {
      const isConst =
        type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
      if (!isConst) casts += 1;
    },
  });
  visitor.visit(parseSync('file.tsx', text, { lang: 'tsx' }).program);
  return casts;
}

test('casts are counted in the syntax tree', () => {
  expect(castsIn("// as A\nconst a = [' as '] as const; const b = a as B; f(b as unknown as C);")).toBe(3);
});

test('casts are rare: at most 0.7 in a thousand lines', () => {
  const texts = files
    .filter((file) => !file.includes('/generated/'))
    .map((file) => readFileSync(join('src', file), 'utf8'));
  const casts = texts.filter((text) => text.includes(' as ')).reduce((sum, text) => sum + castsIn(text), 0);
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  expect((1000 * casts) / lines).toBeLessThanOrEqual(0.7);
});

test.each([
  ['// oxlint-disable-next-line no-console', true],
  ['// oxlint-disable-next-line no-console -- ', true],
  ['// @ts-expect-error', true],
  ['/* eslint-disable */', true],
  ['// oxlint-disable-next-line no-console -- it is what the command says', false],
  ['// @ts-expect-error: it is spec', false],
])('a suppression without a reason is found: %s', (line, isFound) => {
  expect(suppressionsIn(line).length > 0).toBe(isFound);
});

test('no rule and no error is suppressed without a reason', () => {
  const all = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const written = all.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/generated|architecture\.test/.test(file));
  expect(
    written.flatMap((file) => suppressionsIn(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`)),
  ).toEqual([]);
});

function suppressionsIn(text: string): readonly string[] {
  const suppresses = /(?:^|\s)\/[/*] ?(?:(?:ox|es)lint-disable|@ts-(?:ignore|nocheck|expect-error))/;
  const saysWhy = /lint-disable.* -- \S|@ts-expect-error:? \S/;
  return text.split('\n').filter((line) => suppresses.test(line) && !saysWhy.test(line));
}

/** What these words mean stands in docs/architecture.md. The library tells its users of the same things in types of its own. */
const nouns: Readonly<Record<string, readonly string[]>> = {
  Answer: ['app/library/client.ts'],
  ApiServer: ['app/compose/create-api.ts'],
  Finished: ['apiserver/request/handle.ts'],
  Ground: ['app/compose/ground.ts'],
  Instance: ['app/server/resettable.ts'],
  Place: ['testing/scenario/format.ts'],
  Session: [],
  Target: ['app/library/client.ts', 'apiserver/request/exchange.ts'],
  World: ['app/library/create-world.ts', 'testing/scenario/world.ts'],
};

test.each(Object.entries(nouns))('%s has one meaning', (noun, meant) => {
  const named = new RegExp(String.raw`^(?:export )?(?:type|interface|class) ${noun}\b`, 'm');
  expect(files.filter((file) => named.test(readFileSync(join('src', file), 'utf8'))).toSorted()).toEqual(meant);
});

test.each(coreFiles)('src/%s does no I/O', (file) => {
  expect(importsOf(file).filter((path) => path.startsWith('node:'))).toEqual([]);
});

test('cel is opened by its two doors: the engine, and the words for types and values that cost nothing at start', () => {
  const inside = files
    .filter((file) => roomOf(file) !== 'cel')
    .flatMap((file) => importsOf(file).map((path) => normalize(join(dirname(file), path))))
    .filter((path) => roomOf(path) === 'cel');
  expect([...new Set(inside)].toSorted()).toEqual(['cel/index.ts', 'cel/vocabulary.ts']);
});

/** Who says which release it is; all others are given it. */
const chooseTheRelease: Readonly<Record<string, string>> = {
  'app/compose/in-process.ts': 'worlds without sockets',
  'analysis/lint/model/served-rows.ts': 'manifests of a cluster that is not there',
  'testing/object-validation/served-kinds.ts': 'manifests of a cluster that is not there',
  'testing/record-replay/judge.ts': 'reviews of a server that is not there',
  'app/server/api-switches.ts': 'the server',
  'adapters/config/kubernetes-version.ts': 'what flags may name',
  'app/server/static-manifests.ts': 'manifests that are read before there is a server',
  'api/apply/custom-value-type.ts': 'ObjectMeta of custom resources is the same in all releases',
  'api/crd/embedded.ts': 'ObjectMeta of custom resources is the same in all releases',
};

test('tables of releases are opened in schema/release alone', () => {
  const opened = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => /release\/v\d|v\d+[.-]\d+/.test(path))
      .map(() => file),
  );
  expect(opened.filter((file) => !file.startsWith('schema/release/'))).toEqual([]);
  expect(opened).not.toEqual([]);
});

test('a release is chosen at the edge and passed on', () => {
  const choosing = files.filter((file) =>
    importsOf(file).some((path) => /release\/(current|load)-release\.ts$/.test(path)),
  );
  expect(choosing.toSorted()).toEqual(Object.keys(chooseTheRelease).toSorted());
});

function roomOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '(root)';
}

/** The files of src/ that a file imports, also where it imports types alone or does so later. */
const openedBy = (file: string): readonly string[] =>
  importsOf(file)
    .filter((path) => path.startsWith('.'))
    .map((path) => normalize(join(dirname(file), path)));

/** The first way back of each round that a walk meets: `['a', 'b', 'a']`. */
function cyclesIn(opens: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): readonly (readonly string[])[] => {
    const at = way.indexOf(file);
    if (at !== -1) return [[...way.slice(at), file]];
    if (done.has(file)) return [];
    const cycles = (opens.get(file) ?? []).flatMap((next) => walk(next, [...way, file]));
    done.add(file);
    return cycles;
  };
  return [...opens.keys()].flatMap((file) => walk(file, []));
}

function importsOf(file: string): readonly string[] {
  const source = readFileSync(join('src', file), 'utf8');
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}
