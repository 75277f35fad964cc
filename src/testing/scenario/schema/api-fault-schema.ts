import { arraySchema, callNumbers, names, probability, type SchemaNode } from './common.ts';

export const apiFaultSchemas: Readonly<Record<string, SchemaNode>> = {
  conflict: {
    type: 'boolean',
    enum: [true],
    description: 'Refuses with 409, as if another client had been faster: updates and patches, or the given `verbs`.',
  },
  tooManyRequests: {
    description: 'Refuses with 429 and asks to come again: after a second, or so many seconds.',
    anyOf: [
      { type: 'boolean', enum: [true] },
      { type: 'integer', minimum: 1 },
    ],
  },
};

const apiFaultSchema: SchemaNode = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...apiFaultSchemas,
    verbs: names('Only requests with these verbs, under the names of RBAC.', 'update'),
    resources: names('Only requests for these resources.', 'pods', 'deployments.apps', 'pods/status'),
    namespaces: names('Only requests in these namespaces.', 'shop'),
    calls: callNumbers(
      'Only these of the requests that fit, counted from 1: `1`, `[1, 3]` or `2-4`. Without it every one.',
    ),
    probability,
  },
};

export const apiFaultsSchema: SchemaNode = {
  ...arraySchema(
    'What goes wrong at the API itself while the steps run: the first that is due happens to a request, which is ' +
      'refused before anything else looks at it.',
    apiFaultSchema,
  ),
  examples: [[{ conflict: true, resources: ['deployments.apps'], calls: [1] }]],
};
