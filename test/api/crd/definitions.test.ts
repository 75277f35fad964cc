import { expect, test } from 'vitest';
import { fieldErrorText } from '../../../src/machinery/meta/field-error.ts';
import { asObject, type JsonObject } from '../../../src/machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../src/machinery/meta/object.ts';
import {
  definitionName,
  definitionWarnings,
  validateDefinition,
  validateDefinitionStatusUpdate,
  validateDefinitionUpdate,
} from '../../../src/api/crd/engine.ts';
import { validateObjectMeta } from '../../../src/api/validation/meta/object-meta.ts';
import recorded from '../../facts/vectors/definitions.json' with { type: 'json' };
import tried from '../../facts/vectors/more-definitions.json' with { type: 'json' };
import { widgets } from './custom-object.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

interface Fact {
  readonly case: string;
  readonly definition: JsonObject;
  readonly causes: readonly string[];
  /** The recorded causes are in order of their texts. */
  readonly sorted?: boolean;
}

// Source: the recorded conversations of four groups, and definitions tried one by one on kube-apiserver v1.36.2.
const facts: readonly Fact[] = [...recorded, ...tried];
const codec = recordedRelease.codec;
const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

/** The definition as it is when a create is judged. */
function submitted(definition: JsonObject, storedVersions: readonly string[] | null): KubernetesObject {
  const decoded = codec.decodeValue(definition, kind);
  if (decoded.outcome === 'undecodable') throw new Error(decoded.error);
  const { status, ...object } = codec.applyDefaults(decoded.object);
  return { ...object, status: { ...asObject(status), conditions: null, acceptedNames: {}, storedVersions } };
}

const storageOf = (definition: JsonObject): readonly string[] | null => {
  const { versions } = asObject(definition['spec']);
  const storage = (Array.isArray(versions) ? versions : []).find((version) => version.storage === true);
  return storage === undefined ? null : [String(storage.name)];
};

function judged(definition: JsonObject): readonly string[] {
  const object = submitted(definition, storageOf(definition));
  const metadata = validateObjectMeta(metadataOf(object), false, definitionName(object));
  return [...metadata, ...validateDefinition(object)].map(fieldErrorText);
}

test.each(facts.map((fact) => [fact.case, fact] as const))('%s', (_case, { definition, causes, sorted }) => {
  const errors = judged(definition);
  expect(sorted ? errors.toSorted() : errors).toEqual(sorted ? causes.toSorted() : causes);
});

// Source: apiextensions-apiserver pkg/apis/apiextensions/v1beta1/types.go, in which definitions are stored.
test.each([
  [{ conversionReviewVersions: [] }, undefined],
  [{}, undefined],
  [{ conversionReviewVersions: ['v1'] }, { conversionReviewVersions: ['v1'] }],
])('of a webhook %j in a conversion %j stays', (webhook, kept) => {
  const { spec } = submitted(changed({ conversion: { strategy: 'None', webhook } }), ['v1']);
  expect(asObject(asObject(asObject(spec)['conversion'])['webhook'] ?? null)).toEqual(kept ?? {});
});

