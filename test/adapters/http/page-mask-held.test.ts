import { expect, test } from 'vitest';
import { maskHeld } from '../../../src/adapters/http/page/page-data.ts';

const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { password: 'aHVudGVyMg==' } };

const state = (kind: string, object: object) => ({
  breaks: [{ webhook: 'w', moment: 'after' }],
  held: [
    {
      id: '1',
      webhook: 'w',
      review: { request: { kind: { group: '', version: 'v1', kind }, object: { ...object } } },
      answer: { outcome: 'answered', code: 200, body: { response: { patch: 'cGF0Y2g=' } }, response: { patch: [] } },
    },
  ],
});

test('of a held Secret neither the review nor the answer shows anything', () => {
  const text = JSON.stringify(maskHeld(state('Secret', secret)));
  expect(text).not.toMatch(/aHVudGVyMg|hunter2|cGF0Y2g/);
  expect(text).toContain('"password":"‹masked 1›"');
  expect(text).toContain('"webhook":"w"');
});

test('anything else is shown as it is', () => {
  const plain = state('ConfigMap', { kind: 'ConfigMap', data: { a: 'b' } });
  expect(maskHeld(plain)).toEqual(plain);
  expect(maskHeld(null)).toBeNull();
});
