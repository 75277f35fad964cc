import { expect, test } from 'vitest';
import { readHeaders } from '../../../src/adapters/http/read-request.ts';

/** Headers as Node shows them, and how often their list was looked at. */
function sent(pairs: readonly (readonly [name: string, value: string])[]) {
  const looked = { times: 0 };
  const rawHeaders = new Proxy<string[]>(pairs.flat(), {
    get: (list, at, self) => {
      looked.times += 1;
      return Reflect.get(list, at, self);
    },
  });
  const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  return { headers, rawHeaders, looked };
}

// Source: apiserver pkg/endpoints/filters/impersonation: http.Header keeps every value by itself.
test('headers of impersonation are lists of their values, in their order', () => {
  const raw = sent([
    ['Host', 'a'],
    ['Impersonate-User', 'jane'],
    ['Impersonate-Group', 'b'],
    ['X-Text', 'é'],
    ['impersonate-group', 'Ã¼'],
    ['Impersonate-Extra-K', 'c'],
  ]);
  expect({ ...readHeaders(raw) }).toEqual({
    host: 'a',
    'impersonate-user': ['jane'],
    'impersonate-group': ['b', 'ü'],
    'impersonate-extra-k': ['c'],
    'x-text': '\ufffd',
  });
});

test('thousands of them are gone through once', () => {
  const pairs = Array.from({ length: 3_000 }, (_, at) => [`Impersonate-Extra-k${at}`, `${at}`] as const);
  const { looked, ...raw } = sent(pairs);
  expect(readHeaders(raw)['impersonate-extra-k2999']).toEqual(['2999']);
  expect(looked.times).toBeLessThan(10 * pairs.length);
});
