import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { isSnapshot, readSnapshot } from '../../../../src/testing/record-replay/snapshot/read-snapshot.ts';
import { planRestore } from '../../../../src/testing/record-replay/snapshot/restoring-order.ts';
import { writeSnapshot } from '../../../../src/testing/record-replay/snapshot/save-to.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

const header = { kadmitSnapshot: 1, takenAt: '2026-01-01T00:00:00Z', server: 'https://a', secrets: false } as const;

const object = (kind: string, name: string, more: object = {}, apiVersion = 'v1'): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, uid: `uid-${name}`, ...more },
});

async function* pages(...all: readonly (readonly KubernetesObject[])[]): AsyncGenerator<readonly KubernetesObject[]> {
  yield* all;
}

test.each(['a.jsonl', 'a.jsonl.gz'])(
  'what was written to %s is read again, whole numbers of 64 bits too',
  async (name) => {
    const widget = { ...object('Widget', 'w', {}, 'example.com/v1'), spec: { size: 9007199254740993n } };
    expect(await writeSnapshot(at(name), header, pages([object('Namespace', 'shop')], [widget]))).toBe(2);
    expect(isSnapshot(at(name))).toBe(true);
    expect(readSnapshot(at(name))).toEqual({ header, objects: [object('Namespace', 'shop'), widget] });
    const bytes = readFileSync(at(name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    expect(text.split('\n').at(-2)).toBe('{"objects":2}');
  },
);

test('one that cannot be had to its end is not there', async () => {
  async function* broken(): AsyncGenerator<readonly KubernetesObject[]> {
    yield [object('Namespace', 'shop')];
    throw new Error('the server is gone');
  }
  await expect(writeSnapshot(at('b.jsonl'), header, broken())).rejects.toThrow('the server is gone');
  expect(isSnapshot(at('b.jsonl'))).toBe(false);
});

const head = JSON.stringify(header);
const space = JSON.stringify(object('Namespace', 'shop'));

test.each([
  ['its end is missing', `${head}\n${space}\n`, /ends early, after 1 objects/],
  ['an object is missing', `${head}\n{"objects":1}\n`, /ends early, after 0 objects/],
  ['something stands behind its end', `${head}\n{"objects":0}\n${space}\n`, /line 3: something follows its end/],
  ['a line is torn', `${head}\n${space.slice(0, 20)}\n`, /line 2: unexpected end of JSON input/],
  ['a line is longer than any object', `${head}\n${'x'.repeat(17 * 2 ** 20)}`, /a line of it is longer than 16 MiB/],
  ['a line is no object', `${head}\n7\n`, /line 2: no object with apiVersion and kind/],
  [
    'it is of a later kadmit',
    `${head.replace(':1,', ':2,')}\n`,
    /a snapshot of version 2, and this kadmit reads version 1/,
  ],
  ['it is another file', '{"a":1}\n', /is no snapshot: kadmit snapshot save writes one/],
  ['it is empty', '', /is empty/],
])('it is refused when %s', (_fact, text, problem) => {
  writeFileSync(at('c.jsonl'), text);
  expect(() => readSnapshot(at('c.jsonl'))).toThrow(problem);
});

test.each([
  ['manifests are none', 'kind: Pod', false],
  ['a folder is none', undefined, false],
])('%s', (_fact, text, is) => {
  if (text !== undefined) writeFileSync(at('d.yaml'), text);
  expect(isSnapshot(text === undefined ? folder : at('d.yaml'))).toBe(is);
});

const owned = (...uids: readonly string[]): object => ({
  ownerReferences: uids.map((uid) => ({ apiVersion: 'v1', kind: 'K', name: uid, uid: `uid-${uid}` })),
});

const orders: readonly [fact: string, objects: readonly KubernetesObject[], names: readonly string[]][] = [
  [
    'definitions and namespaces first, configurations last',
    [
      object('ValidatingWebhookConfiguration', 'hook', {}, 'admissionregistration.k8s.io/v1'),
      object('Pod', 'pod'),
      object('Namespace', 'shop'),
      object('CustomResourceDefinition', 'widgets', {}, 'apiextensions.k8s.io/v1'),
    ],
    ['widgets', 'shop', 'pod', 'hook'],
  ],
  [
    'owners before what they own, and theirs before them',
    [object('Pod', 'pod', owned('set')), object('ReplicaSet', 'set', owned('web')), object('Deployment', 'web')],
    ['web', 'set', 'pod'],
  ],
  ['two that own each other', [object('Pod', 'a', owned('b')), object('Pod', 'b', owned('a'))], ['b', 'a']],
  [
    'not what is being deleted, nor what is the server’s own',
    [
      object('Pod', 'going', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      object('Service', 'kubernetes', { namespace: 'default' }),
      object('Service', 'kubernetes', { namespace: 'shop' }),
    ],
    ['kubernetes'],
  ],
];

test.each(orders)('what is restored: %s', (_fact, objects, names) => {
  const { definitions, others } = planRestore(objects);
  expect([...definitions, ...others].map(({ metadata }) => metadata?.name)).toEqual(names);
});

test('an owner that is not in it owns nothing: the collector of garbage would remove it', () => {
  const { others, lostOwners } = planRestore([
    object('Pod', 'a', owned('gone')),
    object('Pod', 'b', owned('a', 'gone')),
  ]);
  expect(lostOwners).toBe(2);
  expect(others.map((one) => one.metadata?.ownerReferences?.map(({ name }) => name))).toEqual([undefined, ['a']]);
});
