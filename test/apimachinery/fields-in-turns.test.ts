import { expect, test, vi } from 'vitest';
import { namesOf, sortedNamesOf } from '../../src/apimachinery/field-names.ts';
import { copyWith, keepSpare } from '../../src/apimachinery/copy-in-turns.ts';
import { fieldsInTurns } from '../../src/apimachinery/fields-in-turns.ts';
import { inTurns, stepsInTurns, workInTime } from '../../src/apimachinery/in-turns.ts';
import { inManyTurns } from '../harness/turns.ts';

const names = Array.from({ length: 5_000 }, (_none, at) => `name-${5_000 - at}`);

test('what is made of nothing is left out, and the names are known', async () => {
  let [time, pauses] = [0, 0];
  const pause = Object.assign((): undefined => void (pauses += 1), { now: () => (time += 50) });
  const object = await inTurns(() => fieldsInTurns(names, (name) => (name.endsWith('7') ? undefined : [name])), pause);
  const listing = vi.spyOn(Object, 'keys');
  try {
    expect(namesOf(object)).toEqual(names.filter((name) => !name.endsWith('7')));
    expect(listing).not.toHaveBeenCalled();
  } finally {
    listing.mockRestore();
  }
  expect(Reflect.ownKeys(object)).toEqual(namesOf(object));
  expect(pauses).toBeGreaterThan(1_000);
});

test('names that were sorted before others were let in are not taken for what comes after them', () => {
  const wide = Object.fromEntries(names.map((name) => [name, 1]));
  const { value } = inManyTurns(
    workInTime(() => {
      const sorted = sortedNamesOf(wide);
      const after = stepsInTurns(function* () {
        for (let at = 0; at < 3; at += 1) yield;
        return 'something else';
      });
      return { first: sorted[0], after };
    }),
  );
  expect(value).toEqual({ first: 'name-1', after: 'something else' });
});

test('what is copied with a spare at hand is not taken for what comes after it', () => {
  const wide = Object.fromEntries(names.map((name) => [name, 1]));
  const other = Object.fromEntries(names.map((name) => [name, 2]));
  keepSpare(wide);
  const { value } = inManyTurns(
    workInTime(() => [copyWith(wide, { 'name-1': 3 }), fieldsInTurns(names, (name) => other[name])] as const),
  );
  expect(value.map((fields) => fields['name-5000'])).toEqual([1, 2]);
});
