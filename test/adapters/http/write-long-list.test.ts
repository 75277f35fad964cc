import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { toWire } from '../../../src/adapters/http/write-response.ts';
import type { WireResponse } from '../../../src/adapters/http/encode.ts';
import type { ApiRequest } from '../../../src/apiserver/request/api-request.ts';
import { currentRelease } from '../../../src/api/release/current-release.ts';

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
