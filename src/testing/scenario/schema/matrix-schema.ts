import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { choice, listOf, names, oneOrMore, reference } from './common.ts';
import { faultOrNoneSchema } from './fault-schema.ts';
import type { SchemaNode } from './schema-node.ts';
import { backendFields, configurationFields } from './webhook-schema.ts';

const orderOf = names('Names of mutating configurations: they are called in this order.', 'first', 'second');

export const policySeedSchema: SchemaNode = {
  type: 'integer',
  minimum: 0,
  description:
    'Shuffles policies and their bindings, whose order is a matter of chance on other servers; 0: they come by name.',
};

export const kubernetesVersionSchema: SchemaNode = {
  description: `The release of Kubernetes that is followed: ${releaseNames.join(', ')}, perhaps with its patch number.`,
  examples: [releaseNames[0] ?? ''],
  anyOf: [
    {
      type: 'string',
      pattern: `^v?(${releaseNames.map((name) => name.replace('.', '\\.')).join('|')})(\\.\\d+)?$`,
      patternDescription: `a release: ${releaseNames.join(', ')}`,
    },
    { type: 'number', enum: releaseNames.map(Number) },
  ],
};

/** What one value of an axis changes. */
export const changeSchema: SchemaNode = {
  type: 'object',
  description: 'What is different in this combination.',
  additionalProperties: false,
  properties: {
    order: orderOf,
    policySeed: policySeedSchema,
    kubernetesVersion: kubernetesVersionSchema,
    load: oneOrMore('Files, folders or objects that are stored besides.', {
      anyOf: [{ type: 'string' }, { type: 'object' }],
    }),
    webhooks: {
      type: 'object',
      description: 'By the name of a webhook, or `*` for all: what it does, its faults, fields of its configuration.',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: { ...backendFields, ...configurationFields },
      },
    },
  },
};

const byName: SchemaNode = { type: 'object', minProperties: 1, additionalProperties: reference('change') };

/** `matrix`: each combination of one value of every axis is a run. */
export const matrixSchema: SchemaNode = {
  type: 'object',
  description:
    'Runs the scenario once for each combination of these axes. An axis is a mapping from the name of a value to what ' +
    'it changes; `order`, `fault`, `failurePolicy`, `policySeed` and `kubernetesVersion` have short forms.',
  examples: [{ failurePolicy: ['Fail', 'Ignore'], fault: ['none', 'hang', 'refuse'] }],
  properties: {
    order: {
      description:
        '`all` for every order of the mutating configurations (of more than five, 120 orders), or a list of orders.',
      anyOf: [{ type: 'string', enum: ['all'] }, listOf('', orderOf), byName],
    },
    fault: {
      description: 'Faults that all webhooks of the scenario have, one after the other; `none` for none.',
      anyOf: [
        {
          type: 'array',
          minItems: 1,
          items: faultOrNoneSchema,
          examples: [['none', 'hang', { status: 503 }]],
        },
        byName,
      ],
    },
    policySeed: {
      description: 'Orders of the policies: each number shuffles them in its own way, 0 leaves them by name.',
      anyOf: [listOf('', policySeedSchema), byName],
    },
    kubernetesVersion: {
      description: 'Releases of Kubernetes, one after the other.',
      anyOf: [listOf('', kubernetesVersionSchema), byName],
    },
    failurePolicy: {
      description: 'The failurePolicy of all webhooks of the scenario.',
      anyOf: [listOf('', choice('', ['Fail', 'Ignore'])), byName],
    },
  },
  additionalProperties: byName,
};
