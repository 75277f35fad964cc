import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ChangeOutcome } from '../../../../../src/testing/record-replay/snapshot/changes/put-change.ts';
import { readRecording } from '../../../../../src/testing/record-replay/snapshot/changes/read-recording.ts';
import { temporaryFolder } from '../../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

async function read(content: string | Buffer): Promise<readonly ChangeOutcome[]> {
  const file = join(folder, 'recording');
  writeFileSync(file, content);
  const all: ChangeOutcome[] = [];
  for await (const one of readRecording(file)) all.push(one);
  return all;
}

/** One text each: `object Pod web`, `put web at 500`. */
const describeAll = (all: readonly ChangeOutcome[]): readonly string[] =>
  all.map((one) =>
    one.type === 'object'
      ? `object ${one.object.kind} ${one.object.metadata?.name ?? ''}`
      : `${one.change.act} ${one.change.target.resource ?? one.change.target.kind ?? ''} ${one.change.target.name} at ${one.change.at}`,
  );

// As kwokctl v0.7 writes them: pkg/apis/action/v1alpha1/resource_patch_types.go.
const resourcePatch = (method: string, more = ''): string =>
  `apiVersion: action.kwok.x-k8s.io/v1alpha1
kind: ResourcePatch
durationNanosecond: 1500000000
method: ${method}
resource: {version: v1, resource: pods}
target: {name: web, namespace: shop}
${more}`;

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n';
const template = 'template: {apiVersion: v1, kind: Pod, metadata: {name: web}}\n';

test('documents of kwokctl: the objects there were, then what was done to them', async () => {
  const text = `${[namespace, resourcePatch('create', template), resourcePatch('patch', 'template: {a: 1}\n'), resourcePatch('delete')].join('---\n')}`;
  const expected = [
    'object Namespace shop',
    'put pods web at 1500',
    'patch pods web at 1500',
    'remove pods web at 1500',
  ];
  expect(describeAll(await read(text))).toEqual(expected);
  expect(describeAll(await read(gzipSync(text)))).toEqual(expected);
  expect(describeAll(await read(`---\n${text}\n---\n`))).toEqual(expected);
});

test('a mark inside of a text ends no document', async () => {
  const [one] = await read(`${namespace}  annotations:\n    a: |\n      ---\n      b\n`);
  expect(one?.type === 'object' && one.object.metadata?.annotations).toEqual({ a: '---\nb\n' });
});

interface Written {
  readonly name?: string;
  readonly created?: string;
  readonly managed?: string;
  readonly deleted?: string;
}

const event = (type: string, { name = 'web', created = '10:00:00', managed, deleted }: Written = {}): object => ({
  type,
  object: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      creationTimestamp: `2026-01-01T${created}Z`,
      ...(managed === undefined ? {} : { managedFields: [{ time: `2026-01-01T${managed}Z` }] }),
      ...(deleted === undefined ? {} : { deletionTimestamp: `2026-01-01T${deleted}Z`, deletionGracePeriodSeconds: 30 }),
    },
  },
});

const watches: readonly [fact: string, events: readonly object[], expected: readonly string[]][] = [
  [
    'what is added before anything else happens was there',
    [event('ADDED'), event('MODIFIED', { managed: '10:00:02' }), event('ADDED', { name: 'db', created: '10:00:05' })],
    ['object Pod web', 'put Pod web at 0', 'put Pod db at 3000'],
  ],
  [
    'an object that existed long before causes no wait',
    [event('ADDED', { created: '00:00:00' }), event('MODIFIED', { managed: '10:00:00' }), event('DELETED')],
    ['object Pod web', 'put Pod web at 0', 'remove Pod web at 0'],
  ],
  [
    'a bookmark ends the beginning',
    [event('BOOKMARK'), event('ADDED'), event('MODIFIED', { managed: '10:00:01' })],
    ['put Pod web at 0', 'put Pod web at 1000'],
  ],
  [
    'a deletion is asked for before its patience ends',
    [event('BOOKMARK'), event('ADDED'), event('MODIFIED', { deleted: '10:00:32' })],
    ['put Pod web at 0', 'put Pod web at 2000'],
  ],
  [
    'none comes before the one before it',
    [event('BOOKMARK'), event('ADDED', { created: '10:00:09' }), event('MODIFIED', { managed: '10:00:01' })],
    ['put Pod web at 0', 'put Pod web at 0'],
  ],
];

test.each(watches)('events of a watch: %s', async (_fact, events, expected) => {
  const lines = events.map((one) => `${JSON.stringify(one)}\n`).join('');
  expect(describeAll(await read(lines))).toEqual(expected);
  const printed = events.map((one) => `${JSON.stringify(one, null, 4)}\n`).join('');
  expect(describeAll(await read(printed))).toEqual(expected);
  expect(describeAll(await read(printed.replaceAll('"web"', '"w}\\"{"')))).toHaveLength(expected.length);
});

test.each([
  ['a scalar', '7\n', /document 1: no object/],
  ['a list', '- a\n', /document 1: no object/],
  ['another kind of thing', 'a: 1\n', /document 1: neither a ResourcePatch, nor an event of a watch, nor an object/],
  ['YAML that is none', 'a: [\n', /document 1: yaml: /],
  ['JSON that is torn', '{"a":1}{"b":', /neither a ResourcePatch/],
  ['a torn event', `${JSON.stringify(event('ADDED'))}{"type":`, /document 2: unexpected end of JSON input/],
  ['an event of an error', '{"type":"ERROR","object":{"kind":"Status"}}', /an event of type "ERROR"/],
  ['another method', resourcePatch('apply'), /method "apply" is neither create nor patch nor delete/],
  ['a method that no double holds', resourcePatch('9007199254740993'), /method 9007199254740993 is neither/],
  ['a patch without its template', resourcePatch('patch'), /a patch without its template/],
  ['a create without its template', resourcePatch('create'), /neither a ResourcePatch/],
  [
    'a duration that is a map',
    resourcePatch('delete').replace('1500000000', '{toString: a}'),
    /durationNanosecond is no number/,
  ],
  ['a duration that is none', resourcePatch('delete').replace('1500000000', 'soon'), /durationNanosecond is no number/],
  ['a target without a name', resourcePatch('delete').replace('name: web', 'x: y'), /the name of its target/],
  ['a document without end', `a: ${'x'.repeat(17 * 2 ** 20)}`, /document 1 is longer than 16 MiB/],
])('refused, and its document named: %s', async (_fact, text, problem) => {
  await expect(read(text)).rejects.toThrow(problem);
});

test('a file that is not there', async () => {
  const reading = readRecording(join(folder, 'none')).next();
  await expect(reading).rejects.toThrow(/none cannot be read: ENOENT/);
});
