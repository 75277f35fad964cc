import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findScenarios, loadScenario } from '../../../src/testing/scenario/load-scenario.ts';
import { combinationsOf } from '../../../src/testing/scenario/matrix.ts';
import { problemText } from '../../../src/testing/scenario/read/problems.ts';
import { prettyOutcome } from '../../../src/testing/scenario/report/pretty.ts';
import { runAll } from '../../../src/testing/scenario/run-all.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { makeScenarioReference } from '../../tools/make-scenario-reference.ts';
import { makeScenarioSchema } from '../../tools/make-scenario-schema.ts';

const page = 'docs/reference/scenario-format.md';
const schemaFile = 'docs/reference/scenario.schema.json';
const read = (path: string): string => readFileSync(path, 'utf8');

test('docs/reference/scenario.schema.json is made of src/testing/scenario/schema', async () => {
  await expect(makeScenarioSchema()).toMatchFileSnapshot(join(process.cwd(), schemaFile));
});

test('the tables of docs/reference/scenario-format.md are made of the schema', async () => {
  await expect(makeScenarioReference(read(page))).toMatchFileSnapshot(join(process.cwd(), page));
});

// The meta-schema of draft-07 comes with ajv; strict refuses unknown keywords.
test('the schema is a JSON Schema of draft-07', () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false });
  for (const keyword of ['markdownDescription', 'patternErrorMessage', 'defaultSnippets']) ajv.addKeyword(keyword);
  expect(() => ajv.compile(JSON.parse(read(schemaFile)))).not.toThrow();
});

const validateAsEditor = new Ajv({ strict: false, code: { optimize: false } }).compile(JSON.parse(read(schemaFile)));

// Editors read YAML 1.2 and check with the published schema: no scenario that runs may look wrong there.
test.each(findScenarioFiles())('an editor finds nothing wrong with %s', (file) => {
  validateAsEditor(parse(read(file), { merge: true }));
  expect(validateAsEditor.errors).toBeNull();
});

function findScenarioFiles(): readonly string[] {
  const found = findScenarios(['scenarios']);
  return found.outcome === 'found' ? found.files : [];
}

// For hover and completion; a mapping that does not say whether it has other fields would accept a misspelt one.
const lacking: readonly [what: string, isLacking: (node: SchemaObject, isField: boolean) => boolean][] = [
  ['a description', ({ description, $ref }, isField) => isField && description === undefined && $ref === undefined],
  [
    'values or an example',
    ({ type, enum: values, examples }, isField) =>
      isField && ['string', 'integer', 'number'].includes(String(type)) && (values ?? examples) === undefined,
  ],
  [
    'additionalProperties',
    ({ properties, additionalProperties }) => properties !== undefined && additionalProperties === undefined,
  ],
  ['items', ({ type, items }) => type === 'array' && items === undefined],
];

test.each(lacking)('no field of the schema lacks %s', (_what, isLacking) => {
  const nodes = nodesOf(JSON.parse(read(schemaFile)), '');
  expect(nodes.length).toBeGreaterThan(400);
  expect(nodes.filter(({ node, isField }) => isLacking(node, isField)).map(({ path }) => path)).toEqual([]);
});

type SchemaObject = Readonly<Record<string, unknown>>;

interface NodeAt {
  readonly path: string;
  readonly node: SchemaObject;
  readonly isField: boolean;
}

function nodesOf(node: SchemaObject, path: string, isField = false): readonly NodeAt[] {
  const fields = (['properties', 'definitions'] as const).flatMap((keyword) =>
    Object.entries(node[keyword] ?? {}).flatMap(([name, one]) => nodesOf(one, `${path}/${name}`, true)),
  );
  const parts = ['items', 'additionalProperties', 'anyOf'].flatMap((keyword) => {
    const value = node[keyword];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.flatMap((one) => (isSchema(one) ? nodesOf(one, `${path}/${keyword}`) : []));
  });
  return [{ path, node, isField }, ...fields, ...parts];
}

const isSchema = (value: unknown): value is SchemaObject => typeof value === 'object' && value !== null;

const folder = mkdtempSync(join(tmpdir(), 'kadmit-docs-'));
const worlds = createWorlds((error) => {
  throw error;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await worlds.close();
});

/** The files in the blocks of each example: one example begins with each `# scenario.yaml`. */
function examples(): readonly (readonly [name: string, files: readonly (readonly [name: string, text: string])[]])[] {
  const found: (readonly [string, (readonly [string, string])[]])[] = [];
  for (const [, name = '', text = ''] of read(page).matchAll(/```yaml\n# (\S+\.yaml)\n(.*?)```/gs)) {
    if (name === 'scenario.yaml') found.push([/^name: (.*)$/m.exec(text)?.[1] ?? '', []]);
    found.at(-1)?.[1].push([name, text]);
  }
  return found;
}

test('there are examples', () => expect(examples().length).toBeGreaterThan(3));

test.each(examples())('the example "%s" passes', async (name, files) => {
  const own = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(own);
  for (const [file, text] of files) writeFileSync(join(own, file), text);
  const loading = await loadScenario(own);
  if (loading.outcome === 'unreadable') throw new Error(loading.problems.map(problemText).join('\n'));
  const outcomes = await runAll(combinationsOf(loading.scenario), worlds, {
    parallel: 1,
    bail: false,
    on: 'kadmit',
    goldens: { read: () => undefined, write: undefined },
    now: () => 0,
    onStart: () => {},
    onOutcome: () => {},
  });
  expect(outcomes.filter(({ outcome }) => outcome !== 'passed').map((one) => prettyOutcome(one))).toEqual([]);
});
