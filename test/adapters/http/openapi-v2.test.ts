import { expect, test } from 'vitest';
import { nodeDocuments } from '../../../src/app/in-process/node-platform.ts';
import { createOpenApi } from '../../../src/adapters/http/openapi.ts';
import type { ApiRequest, ApiResponse } from '../../../src/apiserver/request/api-request.ts';
import { textOf } from '../../harness/world-answer.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const catalogue = recordedRelease.createCatalogue();
const serve = createOpenApi(catalogue, { ...nodeDocuments, now: () => Date.UTC(2026, 0, 1) });

async function ask(
  headers: Readonly<Record<string, string>>,
  path = '/openapi/v2',
  from = serve,
): Promise<Extract<ApiResponse, { type: 'document' }>> {
  const request: ApiRequest = {
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers,
    body: new Uint8Array(),
    certificate: undefined,
    auditId: '',
    receivedAt: 0,
    signal: () => new AbortController().signal,
  };
  const answer = await from(request);
  if (answer?.type !== 'document') throw new Error('no document');
  return answer;
}

const json = 'application/json';
const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

// Source: kube-openapi pkg/handler/handler.go; the names are those that kubectl 1.20 to 1.33 send.
test.each([
  ['no Accept', '', json],
  ['anything', '*/*', json],
  ['JSON', 'application/json', json],
  ['kubectl', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf', protobuf],
  ['the name that is a media type', protobuf, protobuf],
  ['the first that is known', `text/html, ${protobuf}, application/json`, protobuf],
])('%s', async (_fact, accept, contentType) => {
  expect(await ask({ accept })).toMatchObject({ code: 200, contentType });
});

test('HTML is not to be had', async () => {
  expect(await ask({ accept: 'text/html' })).toMatchObject({ code: 406, body: '' });
});

const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
const etag = String((await ask({})).headers?.['etag']);

// Source: go src/net/http/fs.go checkPreconditions.
test.each([
  ['the same tag', { 'if-none-match': etag }, 304],
  ['one of several', { 'if-none-match': `"a", W/${etag}` }, 304],
  ['any tag', { 'if-none-match': '*' }, 304],
  ['another tag, whatever the time', { 'if-none-match': '"a"', 'if-modified-since': modified }, 200],
  ['the same time', { 'if-modified-since': modified }, 304],
  ['an older time', { 'if-modified-since': 'Wed, 31 Dec 2025 23:59:59 GMT' }, 200],
  ['no time', { 'if-modified-since': 'yesterday' }, 200],
])('a client that has %s', async (_fact, headers, code) => {
  const answer = await ask(headers);
  expect(answer).toMatchObject({ code, headers: { etag, 'last-modified': modified, vary: 'Accept' } });
  expect(answer.body === '').toBe(code === 304);
});

test('the forms have tags of their own', async () => {
  expect((await ask({ accept: protobuf })).headers?.['etag']).not.toBe(etag);
});

test('the index of version 3 goes by its time, a document by its hash', async () => {
  expect(await ask({ 'if-modified-since': modified }, '/openapi/v3')).toMatchObject({ code: 304 });
  const document = await ask({}, '/openapi/v3/apis/apps/v1');
  const tag = String(document.headers?.['etag']);
  expect(await ask({ 'if-none-match': tag }, '/openapi/v3/apis/apps/v1')).toMatchObject({ code: 304, body: '' });
});

test('an index that changes within a second differs from the previous one', async () => {
  const live = recordedRelease.createCatalogue();
  const own = createOpenApi(live, { ...nodeDocuments, now: () => Date.UTC(2026, 0, 1) });
  await ask({}, '/openapi/v3', own);
  live.put('widgets.example.com', []);
  expect(await ask({ 'if-modified-since': modified }, '/openapi/v3', own)).toMatchObject({ code: 200 });
});

test('schemas that cannot be made leave an empty document', async () => {
  const broken = {
    ...catalogue,
    all: () => {
      const [row] = catalogue.all();
      return row === undefined ? [] : [Object.assign(Object.create(null), { ...row, kind: null })];
    },
  };
  const answer = await ask({}, '/openapi/v2', createOpenApi(broken, { ...nodeDocuments, now: () => 0 }));
  expect(JSON.parse(textOf(answer.body))).toMatchObject({ swagger: '2.0', paths: {} });
});
