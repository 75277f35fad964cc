import { type WebhookField, webhookFieldEntries } from '../../../machinery/meta/webhook-fields.ts';
import { anyObject, choice, names, reference, type SchemaNode, text } from './common.ts';

const toSchema = text(
  'Where a real webhook listens, instead of a stub. Without a path, that of its `clientConfig` is called.',
  'http://127.0.0.1:8400/validate',
);

/** Fields that `configure` can change. */
export const backendFields = {
  does: reference('does', 'What the stub does with each review; nothing allows everything.'),
  faults: reference('faults', 'What goes wrong with the webhook, and when.'),
  to: toSchema,
};

const condition: SchemaNode = {
  type: 'object',
  properties: {
    name: text('Its name in messages.', 'not-a-lease'),
    expression: text('The expression.', "request.userInfo.username != 'kubelet'"),
  },
  required: ['name', 'expression'],
  additionalProperties: false,
};

/** Fields of `webhooks[]`, by their API names. */
export const configurationFields: Readonly<Record<string, SchemaNode>> = Object.fromEntries(
  webhookFieldEntries.map(([name, field]) => [name, fieldSchema(field)]),
);

function fieldSchema(field: WebhookField): SchemaNode {
  const { description } = field;
  switch (field.type) {
    case 'choice':
      return choice(description, field.values);
    case 'integer': {
      const { minimum, maximum, default: standard } = field;
      return { type: 'integer', minimum, maximum, description, ...(standard !== undefined && { default: standard }) };
    }
    case 'names':
      return names(description, field.example);
    case 'selector':
      return anyObject(description);
    case 'conditions':
      return { type: 'array', description, items: condition };
  }
}

const rules: SchemaNode = {
  description:
    'What it is called for: `pods`, `CREATE,DELETE deployments.apps`, `CONNECT pods/exec`, `* */*`, or the full form ' +
    'of the API. Without operations: CREATE and UPDATE.',
  examples: ['pods', ['CREATE pods', 'UPDATE deployments.apps/scale']],
  anyOf: [
    { type: 'string' },
    {
      type: 'array',
      items: {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: {
              operations: names('', 'CREATE'),
              apiGroups: names('', ''),
              apiVersions: names('', 'v1'),
              resources: names('', 'pods'),
              scope: choice('', ['*', 'Cluster', 'Namespaced']),
            },
            required: ['operations', 'apiGroups', 'apiVersions', 'resources'],
            additionalProperties: false,
          },
        ],
      },
    },
  ],
};

export const webhookSchema: SchemaNode = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: text('The name of the webhook: `webhooks[].name` of a configuration.', 'sidecar.example.com'),
    configuration: text(
      'The name of its configuration: needed when two of them have a webhook of this name. With `type`, the name of ' +
        'the configuration made for it (the name of the webhook when it is left out).',
    ),
    ...backendFields,
    type: choice(
      'Makes a configuration for this webhook alone, so that none has to be in `load`. The fields below go into it.',
      ['mutating', 'validating'],
    ),
    rules,
    ...configurationFields,
  },
};
