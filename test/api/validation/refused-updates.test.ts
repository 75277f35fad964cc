import { expect, test } from 'vitest';
import { withMetadata } from '../../../src/machinery/meta/object.ts';
import recorded from '../../facts/strategy/refused-updates.json' with { type: 'json' };
import { accepted, create, decoded, update } from '../strategy/write.ts';

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A merge patch, as the recorded requests were. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const start = isMap(target) ? { ...target } : {};
  return Object.entries(patch).reduce<Record<string, unknown>>((so, [key, value]) => {
    const { [key]: before, ...others } = so;
    return value === null ? others : { ...others, [key]: merged(before, value) };
  }, start);
}

/** What kube-apiserver v1.36.2 answered to updates it did not like. */
test.each(recorded.map((row) => [row.fact, row] as const))('%s', (_fact, { old, subresource, patch, message }) => {
  const made = withMetadata(accepted(create(decoded(old))), { resourceVersion: '1' });
  const stored = 'status' in old ? { ...made, status: old.status } : made;
  const manifest = merged(stored, patch);
  if (!isMap(manifest)) throw new Error('no object');
  const result = update(decoded(manifest), stored, subresource);
  expect(result).toBe(message);
});
