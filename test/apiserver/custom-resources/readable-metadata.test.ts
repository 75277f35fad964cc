import { expect, test } from 'vitest';
import { decodePatched } from '../../../src/apiserver/admission/chain/decode-patched.ts';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { withReadableMetadata } from '../../../src/apiserver/custom-resources/readable-metadata.ts';
import type { Decoded } from '../../../src/api/codec/decode.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const read = (metadata: JsonValue) =>
  withReadableMetadata({ apiVersion: 'a/v1', kind: 'A', metadata } as KubernetesObject).metadata; // As no client could send it.

// Source: recorded conversations crd-webhooks-unreadable-… with kube-apiserver v1.36.2.
test.each<[string, JsonValue, JsonValue]>([
  ['nothing is taken from what can be read', { name: 'x', labels: { a: 'b' } }, { name: 'x', labels: { a: 'b' } }],
  ['a field of a wrong type is not there', { name: 'x', labels: 5, finalizers: 'x' }, { name: 'x' }],
  ['one wrong value takes the others of its field', { name: 'x', labels: { a: 'b', c: 5 } }, { name: 'x' }],
  ['unknown fields are not there', { name: 'x', foo: 'y' }, { name: 'x' }],
  ['nor is a name that is no text', { name: 5, uid: 'u' }, { uid: 'u' }],
  [
    'one owner that is no object, and there is none',
    { name: 'x', ownerReferences: [{ uid: 'u' }, 'a'] },
    { name: 'x' },
  ],
  [
    'an owner that says too little, or no text, has empty names',
    { name: 'x', ownerReferences: [{ apiVersion: 5, kind: 'A', name: 'b' }] },
    { name: 'x', ownerReferences: [{ apiVersion: '', kind: 'A', name: 'b', uid: '' }] },
  ],
  [
    'whether it controls must be true or false',
    { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'b', uid: 'u', controller: 'x' }] },
    { name: 'x' },
  ],
])('%s', (_title, metadata, readable) => {
  expect(read(metadata)).toEqual(readable);
});

const patched = (metadata: JsonValue, operation: 'CREATE' | 'UPDATE'): Decoded => {
  const kind = { group: 'a', version: 'v1', kind: 'A' };
  const { codec } = recordedRelease;
  const view = { codec, subresource: '', operation };
  return decodePatched({ apiVersion: 'a/v1', kind: 'A', metadata }, kind, view, {
    codec,
    catalogue: { forKind: () => undefined },
  });
};

// Source: asked of kube-apiserver v1.36.2; apiserver pkg/registry/rest/create.go BeforeCreate, update.go BeforeUpdate.
test.each([5, null, 'x', [], true])('metadata that is %j holds no uid, and nothing that an update says', (metadata) => {
  const error = 'system metadata was not initialized';
  expect(patched(metadata, 'CREATE')).toEqual({ outcome: 'undecodable', error });
  expect(patched(metadata, 'UPDATE')).toEqual(patched({}, 'UPDATE'));
});
