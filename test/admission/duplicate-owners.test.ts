import { expect, test } from 'vitest';
import { dropDuplicateOwners } from '../../src/admission/duplicate-owners.ts';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import type { Pause } from '../../src/apimachinery/pause.ts';

const owner = (at: number) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `o${at}`, uid: `u${at}` });
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ownerReferences: Array.from({ length: 600 }, (_none, at) => owner(at % 599)) },
};

test('many owners are looked through in turns, and the same is dropped as at once', () => {
  let [now, asked] = [0, 0];
  const late: Pause = Object.assign((): undefined => void (asked += 1), { now: () => (now += 100) });
  const dropped = inTurns(() => dropDuplicateOwners(object, 'before'), late);
  expect(dropped).toEqual(dropDuplicateOwners(object, 'before'));
  expect(dropped).toMatchObject({ warnings: [expect.stringMatching(/observed: u0$/)] });
  expect(asked).toBeGreaterThan(500);
});
