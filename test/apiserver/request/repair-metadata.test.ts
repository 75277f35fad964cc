import { expect, test } from 'vitest';
import { dropDuplicateOwners, restoreManagedFields } from '../../../src/apiserver/request/repair-metadata.ts';
import { withReadableMetadata } from '../../../src/apiserver/custom-resources/custom-codec.ts';
import { newForbidden } from '../../../src/apiserver/admission/chain/refusal.ts';
import type { AdmissionAttributes } from '../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../src/machinery/meta/object.ts';
import { configMap, creating } from '../../harness/admission.ts';
import { decodePatched } from '../../../src/apiserver/admission/chain/decode-patched.ts';
import type { Decoded } from '../../../src/api/codec/decode.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const owner = (uid: string, name = 'n') => ({ apiVersion: 'v1', kind: 'Pod', name, uid });
const owned = (...ownerReferences: readonly ReturnType<typeof owner>[]): KubernetesObject =>
  withMetadata(configMap(), { ownerReferences });

// Source: apiserver pkg/endpoints/handlers/rest.go; spec rule MUT-42
test.each<[fact: string, object: KubernetesObject, kept: readonly string[], observed: string]>([
  ['a repeated owner goes', owned(owner('a'), owner('b'), owner('a')), ['a', 'b'], 'a'],
  ['owners of one uid that differ stay', owned(owner('a'), owner('a', 'm')), ['a', 'a'], ''],
  ['no owners, nothing to do', configMap(), [], ''],
])('%s', (_fact, object, kept, observed) => {
  const { object: result, warnings = [] } = dropDuplicateOwners(object, 'after');
  expect((result?.metadata?.ownerReferences ?? []).map(({ uid }) => uid)).toEqual(kept);
  const warning = `.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${observed}`;
  expect(warnings).toEqual(observed === '' ? [] : [warning]);
});

const entry: JsonObject = {
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { '.': {}, 'f:k': {} } },
};
const managed = (managedFields: readonly JsonObject[]): KubernetesObject =>
  withMetadata(configMap(), { managedFields });

// Source: apimachinery pkg/util/managedfields/internal/managedfields.go; spec rule MUT-41
test.each<[fact: string, after: JsonObject, error: string]>([
  ['without apiVersion', { ...entry, apiVersion: '' }, 'apiVersion must not be empty'],
  ['of another operation', { ...entry, operation: 'Patch' }, 'operation must be `Apply` or `Update`'],
  ['without fieldsType', { ...entry, fieldsType: '' }, 'missing fieldsType in managed fields entry 0'],
  ['of another fieldsType', { ...entry, fieldsType: 'V2' }, 'invalid fieldsType "V2" in managed fields entry 0'],
])('an entry %s is taken back', (_fact, after, error) => {
  expect(restoreManagedFields(managed([entry]), managed([after]))).toEqual({
    object: managed([entry]),
    warnings: [
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error}`,
    ],
  });
});

test('readable managedFields of a webhook stay', () => {
  const after = managed([{ ...entry, manager: 'other' }]);
  expect(restoreManagedFields(managed([entry]), after)).toEqual({ object: after });
});

// Source: apiserver pkg/admission/errors.go; spec rule ENV-3
test.each<[fact: string, changes: Partial<AdmissionAttributes>, message: string]>([
  ['by the request', {}, 'configmaps "one" is forbidden: no'],
  [
    'by the object',
    { name: '', object: withMetadata(configMap(), { name: 'two' }) },
    'configmaps "two" is forbidden: no',
  ],
  [
    'by generateName',
    { name: '', object: withMetadata(configMap(), { name: '', generateName: 'g-' }) },
    'configmaps "g-" is forbidden: no',
  ],
  ['as Unknown', { name: '', object: null }, 'configmaps "Unknown" is forbidden: no'],
  [
    'as having no metadata',
    { name: '', object: { kind: 'X', apiVersion: 'v1' } },
    'configmaps "Unknown/errorGettingName" is forbidden: no',
  ],
])('a refusal names its object %s', (_fact, changes, message) => {
  expect(newForbidden(creating(configMap(), changes), 'no').message).toBe(message);
});

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
