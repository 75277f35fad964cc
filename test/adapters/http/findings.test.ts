import { expect, test } from 'vitest';
import type { Digest } from '../../../src/explain/render/digest.ts';
import { serveFindings } from '../../../src/adapters/http/traces.ts';
import type { ApiRequest } from '../../../src/apiserver/request/api-request.ts';

const digestOf = (id: string): Digest => ({
  id,
  refusedBy: '',
  headline: { tone: 'good', text: 'fine' },
  findings: [],
  marks: [],
});
const digests = new Map(['a', 'b/c'].map((id) => [id, digestOf(id)]));

const request = (query: string, more: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  path: '/kadmit/v1/findings',
  query: new URLSearchParams(query),
  headers: {},
  body: new Uint8Array(),
  certificate: undefined,
  auditId: 'x',
  receivedAt: 0,
  signal: () => new AbortController().signal,
  ...more,
});

async function answered(query: string, more: Partial<ApiRequest> = {}): Promise<unknown> {
  const response = serveFindings((id) => digests.get(id))(request(query, more));
  if (response?.type !== 'document' || typeof response.body === 'string' || !(Symbol.asyncIterator in response.body))
    throw new Error('no document in pieces');
  let text = '';
  for await (const part of response.body) text += part;
  return JSON.parse(text);
}

test.each([
  ['', []],
  ['id=a', ['a']],
  ['id=b%2Fc&id=none&id=a', ['b/c', 'a']],
])('of %j', async (query, ids) => {
  expect(await answered(query)).toEqual({ items: ids.map((id) => digests.get(id)) });
});

test('at most 200 are looked at', async () => {
  const ids = Array.from({ length: 300 }, () => 'id=a').join('&');
  expect(await answered(ids)).toMatchObject({ items: { length: 200 } });
});

test.each([{ method: 'POST' }, { path: '/kadmit/v1/traces' }])('%j is none of its own', (more) => {
  expect(serveFindings(() => undefined)(request('id=a', more))).toBeUndefined();
});
