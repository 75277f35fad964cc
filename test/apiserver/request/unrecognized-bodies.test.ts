import { expect, test } from 'vitest';
import { mediaTypeOf } from '../../../src/apiserver/request/stages/decode-body.ts';
import { createTestWorld } from '../../harness/world.ts';

/** Follows apiserver pkg/endpoints/handlers/rest.go summarizeData, with its limit of 30 bytes. */
const world = await createTestWorld();
const hex = (text: string): string => Buffer.from(text).toString('hex');

test.each<[fact: string, body: string, summary: string]>([
  ['nothing', '', '<empty>'],
  ['30 bytes that begin with a brace', `{${'x'.repeat(29)}`, `{${'x'.repeat(29)}`],
  ['a byte more', `{${'x'.repeat(30)}`, `{${'x'.repeat(29)} ...`],
  ['30 bytes of something else', 'x'.repeat(30), hex('x'.repeat(30))],
  ['31 of them', 'x'.repeat(31), `${hex('x'.repeat(30))} ...`],
  ['bytes below 16', '\u0001', '01'],
])('behind the error stands %s', async (_fact, body, summary) => {
  const { code, message } = await world.send(
    'POST',
    '/api/v1/namespaces/default/configmaps',
    new TextEncoder().encode(body),
    { contentType: 'application/json' },
  );
  expect([code, message.slice(message.lastIndexOf('('))]).toEqual([400, `(${summary})`]);
});

test.each<[header: string | readonly string[] | undefined, type: string]>([
  [undefined, ''],
  ['Application/JSON; charset=utf-8', 'application/json'],
  [[' application/yaml ', 'application/json'], 'application/yaml'],
  [[], ''],
])('the media type of %j is %j', (header, type) => {
  expect(mediaTypeOf(header)).toBe(type);
});

// Source: apimachinery pkg/runtime/serializer/json/meta.go Interpret, pkg/runtime/schema/group_version.go ParseGroupVersion.
test.each([
  ['POST', '/api/v1/namespaces/default/configmaps', 'ConfigMap'],
  ['PUT', '/api/v1/namespaces/default/configmaps/a', 'ConfigMap'],
  ['POST', '/apis/apps/v1/namespaces/default/deployments', 'Deployment'],
])('an apiVersion of three parts: %s %s', async (method, path, kind) => {
  const body = { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'a' } };
  const { code, message } = await world.send(method, path, body);
  expect(`${code} ${message}`).toBe(
    `400 the object provided is unrecognized (must be of type ${kind}): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)`,
  );
});

// Source: the same file; the names of a type match in any case, and the last one counts.
test.each([
  ['{"APIVersion":"v1","Kind":"ConfigMap","metadata":{"name":"a"}}', '201 '],
  [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"KIND":"Secret"}',
    '400 Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  ],
])('a type of %s', async (body, answer) => {
  const { code, message } = await world.send('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', body);
  expect(`${code} ${message}`).toBe(answer);
});
