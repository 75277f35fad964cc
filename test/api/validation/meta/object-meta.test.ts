import { expect, test } from 'vitest';
import { fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import type { ObjectMeta } from '../../../../src/machinery/meta/object.ts';
import {
  type NameRule,
  validateCoreObjectMeta,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../../src/api/validation/meta/object-meta.ts';

/** A name may not be `bad`, what names are made of may not be `bad-`. */
const rule: NameRule = (name, isPrefix) => (name === (isPrefix ? 'bad-' : 'bad') ? ['is bad'] : []);

const fine = { name: 'a', namespace: 'n' };
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
const eventOwner =
  '{"apiVersion":"v1","kind":"Event","name":"p","uid":"u"}: /v1, Kind=Event is disallowed from being an owner';
const owns = (...owners: readonly JsonObject[]): object => ({
  ownerReferences: owners.map((one) => ({ ...owner, ...one })),
});
const controllers = (...names: readonly string[]): object =>
  owns(...names.map((name) => ({ name, controller: true })), { name: 'z', controller: false }, { name: 'z' });
const onlyOne = (other: string): string =>
  `Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/${other}`;
const noLabel =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const kibibyte = (length: number): string => 'x'.repeat(length * 1024);
const notEmpty = 'Required value: must not be empty';

// Source: apimachinery pkg/api/validation/objectmeta.go.
test.each<[fact: string, metadata: object, complaints: readonly string[]]>([
  ['what is fine', {}, []],
  ['a name that is bad', { name: 'bad' }, ['metadata.name: Invalid value: "bad": is bad']],
  ['a whole name is no prefix', { name: 'bad-' }, []],
  [
    'a prefix that is bad, and no name',
    { name: '', generateName: 'bad-' },
    [
      'metadata.generateName: Invalid value: "bad-": is bad',
      'metadata.name: Required value: name or generateName is required',
    ],
  ],
  ['no namespace', { namespace: undefined }, ['metadata.namespace: Required value']],
  ['a namespace that is none', { namespace: 'N' }, [`metadata.namespace: Invalid value: "N": ${noLabel}`]],
  ['a generation of nothing', { generation: 0 }, []],
  [
    'a generation below',
    { generation: -1 },
    ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
  ],
  ['annotations of 256 KiB', { annotations: { ab: `${kibibyte(255)}${'x'.repeat(1022)}` } }, []],
  [
    'one byte more, in two',
    { annotations: { ab: kibibyte(255), cd: 'x'.repeat(1021) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  ['an annotation in capitals', { annotations: { 'A.Example.com/B': '' } }, []],
  ['an owner', owns({}), []],
  ['an owner of a group', owns({ apiVersion: 'apps/v1' }), []],
  [
    'owners whose version cannot be parsed',
    owns({ apiVersion: '' }, { apiVersion: 'apps/' }, { apiVersion: 'a/b/c' }),
    [
      `metadata.ownerReferences[0].apiVersion: ${notEmpty}`,
      ...['apps/', 'a/b/c'].map(
        (version, at) =>
          `metadata.ownerReferences[${at + 1}].apiVersion: Invalid value: "${version}": must be <group>/<version> or <version>`,
      ),
    ],
  ],
  [
    'an owner without fields',
    owns({ kind: '', name: '', uid: '' }),
    ['kind', 'name', 'uid'].map((field) => `metadata.ownerReferences[0].${field}: ${notEmpty}`),
  ],
  ['an event that owns', owns({ kind: 'Event' }), [`metadata.ownerReferences[0]: Invalid value: ${eventOwner}`]],
  ['an event of another group', owns({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }), []],
  ['one orphaned on deletion', { finalizers: ['orphan'] }, []],
  ['one deleted in the foreground', { finalizers: ['foregroundDeletion'] }, []],
  [
    'one that is to be both',
    { finalizers: ['foregroundDeletion', 'orphan'] },
    [
      'metadata.finalizers: Invalid value: ["foregroundDeletion","orphan"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  ['a manager of 128 bytes, a subresource of 256', manager(128, 256), []],
  [
    'one byte more of each, of the second',
    { managedFields: [...manager(1, 1).managedFields, ...manager(129, 257).managedFields] },
    [
      'metadata.managedFields[1].manager: Too long: may not be more than 128 bytes',
      'metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes',
    ],
  ],
  [
    'an unknown operation and an unknown type, of the second',
    { managedFields: [{ operation: 'Apply' }, { fieldsType: 'FieldsV2' }, { operation: 'Take' }] },
    [
      'metadata.managedFields[1].operation: Required value: must not be empty',
      'metadata.managedFields[1].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
      'metadata.managedFields[2].operation: Unsupported value: "Take": supported values: "Apply", "Update"',
    ],
  ],
])('a new object: %s', (_fact, metadata, complaints) => {
  expect(validateObjectMeta({ ...fine, ...metadata }, true, rule).map(fieldErrorText)).toEqual(complaints);
});

function manager(name: number, subresource: number): { readonly managedFields: readonly JsonObject[] } {
  return {
    managedFields: [{ manager: 'm'.repeat(name), operation: 'Update', subresource: 's'.repeat(subresource) }],
  };
}

// Source: apimachinery pkg/api/validation/objectmeta_test.go TestValidateObjectMetaOwnerReferences.
test.each([
  ['none', [], []],
  ['the second', ['b'], ['b']],
  ['the second and the third', ['b', 'c'], ['b', 'c']],
])('controllers after the first are too many: %s', (_which, others, reported) => {
  const complaints = validateObjectMeta({ ...fine, ...controllers('a', ...others) }, true, rule);
  expect(complaints.map(({ field, detail }) => [field, detail])).toEqual(
    reported.map((other) => ['metadata.ownerReferences', onlyOne(other)]),
  );
});

test('what has no namespace may not name one', () => {
  expect(validateObjectMeta({ name: 'a' }, false, rule)).toEqual([]);
  expect(validateObjectMeta(fine, false, rule).map(fieldErrorText)).toEqual([
    'metadata.namespace: Forbidden: not allowed on this type',
  ]);
});

// Source: kubernetes pkg/apis/core/validation validateKubeFinalizerName.
test('finalizers of built-in kinds are qualified or well known, each', () => {
  const known = { ...fine, finalizers: ['kubernetes', 'orphan', 'a.example.com/b'] };
  expect(validateCoreObjectMeta(known, true, rule)).toEqual([]);
  const unknown = { ...fine, finalizers: ['kubernetes', 'mine'] };
  expect(validateCoreObjectMeta(unknown, true, rule).map(fieldErrorText)).toEqual([
    'metadata.finalizers[1]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

const time = '2026-01-01T00:00:00Z';
const later = '2026-01-01T00:00:01Z';
const stored = { ...fine, resourceVersion: '1', uid: 'u', creationTimestamp: time, generation: 2 };
const deleted = { ...stored, deletionTimestamp: time, deletionGracePeriodSeconds: 30, finalizers: ['a/b'] };
const immutable = (field: string, value: JsonValue): string =>
  `metadata.${field}: Invalid value: ${JSON.stringify(value)}: field is immutable`;

// Source: apimachinery pkg/api/validation/objectmeta.go ValidateObjectMetaAccessorUpdate, ValidateNoNewFinalizers.
test.each<[fact: string, old: ObjectMeta, changes: object, complaints: readonly string[]]>([
  ['nothing', stored, {}, []],
  ['another version and generation', stored, { resourceVersion: '7', generation: 3 }, []],
  [
    'no version',
    stored,
    { resourceVersion: undefined },
    ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ],
  [
    'a generation gone by',
    stored,
    { generation: 1 },
    ['metadata.generation: Invalid value: 1: must not be decremented'],
  ],
  [
    'no generation any more',
    stored,
    { generation: undefined },
    ['metadata.generation: Invalid value: 0: must not be decremented'],
  ],
  ['no generation before either', { ...fine, resourceVersion: '1' }, {}, []],
  ['another name', stored, { name: 'b' }, [immutable('name', 'b')]],
  ['no name', stored, { name: undefined }, [immutable('name', '')]],
  ['another namespace', stored, { namespace: 'm' }, [immutable('namespace', 'm')]],
  ['no namespace', stored, { namespace: undefined }, [immutable('namespace', '')]],
  ['another uid', stored, { uid: 'v' }, [immutable('uid', 'v')]],
  ['no uid', stored, { uid: undefined }, [immutable('uid', '')]],
  ['another time', stored, { creationTimestamp: later }, [immutable('creationTimestamp', later)]],
  ['no time', stored, { creationTimestamp: undefined }, [immutable('creationTimestamp', null)]],
  ['a deletion', stored, { deletionTimestamp: later }, [immutable('deletionTimestamp', later)]],
  ['another deletion', deleted, { deletionTimestamp: later }, [immutable('deletionTimestamp', later)]],
  ['no deletion any more', deleted, { deletionTimestamp: undefined }, [immutable('deletionTimestamp', null)]],
  ['more patience', deleted, { deletionGracePeriodSeconds: 31 }, [immutable('deletionGracePeriodSeconds', 31)]],
  ['two at once', stored, { uid: 'v', name: 'b' }, [immutable('name', 'b'), immutable('uid', 'v')]],
  ['a finalizer', stored, { finalizers: ['c/d'] }, []],
  ['one finalizer less while it is deleted', deleted, { finalizers: [] }, []],
  [
    'two more while it is deleted, one of them twice',
    deleted,
    { finalizers: ['z/z', 'a/b', 'c/d', 'c/d'] },
    [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d", "z/z"}',
    ],
  ],
  ['owners, of which one has no uid', stored, owns({ uid: '' }), [`metadata.ownerReferences[0].uid: ${notEmpty}`]],
  [
    'a manager too long to be one',
    stored,
    manager(129, 1),
    ['metadata.managedFields[0].manager: Too long: may not be more than 128 bytes'],
  ],
])('an update: %s', (_fact, old, changes, complaints) => {
  expect(validateObjectMetaUpdate({ ...old, ...changes }, old).map(fieldErrorText)).toEqual(complaints);
});

// Source: the same function, whose last errors are those of a new object.
test('labels and annotations of an update are looked at too, in this order', () => {
  const [labels, annotations] = [{ '-': 'a' }, { '-': 'a' }];
  const complaints = validateObjectMetaUpdate({ ...stored, ...owns({ kind: '' }), annotations, labels }, stored);
  expect(complaints.map(({ field }) => field)).toEqual([
    'metadata.labels',
    'metadata.annotations',
    'metadata.ownerReferences[0].kind',
  ]);
});
