import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { TypeRef } from '../../src/api/types/type-info.ts';
import type { Sample } from '../differ/samples.ts';
import { type LongField, findFields } from './long-fields.ts';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const text = { type: 'string' };
const textList = { type: 'array', items: text };
const named = {
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: text, value: { ...text, default: 'v' } } },
};
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const rule = { rule: 'size(self) < 100000000', message: 'too many' };

/** Schemas of a custom resource for a list, a map and a text. */
const fields = {
  text,
  pattern: { ...text, pattern: '^a*$', maxLength: 3_000_000 },
  numbers: { type: 'array', items: { type: 'integer' } },
  list: textList,
  set: { ...textList, 'x-kubernetes-list-type': 'set' },
  atomic: { ...textList, 'x-kubernetes-list-type': 'atomic' },
  unique: { ...textList, maxItems: 100_000 },
  named,
  keyed: { ...named, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  map: { type: 'object', additionalProperties: text },
  maps: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
  whole: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
  ruled: { ...textList, maxItems: 100_000, 'x-kubernetes-validations': [rule] },
  ruledMap: { type: 'object', additionalProperties: text, 'x-kubernetes-validations': [rule] },
  free: open,
  template: { ...open, 'x-kubernetes-embedded-resource': true },
};

const struct = { type: 'object', properties: fields };

export const wideDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'wides.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'wides', singular: 'wide', kind: 'Wide', listKind: 'WideList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'T', type: 'string', jsonPath: '.spec.text' }],
        schema: {
          openAPIV3Schema: { type: 'object', properties: { ...fields, spec: struct, status: struct } },
        },
      },
    ],
  },
} satisfies JsonObject;

const wide: Sample = {
  resource: 'wides',
  namespaced: true,
  object: {
    apiVersion: 'fuzz.example.com/v1',
    kind: 'Wide',
    metadata: { name: 'n1' },
    spec: { text: 'a', template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } } },
  },
};

const otherDefinition: Sample = {
  resource: 'customresourcedefinitions',
  namespaced: false,
  object: {
    ...wideDefinition,
    metadata: { name: 'others.fuzz.example.com' },
    spec: {
      ...wideDefinition.spec,
      names: { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList' },
    },
  },
};

const string: TypeRef = { type: 'scalar', scalar: 'string' };

/** The long fields of a definition, and of its objects: fields in the schema, and unknown ones. */
export const findCustomFields = (): readonly LongField[] => [
  ...findFields(otherDefinition),
  ...[[], ['spec'], ['status']].flatMap((above) => findFieldsBelow(above)),
  ...['labels', 'annotations'].map((name) => at(['metadata', name], 'map', string)),
  ...['finalizers', 'ownerReferences'].map((name) => at(['metadata', name], 'list', string)),
];

const at = (path: LongField['path'], is: LongField['is'], of: TypeRef): LongField => ({ sample: wide, path, is, of });

function findFieldsBelow(above: readonly string[]): readonly LongField[] {
  const ofFields = Object.entries(fields).map(([name, schema]) => at([...above, name], formOf(schema), itemOf(name)));
  const deeper = [
    at([...above, 'maps', '*'], 'map', string),
    at([...above, 'named', 0, 'value'], 'text', string),
    at([...above, 'free', 'any'], 'list', string),
    at([...above, 'free', 'any'], 'map', { type: 'map', of: string }),
    at([...above, 'template', 'metadata', 'labels'], 'map', string),
    at([...above, 'template', 'spec'], 'map', string),
    at([...above, 'nobodyKnows'], 'list', string),
    at([...above, 'nobodyKnows'], 'map', string),
    at([...above, 'numbers'], 'list', string),
  ];
  const whole = above.length > 0 ? [at(above, 'map', string)] : [];
  return [...ofFields, ...deeper, ...whole];
}

const formOf = ({ type }: { readonly type: string }): LongField['is'] =>
  type === 'array' ? 'list' : type === 'object' ? 'map' : 'text';

function itemOf(name: string): TypeRef {
  if (name === 'numbers') return { type: 'scalar', scalar: 'int32' };
  if (name === 'maps') return { type: 'map', of: string };
  if (name === 'named' || name === 'keyed') return { type: 'named', name: 'core.v1.LocalObjectReference' };
  return string;
}
