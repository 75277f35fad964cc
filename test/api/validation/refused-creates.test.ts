import { expect, test } from 'vitest';
import more from '../../facts/strategy/refused-creates-more.json' with { type: 'json' };
import recorded from '../../facts/strategy/refused-creates.json' with { type: 'json' };
import { creating } from '../strategy/write.ts';

/** What kube-apiserver v1.36.2 answered to objects it did not like. */
test.each([...recorded, ...more].map((row) => [row.fact, row] as const))('%s', (_fact, { object, message }) => {
  expect(creating(object)).toBe(message);
});