const integer: JsonObject = { type: 'integer' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const established = { type: 'Established', status: 'True' };

const stored = (definition: JsonObject, status: JsonObject = {}): JsonObject => ({
  ...definition,
  status: { storedVersions: ['v1'], conditions: [established], acceptedNames: {}, ...status },
});

const changed = (fields: JsonObject): JsonObject => {
  const definition = widgets(object({}));
  return { ...definition, spec: { ...asObject(definition['spec']), ...fields } };
};

const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
const broken = object({ a: {} });
const anything = { openAPIV3Schema: { type: 'object' } };
const selectableFields = [{ jsonPath: '.spec.a' }];
const notALabel =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

// Source: recorded conversations crd-update-*.
test.each<[fact: string, old: JsonObject, definition: JsonObject, errors: readonly string[]]>([
  [
    'the scope stays',
    stored(changed({})),
    stored(changed({ scope: 'Cluster' })),
    ['spec.scope: Invalid value: "Cluster": field is immutable'],
  ],
  [
    'before it is established it may change',
    stored(changed({}), { conditions: [] }),
    stored(changed({ scope: 'Cluster' })),
    [],
  ],
  [
    'the kind stays',
    stored(changed({})),
    stored(changed({ names: { ...names, kind: 'Gadget' } })),
    ['spec.names.kind: Invalid value: "Gadget": field is immutable'],
  ],
  ['short names may change', stored(changed({})), stored(changed({ names: { ...names, shortNames: ['w'] } })), []],
  [
    'a stored version stays in the list',
    stored(changed({})),
    stored(changed({}), { storedVersions: ['v0', 'v1'] }),
    [
      'status.storedVersions[0]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v0 and removes v0 from status.storedVersions',
    ],
  ],
  [
    'a schema that was structural stays so',
    stored(widgets(object({}))),
    stored(widgets(broken)),
    [
      'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must not be empty for specified object fields',
    ],
  ],
])('updates: %s', (_fact, old, definition, errors) => {
  expect(validateDefinitionUpdate(definition, old).map(fieldErrorText)).toEqual(errors);
});

// Source: apiextensions-apiserver pkg/apis/apiextensions/{v1/conversion.go,validation/validation.go}.
test.each<[fact: string, versions: readonly JsonObject[], errors: readonly string[]]>([
  [
    'an error about the first version’s name is reported twice, about another’s once',
    ['V1', 'V2'].map((name) => ({ name, served: true, storage: name === 'V1', schema: anything })),
    [
      `spec.versions[0].name: Invalid value: "V1": ${notALabel}`,
      `spec.versions[1].name: Invalid value: "V2": ${notALabel}`,
      `spec.version: Invalid value: "V1": ${notALabel}`,
    ],
  ],
  [
    'fields cannot be selected without a schema, all versions alike',
    [{ name: 'v1', served: true, storage: true, selectableFields }],
    [
      'spec.versions[0].schema.openAPIV3Schema: Required value',
      'spec.selectableFields: Invalid value: "": may only be set when validations.schema is included',
    ],
  ],
  [
    'nor in one of two versions',
    [
      { name: 'v1', served: true, storage: true, schema: anything },
      { name: 'v2', served: true, storage: false, selectableFields },
    ],
    [
      'spec.versions[1].schema.openAPIV3Schema: Required value',
      'spec.versions[1].selectableFields: Invalid value: "": may only be set when `version.schema.openAPIV3Schema` is not included',
    ],
  ],
  [
    'fields are selected of a schema that has a structural form',
    [
      {
        name: 'v1',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '' }],
        schema: { openAPIV3Schema: { type: 'object', id: 'a' } },
      },
    ],
    [
      'spec.validation.openAPIV3Schema.id: Forbidden: id is not supported',
      'spec.schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema \'id\' is not supported',
      'spec.selectableFields[0].jsonPath: Required value',
    ],
  ],
])('%s', (_fact, versions, errors) => {
  const storedVersions = versions.slice(0, 1).map(({ name = null }) => name);
  const definition = stored(changed({ versions }), { storedVersions });
  expect(validateDefinition(definition).map(fieldErrorText)).toEqual(errors);
});

// Source: apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go, which hands both over in each other's place.
test.each([
  ['a', undefined, 'name'],
  [undefined, 'b', 'namespace'],
])('a converter of the service %s in the namespace %s', (name, namespace, missing) => {
  const clientConfig = { service: { ...(name && { name }), ...(namespace && { namespace }), port: 443 } };
  const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
  expect(validateDefinition(stored(changed({ conversion }))).map(fieldErrorText)).toEqual([
    `spec.conversion.webhookClientConfig.service.${missing}: Required value`,
  ]);
});

test('a status write may say any stored versions, but not any names', () => {
  const definition = stored(changed({}), { storedVersions: [], acceptedNames: { ...names, listKind: 'Widget' } });
  expect(validateDefinitionStatusUpdate(definition).map(fieldErrorText)).toEqual([
    'status.acceptedNames.listKind: Invalid value: "Widget": kind and listKind may not be the same',
  ]);
});

// Source: recorded conversations crd-def-format-unknown and crd-update-breaking-schema-ratchets.
test('unknown formats are warned about once, and on an update only when they are new', () => {
  const schema = object({ a: { type: 'string', format: 'shoe-size' }, b: { ...integer, format: 'shoe-size' } });
  const more = object({ a: { type: 'string', format: 'shoe-size' }, c: { type: 'string', format: 'int64' } });
  expect(definitionWarnings(36, widgets(schema))).toEqual(['unrecognized format "shoe-size"']);
  expect(definitionWarnings(36, widgets(more), widgets(schema))).toEqual(['unrecognized format "int64"']);
  // A format of built-in types alone: apiextensions-apiserver pkg/apiserver/validation/formats.go.
  const quantity = widgets(object({ a: { type: 'string', format: 'quantity' } }));
  expect(definitionWarnings(36, quantity)).toEqual(['unrecognized format "quantity"']);
});

