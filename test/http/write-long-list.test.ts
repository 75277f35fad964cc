import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { toWire } from '../../src/http/write-response.ts';
import type { WireResponse } from '../../src/http/wire-response.ts';
import type { ApiRequest } from '../../src/request/api-request.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';
import { impatient } from '../harness/impatient.ts';

const write = (headers: Readonly<Record<string, string>>, body: JsonObject, warnings: readonly string[] = []) =>
  toWire(request(headers), { type: 'object', code: 200, body, warnings }, { now: () => 0, release: currentRelease });

const request = (headers: Readonly<Record<string, string>>): ApiRequest => ({
  method: 'GET',
  path: '/api/v1/configmaps',
  query: new URLSearchParams(),
  headers,
  body: new Uint8Array(),
  certificate: undefined,
  auditId: 'the-id',
  receivedAt: 0,
  signal: new AbortController().signal,
});

// A list of so many bytes: below a MiB it goes out in one, from there on piece by piece.
const ofBytes = (bytes: number): JsonObject => {
  const bare = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: Array.from({ length: 40 }, () => '') };
  return { ...bare, items: ['x'.repeat(bytes - JSON.stringify(bare).length - 1), ...bare.items.slice(1)] };
};
const bytesOf = async (wire: WireResponse): Promise<Buffer> => {
  if (wire.type === 'watch') throw new Error('a watch');
  return wire.type === 'parts' ? buffer(wire.parts) : Buffer.from(wire.body);
};

const mebibyte = 1024 * 1024;

test.each([
  ['one byte less than a MiB', mebibyte - 1, 'buffered', undefined],
  ['a MiB', mebibyte, 'parts', String(mebibyte)],
])('a list of %s', async (_what, bytes, type, length) => {
  const wire = await write({}, ofBytes(bytes));
  expect({ type: wire.type, length: wire.headers['content-length'] }).toEqual({ type, length });
  expect(await bytesOf(wire)).toHaveLength(bytes);
});

test('a long list is compressed piece by piece', async () => {
  const list = ofBytes(3 * mebibyte);
  const wire = await write({ 'accept-encoding': 'gzip' }, list, ['w']);
  const { 'content-encoding': encoding, 'content-length': length, vary, warning } = wire.headers;
  expect([wire.type, encoding, length, vary, warning]).toEqual([
    'parts',
    'gzip',
    undefined,
    'Accept-Encoding',
    ['299 - "w"'],
  ]);
  expect(JSON.parse(gunzipSync(await bytesOf(wire)).toString())).toEqual(list);
});

const pods: JsonObject = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7' },
  items: Array.from({ length: 300 }, (_none, at) => ({
    metadata: { name: `p${at}`, labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: String(at) }] }] },
  })),
};
const kinds: Readonly<Record<string, string>> = {
  protobuf: 'application/vnd.kubernetes.protobuf',
  'a Table': 'application/json;as=Table;v=v1;g=meta.k8s.io',
  'metadata alone': 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
};

const send = (accept: string, more: Partial<ApiRequest> = {}): Promise<WireResponse> =>
  toWire(
    { ...request({ accept }), ...more },
    { type: 'object', code: 200, body: pods, warnings: [] },
    { now: () => 0, release: currentRelease },
  );

test.each(Object.entries(kinds))('while a long list is made %s others are let in', async (_what, accept) => {
  const pause = impatient();
  const slow = await bytesOf(await send(accept, { pause }));
  expect(slow.equals(await bytesOf(await send(accept)))).toBe(true);
  expect(pause.turns()).toBeGreaterThan(15);
});

test.each(Object.entries(kinds))('%s is not made to its end for a client that has gone', async (_what, accept) => {
  const leaving = new AbortController();
  let turns = 0;
  let now = 0;
  const pause = (): undefined => {
    turns += 1;
    if (turns === 3) leaving.abort();
  };
  const clock = { now: () => (now += 1000) };
  const going = send(accept, { pause: Object.assign(pause, clock), signal: leaving.signal });
  await expect(going).rejects.toThrow('the client has gone');
  expect(turns).toBe(3);
});
