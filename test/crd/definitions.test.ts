import { expect, test } from 'vitest';
import { fieldErrorText } from '../../src/apimachinery/field-error.ts';
import { asObject } from '../../src/apimachinery/json.ts';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { metadataOf } from '../../src/apimachinery/object.ts';
import type { KubernetesObject } from '../../src/apimachinery/object.ts';
import {
  definitionName,
  definitionWarnings,
  validateDefinition,
  validateDefinitionStatusUpdate,
  validateDefinitionUpdate,
} from '../../src/crd/engine.ts';
import { validateObjectMeta } from '../../src/schema/validate/object-meta.ts';
import recorded from '../facts/vectors/definitions.json' with { type: 'json' };
import { widgets } from './custom-object.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';

interface Fact {
  readonly case: string;
  readonly definition: JsonObject;
  readonly causes: readonly string[];
  /** The recorded causes are in order of their texts. */
  readonly sorted?: boolean;
}

const facts: readonly Fact[] = recorded;
const codec = currentRelease.codec;
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

// Source: every definition that the recorded conversations of the groups crd, crd-cel, crd-webhooks and conversion create.
test.each(facts.map((fact) => [fact.case, fact] as const))('%s', (_case, { definition, causes, sorted }) => {
  const told = judged(definition);
  expect(sorted ? told.toSorted() : told).toEqual(sorted ? causes.toSorted() : causes);
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

test('a status write may say any stored versions, but not any names', () => {
  const definition = stored(changed({}), { storedVersions: [], acceptedNames: { ...names, listKind: 'Widget' } });
  expect(validateDefinitionStatusUpdate(definition).map(fieldErrorText)).toEqual([
    'status.acceptedNames.listKind: Invalid value: "Widget": kind and listKind may not be the same',
  ]);
});

// Source: recorded conversations crd-def-format-unknown and crd-update-breaking-schema-ratchets.
test('formats that nobody checks are told once, and on an update only when they are new', () => {
  const schema = object({ a: { type: 'string', format: 'shoe-size' }, b: { ...integer, format: 'shoe-size' } });
  const more = object({ a: { type: 'string', format: 'shoe-size' }, c: { type: 'string', format: 'int64' } });
  expect(definitionWarnings(widgets(schema))).toEqual(['unrecognized format "shoe-size"']);
  expect(definitionWarnings(widgets(more), widgets(schema))).toEqual(['unrecognized format "int64"']);
});
