import { expect, test, vi } from 'vitest';
import { namesOf } from '../../src/apimachinery/field-names.ts';
import { fieldsInTurns } from '../../src/apimachinery/fields-in-turns.ts';
import { inTurns } from '../../src/apimachinery/in-turns.ts';

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