// Source: apiextensions-apiserver v1.37.2 pkg/registry/customresourcedefinition/strategy_test.go.
test('sets of objects and lists are warned of since 1.37, and on an update only when they are new', () => {
  const setOf = (items: JsonObject): JsonObject => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });
  const objects = object({ a: { type: 'array', items: object({ b: setOf(object({})) }) } });
  const both = object({ a: setOf(object({})), b: setOf(setOf({ type: 'string' })), c: setOf({ type: 'string' }) });
  const text = (type: string): string =>
    `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`;
  expect(definitionWarnings(37, widgets(objects))).toEqual([text('object')]);
  expect(definitionWarnings(37, widgets(both))).toEqual([text('array'), text('object')]);
  expect(definitionWarnings(37, widgets(both), widgets(objects))).toEqual([text('array')]);
  expect(definitionWarnings(36, widgets(both))).toEqual([]);
});

const below = 'spec.validation.openAPIV3Schema';
const withRule = (rule: JsonObject): JsonObject => ({ 'x-kubernetes-validations': [rule] });

// Source: what kube-apiserver v1.36.2 answers.
test.each<[fact: string, spec: JsonObject, errors: readonly string[]]>([
  [
    'a schema that has no structural form is judged by nothing else of the structure',
    object({ a: { additionalItems: true }, b: {} }),
    [`${below}.properties[spec].properties[a].additionalItems: Forbidden: additionalItems is not supported`],
  ],
  [
    'additionalItems that say nothing are some',
    object({ a: { additionalItems: {} }, b: {} }),
    [`${below}.properties[spec].properties[a].additionalItems: Forbidden: additionalItems is not supported`],
  ],
  [
    'a $ref is forbidden also when it is empty',
    object({ a: { ...integer, $ref: '' } }),
    [`${below}.properties[spec].properties[a].$ref: Forbidden: $ref is not supported`],
  ],
  [
    'a field that no other rule forbids is an error of the whole schema',
    object({ a: { ...integer, $schema: 'x' }, b: {} }),
    [`${below}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`],
  ],
  [
    'dependencies are forbidden also when there are none, definitions are not',
    object({ a: { ...integer, dependencies: {}, definitions: {} } }),
    [`${below}.properties[spec].properties[a].dependencies: Forbidden: dependencies is not supported`],
  ],
  [
    'a default of another type is judged by its format, also by an unknown one',
    object({ a: { type: 'string', format: 'shoe-size', default: 5 } }),
    [
      `${below}.properties[spec].properties[a].default: Invalid value: "int64":  in body must be of type shoe-size: "int64"`,
    ],
  ],
  [
    'a default is not judged by a format of built-in types',
    object({ a: { type: 'string', format: 'quantity', default: 'b' } }),
    [],
  ],
  [
    'a blank messageExpression',
    object({}, withRule({ rule: 'true', messageExpression: ' ' })),
    [
      `${below}.properties[spec].x-kubernetes-validations[0].messageExpression: Required value: messageExpression must be non-empty if specified`,
    ],
  ],
  [
    'a rule that does not compile is reported for the default that it validates, and only there',
    object({ a: { ...integer, default: 1, ...withRule({ rule: 'none' }) } }),
    [
      `${below}.properties[spec].properties[a].default: Invalid value: "integer": rule compile error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'none' (in container '')\n | none\n | ^`,
    ],
  ],
  [
    'what stands in a map of unknown type has nothing to be compared with',
    object({ a: { ...integer, ...withRule({ rule: 'self == oldSelf' }) } }, { 'x-kubernetes-map-type': 'none' }),
    [
      `${below}.properties[spec].x-kubernetes-map-type: Unsupported value: "none": supported values: "atomic", "granular"`,
      `${below}.properties[spec].properties[a].x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${below}.properties[spec]`,
    ],
  ],
  ['a default beyond JavaScript’s integers', object({ a: { ...integer, default: 9_007_199_254_740_992 } }), []],
])('%s', (_fact, spec, errors) => {
  expect(judged(widgets(spec))).toEqual(errors);
});

// Source: kube-apiserver v1.36.2, which looks for a stored version once.
test('two versions of one name are stored once', () => {
  const version = { name: 'v1', served: true, storage: true, schema: anything };
  const errors = validateDefinition(stored(changed({ versions: [version, version] }))).map(fieldErrorText);
  expect(errors.at(-1)).toBe('status.storedVersions: Invalid value: ["v1"]: must have the storage version v1');
});

test('a list of no schemas is no schema', () => {
  const { spec } = submitted(widgets({ type: 'object', items: [] }), ['v1']);
  expect(JSON.stringify(spec)).not.toContain('items');
});

// Source: kube-apiserver v1.36.2; a pointer to nothing is there.
test('an empty default at the root is more than may stand there beside a status', () => {
  const errors = judged(widgets({ type: 'object' }, { default: '' }, { subresources: { status: {} } }));
  expect(errors.some((text) => text.includes('fields are allowed at the root'))).toBe(true);
});
