import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

/** The wings of src/: each imports itself and the wings above it. `(entry)` is main.ts, library.ts and the worker threads' entries. */
const wings = [
  'machinery',
  'cel',
  'api',
  'apiserver',
  'controllers',
  'explain',
  'adapters',
  'testing',
  'analysis',
  'app',
  'ui',
  '(entry)',
];

/** The rooms of the wings in order, and the rooms that each imports. docs/internals/architecture.md says what is in them. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  machinery: [],
  cel: ['machinery'],
  'api/messages': ['machinery'],
  'api/types': ['machinery'],
  'api/codec': ['machinery', 'api/types'],
  'api/validation': ['machinery', 'api/types', 'api/codec'],
  'api/strategy': ['machinery', 'api/types', 'api/codec', 'api/validation'],
  'api/release': ['machinery', 'api/messages', 'api/types', 'api/codec', 'api/strategy'],
  'api/apply': ['machinery', 'api/types', 'api/codec', 'api/release'],
  'api/crd': ['machinery', 'cel', 'api/codec', 'api/validation', 'api/release', 'api/apply'],
  'apiserver/auth': ['machinery'],
  'apiserver/quota': ['machinery', 'api/types', 'api/codec', 'api/validation'],
  'apiserver/storage': ['machinery'],
  'apiserver/admission': [
    'machinery',
    'cel',
    'api/types',
    'api/codec',
    'api/validation',
    'apiserver/auth',
    'apiserver/quota',
  ],
  'apiserver/custom-resources': [
    'machinery',
    'api/types',
    'api/codec',
    'api/validation',
    'api/strategy',
    'api/apply',
    'api/crd',
    'apiserver/storage',
    'apiserver/admission',
  ],
  'apiserver/request': [
    'machinery',
    'api/types',
    'api/codec',
    'api/validation',
    'api/strategy',
    'api/release',
    'api/apply',
    'apiserver/auth',
    'apiserver/storage',
    'apiserver/admission',
    'apiserver/custom-resources',
  ],
  controllers: [
    'machinery',
    'api/types',
    'api/strategy',
    'apiserver/quota',
    'apiserver/storage',
    'apiserver/custom-resources',
    'apiserver/request',
  ],
  'explain/trace': ['machinery', 'apiserver/admission', 'apiserver/request'],
  'explain/findings': ['machinery', 'apiserver/admission', 'explain/trace'],
  'explain/render': ['machinery', 'apiserver/admission', 'explain/trace', 'explain/findings'],
  'adapters/files': [],
  'adapters/traces': ['machinery', 'apiserver/admission', 'apiserver/request', 'explain/trace', 'adapters/files'],
  'adapters/certificates': ['adapters/files'],
  'adapters/config': ['machinery', 'api/release', 'adapters/files'],
  'adapters/storage': ['machinery', 'apiserver/storage', 'adapters/files'],
  'adapters/breakpoints': ['machinery', 'apiserver/admission'],
  'adapters/webhook-client': ['machinery', 'apiserver/admission', 'adapters/files', 'adapters/config'],
  'adapters/audit': ['machinery', 'apiserver/auth', 'apiserver/admission', 'apiserver/request'],
  'adapters/telemetry': ['machinery', 'apiserver/admission', 'apiserver/request', 'adapters/files'],
  'adapters/http': [
    'machinery',
    'api/types',
    'api/codec',
    'api/release',
    'apiserver/request',
    'explain/trace',
    'explain/render',
    'adapters/traces',
    'adapters/breakpoints',
  ],
  'testing/object-validation': [
    'machinery',
    'cel',
    'api/types',
    'api/codec',
    'api/validation',
    'api/strategy',
    'api/release',
    'api/crd',
    'apiserver/admission',
    'apiserver/custom-resources',
    'apiserver/request',
  ],
  'testing/record-replay': [
    'machinery',
    'api/codec',
    'api/release',
    'apiserver/admission',
    'explain/trace',
    'adapters/files',
    'adapters/config',
  ],
  'testing/stubs': ['machinery', 'apiserver/admission', 'adapters/files'],
  'testing/scenario': [
    'machinery',
    'explain/trace',
    'explain/findings',
    'explain/render',
    'adapters/files',
    'adapters/config',
    'testing/stubs',
  ],
  'testing/imports': ['machinery', 'cel', 'adapters/config', 'testing/object-validation', 'testing/scenario'],
  'testing/load': ['machinery', 'adapters/config', 'testing/stubs'],
  'analysis/lint': [
    'machinery',
    'cel',
    'api/release',
    'apiserver/admission',
    'explain/trace',
    'adapters/webhook-client',
    'testing/object-validation',
    'testing/scenario',
  ],
  'analysis/trials': [
    'machinery',
    'apiserver/admission',
    'explain/trace',
    'explain/findings',
    'adapters/files',
    'adapters/traces',
    'adapters/config',
    'testing/stubs',
    'testing/scenario',
    'analysis/lint',
  ],
  'app/compose': [
    'machinery',
    'cel',
    'api/types',
    'api/codec',
    'api/validation',
    'api/strategy',
    'api/release',
    'api/apply',
    'api/crd',
    'apiserver/auth',
    'apiserver/storage',
    'apiserver/admission',
    'apiserver/custom-resources',
    'apiserver/request',
    'controllers',
    'explain/trace',
    'adapters/files',
    'adapters/config',
    'adapters/http',
    'testing/record-replay',
    'testing/stubs',
    'testing/scenario',
  ],
  'app/in-process': [
    'machinery',
    'apiserver/admission',
    'apiserver/request',
    'controllers',
    'explain/trace',
    'adapters/certificates',
    'adapters/config',
    'adapters/webhook-client',
    'adapters/http',
    'testing/stubs',
    'testing/scenario',
    'app/compose',
  ],
  'app/server': [
    'machinery',
    'cel',
    'api/types',
    'api/validation',
    'api/strategy',
    'api/release',
    'api/crd',
    'apiserver/auth',
    'apiserver/storage',
    'apiserver/admission',
    'apiserver/custom-resources',
    'apiserver/request',
    'controllers',
    'explain/trace',
    'adapters/files',
    'adapters/traces',
    'adapters/certificates',
    'adapters/config',
    'adapters/storage',
    'adapters/breakpoints',
    'adapters/webhook-client',
    'adapters/audit',
    'adapters/telemetry',
    'adapters/http',
    'testing/stubs',
    'analysis/lint',
    'analysis/trials',
    'app/compose',
    'app/in-process',
  ],
  'app/cli': [
    'machinery',
    'cel',
    'explain/trace',
    'explain/findings',
    'explain/render',
    'adapters/files',
    'adapters/traces',
    'adapters/certificates',
    'adapters/config',
    'testing/record-replay',
    'testing/scenario',
    'testing/imports',
    'testing/load',
    'analysis/lint',
    'analysis/trials',
  ],
  'app/library': [
    'machinery',
    'apiserver/admission',
    'explain/trace',
    'explain/render',
    'adapters/traces',
    'adapters/config',
    'testing/record-replay',
    'testing/stubs',
    'testing/scenario',
    'testing/imports',
    'testing/load',
    'analysis/lint',
    'analysis/trials',
    'app/compose',
    'app/in-process',
    'app/server',
  ],
  'app/playground': [
    'machinery',
    'api/types',
    'api/release',
    'apiserver/admission',
    'explain/trace',
    'testing/stubs',
    'testing/scenario',
    'analysis/lint',
    'app/compose',
    'app/in-process',
  ],
  ui: ['machinery', 'explain/trace', 'explain/findings', 'explain/render', 'app/playground'],
  '(entry)': [
    'apiserver/admission',
    'explain/trace',
    'adapters/files',
    'adapters/config',
    'adapters/http',
    'testing/record-replay',
    'testing/stubs',
    'testing/scenario',
    'testing/load',
    'analysis/lint',
    'analysis/trials',
    'app/in-process',
    'app/server',
    'app/cli',
    'app/library',
  ],
};

/** Wings without I/O, which run in browsers too: no Node module or global, no clock of their own. */
const core: ReadonlySet<string> = new Set(wings.slice(0, wings.indexOf('adapters')));

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const coreFiles = files.filter((file) => core.has(wingOf(file)));

