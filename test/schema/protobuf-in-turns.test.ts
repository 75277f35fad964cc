import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import type { JsonObject } from '../../src/apimachinery/json.ts';
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
  let now = 0;
  let begun = 0;
  const late = Object.assign(() => undefined, { now: () => (now += 100) });
  const written = await inTurns(() => {
    begun += 1;
    return encode(pod);
  }, late);
  expect(begun).toBeGreaterThan(100);
  expect(Buffer.from(written).equals(encode(pod))).toBe(true);
});
