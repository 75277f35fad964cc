import { type WebhookField, webhookFieldEntries } from '../../../machinery/meta/webhook-fields.ts';
import { arraySchema, choice, names, reference, type SchemaNode, text, textMap } from './common.ts';

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

const selector: SchemaNode = {
  type: 'object',
  additionalProperties: false,
  examples: [{ matchLabels: { team: 'a' } }],
  properties: {
    matchLabels: textMap('Labels with these values, all of them.'),
    matchExpressions: arraySchema('Conditions on labels, all of them.', {
      type: 'object',
      required: ['key', 'operator'],
      additionalProperties: false,
      properties: {
        key: text('The label.', 'kubernetes.io/metadata.name'),
        operator: choice('How the label is compared with `values`.', ['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: names('The values, for `In` and `NotIn`.', 'shop'),
      },
    }),
  },
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
      return { ...selector, description };
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
              operations: arraySchema(
                'Operations; `*` for all.',
                choice('', ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*']),
              ),
              apiGroups: names('API groups; the core group is empty, `*` stands for all.', ''),
              apiVersions: names('Versions of the groups; `*` for all.', 'v1'),
              resources: names('Resources and subresources: `pods`, `pods/status`, `*/*` for all.', 'pods'),
              scope: choice('Only objects of the cluster or of namespaces; `*`, the default, for both.', [
                '*',
                'Cluster',
                'Namespaced',
              ]),
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
      'sidecars',
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