test('imports are found', () => {
  expect(files.flatMap(importsOf).length).toBeGreaterThan(files.length);
});

test('a wing imports only itself and the wings above it', () => {
  const backwards = Object.entries(mayImport).flatMap(([room, imported]) =>
    imported
      .filter((other) => wings.indexOf(wingOf(`${other}/`)) > wings.indexOf(wingOf(`${room}/`)))
      .map((other) => `${room} imports ${other}`),
  );
  expect(backwards).toEqual([]);
});

test('a folder imports only folders above it', () => {
  const order = Object.keys(mayImport);
  const backwards = order.flatMap((room, place) =>
    (mayImport[room] ?? [])
      .filter((imported) => order.indexOf(imported) >= place)
      .map((imported) => `${room} imports ${imported}`),
  );
  expect(backwards).toEqual([]);
});

test('no file imports an entry', () => {
  const imported = files.flatMap((file) => openedBy(file).filter((one) => roomOf(one) === '(entry)'));
  expect(imported).toEqual([]);
});

test('no file imports itself by a cycle, not even by its types', () => {
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

test.each(files)('src/%s imports only allowed folders', (file) => {
  const opened = openedBy(file)
    .map(roomOf)
    .filter((room) => room !== roomOf(file));
  expect(mayImport).toHaveProperty([roomOf(file)]);
  expect(mayImport[roomOf(file)]).toEqual(expect.arrayContaining(opened));
});

test.each(Object.entries(mayImport))('%s imports every room that it may', (room, allowed) => {
  const opened = new Set(files.filter((file) => roomOf(file) === room).flatMap((file) => openedBy(file).map(roomOf)));
  expect(allowed.filter((one) => !opened.has(one))).toEqual([]);
});

test('no file is longer than 300 lines; the median is at most 120', () => {
  const written = files.filter((file) => !file.includes('/generated/'));
  const lengths = written.map((file) => readFileSync(join('src', file), 'utf8').split('\n').length - 1);
  expect(written.filter((_, index) => (lengths[index] ?? 0) > 300)).toEqual([]);
  expect(lengths.toSorted((one, other) => one - other)[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(120);
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

/** Declared in several files that may not import each other, with the same meaning. */
const declaredTwice = [
  ['CustomColumns', 'KeyedCertificate', 'ManifestFile', 'ReviewVersion', 'durationText'],
  ['isDryRun', 'isPolicy', 'labelsText', 'millisecondsOf', 'nameOf', 'namespaceOf'],
  ['lint'], // The library has a function of the same name.
].flat();

test('an exported name has one meaning', () => {
  const declared = new Map<string, Set<string>>();
  for (const file of files.filter((one) => !one.includes('/generated/'))) {
    for (const [, name = ''] of readFileSync(join('src', file), 'utf8').matchAll(declaration)) {
      declared.set(name, (declared.get(name) ?? new Set()).add(file));
    }
  }
  const several = [...declared].filter(([, files]) => files.size > 1).map(([name]) => name);
  expect(several.toSorted()).toEqual(declaredTwice.toSorted());
});

const declaration = /^export (?:async |declare |abstract )*(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

test.each(coreFiles)('src/%s does no I/O', (file) => {
  const text = readFileSync(join('src', file), 'utf8');
  expect(importsOf(file).filter((path) => path.startsWith('node:'))).toEqual([]);
  expect(nodeGlobalsIn(text)).toEqual([]);
});

test.each<[string, readonly string[]]>([
  ["const text = Buffer.from(bytes).toString('latin1');", ['Buffer']],
  ['const { platform } = process; setImmediate(run);', ['process', 'setImmediate']],
  ["// Buffer\nconst text = 'Buffer.from(text)'; one.process(); interface A { process: string }", []],
])('globals of Node are found in the syntax tree: %s', (text, found) => {
  expect(nodeGlobalsIn(text)).toEqual(found);
});

/** Not the names of fields. */
function nodeGlobalsIn(text: string): readonly string[] {
  if (!/\b(?:Buffer|process|setImmediate|require)\b/.test(text)) return [];
  const found: string[] = [];
  const fields = new Set<object>();
  const visitor = new Visitor({
    MemberExpression: ({ computed, property }) => void (computed || fields.add(property)),
    Property: ({ computed, key }) => void (computed || fields.add(key)),
    TSPropertySignature: ({ key }) => void fields.add(key),
    Identifier: (node) => {
      if (nodeGlobals.has(node.name) && !fields.has(node)) found.push(node.name);
    },
  });
  visitor.visit(parseSync('file.tsx', text, { lang: 'tsx' }).program);
  return found;
}

const nodeGlobals: ReadonlySet<string> = new Set(['Buffer', 'process', 'setImmediate', 'require']);

test('cel is imported through its two entries: the engine, and its types and values, which are cheap at start', () => {
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
  'testing/object-validation/validate-object.ts': 'manifests of a cluster that is not there',
  'testing/record-replay/check-reply.ts': 'reviews of a server that is not there',
  'app/server/api-switches.ts': 'the server',
  'adapters/config/flags/common-flags.ts': 'what flags may name',
  'app/playground/run-texts.ts': 'the release to compare with is a text of a link',
  'app/playground/worker.ts': 'completion for the release of the page',
  'app/server/static-manifests.ts': 'manifests that are read before there is a server',
  'api/apply/custom-value-type.ts': 'ObjectMeta of custom resources is the same in all releases',
  'api/crd/embedded.ts': 'ObjectMeta of custom resources is the same in all releases',
};

test('tables of releases are imported in api/release alone', () => {
  const opened = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => /newest-tables|older\/v\d/.test(path))
      .map(() => file),
  );
  expect(opened.filter((file) => !file.startsWith('api/release/'))).toEqual([]);
  expect(opened).not.toEqual([]);
});

test('a release is chosen at the edge and passed on', () => {
  const choosing = files.filter((file) => importsOf(file).some((path) => path.endsWith('release/load-release.ts')));
  expect(choosing.toSorted()).toEqual(Object.keys(chooseTheRelease).toSorted());
});

function wingOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '(entry)';
}

/** `apiserver/request` for a file in a folder of a wing that has rooms, otherwise the wing. */
function roomOf(file: string): string {
  const room = file.split('/').slice(0, 2).join('/');
  return Object.hasOwn(mayImport, room) ? room : wingOf(file);
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
