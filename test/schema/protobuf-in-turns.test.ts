import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { lateClock } from '../harness/turns.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';

const list = <T>(length: number, item: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_none, at) => item(at));

const env = list(40, (at) => ({ name: `E${at}`, value: 'v' }));
const containers = list(50, (at) => ({ name: `c${at}`, image: 'a', env, args: list(40, String) }));
const fieldsV1 = { 'f:spec': { 'f:a': {} } };
const managedFields = list(40, (at) => ({ manager: `m${at}`, operation: 'Update', fieldsType: 'FieldsV1', fieldsV1 }));
const pod: JsonObject = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', managedFields }, spec: { containers } };

test('a message with long lists in long lists is the same when its writing is left and begun again', async () => {
  const { encode } = await currentRelease.loadProtobuf();
  let begun = 0;
  const late = Object.assign(() => undefined, { now: lateClock() });
  const written = await inTurns(() => {
    begun += 1;
    return encode(pod);
  }, late);
  expect(begun).toBeGreaterThan(100);
  expect(Buffer.from(written).equals(encode(pod))).toBe(true);
});

const sizes: readonly (readonly [string, JsonObject])[] = [
  ['long lists', pod],
  ['numbers of every length', { kind: 'Event', apiVersion: 'v1', metadata: {}, involvedObject: {}, count: -1 }],
  [
    'text of two, three and four bytes a letter, and half of one',
    {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {},
      data: { a: 'äß', b: '€'.repeat(90), c: '😀'.repeat(90), d: '\ud83d' },
    },
  ],
  ...list(65, (bits): readonly [string, JsonObject] => [
    `a number of ${bits} bits`,
    {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { generation: BigInt.asIntN(64, (1n << BigInt(bits)) - 1n) },
      spec: { containers: [], terminationGracePeriodSeconds: 2 ** Math.min(bits, 50) },
    },
  ]),
];

test.each(sizes)('a message is counted as it is written: %s', async (_what, object) => {
  const { encode, sizeOf } = await currentRelease.loadProtobuf();
  const late = Object.assign(() => undefined, { now: lateClock() });
  expect(sizeOf(object)).toBe(encode(object).length);
  expect(await inTurns(() => sizeOf(object), late)).toBe(encode(object).length);
});
