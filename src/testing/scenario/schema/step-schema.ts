import { anyObject, choice, duration, jsonPatch, oneOrMore, type SchemaNode, text } from './common.ts';
import { expectationSchema } from './expectation-schema.ts';
import { userSchema } from './user-schema.ts';
import { backendFields } from './webhook-schema.ts';

const manifest = (description: string): SchemaNode => ({
  description: `${description} A file (each of its documents is a step of its own) or the object itself.`,
  examples: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
  anyOf: [{ type: 'string', examples: ['pod.yaml'] }, { type: 'object' }],
});

const target = (description: string): SchemaNode => ({
  type: 'string',
  description,
  examples: ['pod/web', 'deployments.apps/web', 'deployment/web/scale'],
});

const rows = (must: string): SchemaNode => ({
  description: `With create, update, apply: variants of the object that ${must}. Each is a merge patch of the object and a step of its own, as a dry run: nothing is stored. A list, or a mapping from a name for the reports.`,
  examples: [{ 'two replicas': { spec: { replicas: 2 } } }],
  anyOf: [
    { type: 'array', items: { type: 'object' } },
    { type: 'object', additionalProperties: { type: 'object' } },
  ],
});

/** Each step has exactly one. */
export const actions: Readonly<Record<string, SchemaNode>> = {
  create: manifest('Creates an object.'),
  update: manifest('Replaces an object.'),
  apply: manifest('Applies an object on the server (server-side apply).'),
  patch: target('Patches this object: with `merge`, `strategic` or `json`.'),
  delete: target('Deletes this object.'),
  deletecollection: text('Deletes all objects of a resource, or those that the selectors choose.', 'pods'),
  connect: target(
    'Connects to `pod/NAME/exec`, `attach`, `portforward`, `proxy`, `service/NAME/proxy`, `node/NAME/proxy`.',
  ),
  get: target('Reads an object.'),
  wait: target('Waits for an object: until it is there, is gone or has these fields.'),
  advance: duration('Lets time pass; at once with `clock: virtual`.', '30s'),
  configure: text(
    'Changes what this webhook `does`, its `faults` or where it goes (`to`), from now on.',
    'sidecar.example.com',
  ),
};

const details: Readonly<Record<string, SchemaNode>> = {
  namespace: text(
    'The namespace of the object; `default` when it is left out. A manifest that names one keeps its own.',
    'shop',
  ),
  subresource: text('With create, update, apply: sends the object to this subresource of its own address.', 'status'),
  target: target('With create, update, apply: sends the object to this address instead of its own.'),
  fieldManager: text('With writes: the name of the field manager; `kadmit` when it is left out.', 'my-operator'),
  force: { type: 'boolean', description: 'With apply: takes over fields that others own.', default: false },
  merge: anyObject('With patch: a JSON merge patch.', { metadata: { labels: { team: 'a' } } }),
  strategic: anyObject('With patch: a strategic merge patch, as `kubectl patch` sends.', {
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  }),
  json: jsonPatch('With patch: a JSON patch.'),
  options: {
    type: 'object',
    description: 'With delete: DeleteOptions, such as `{gracePeriodSeconds: 0}`.',
    examples: [{ gracePeriodSeconds: 0 }],
    properties: {
      gracePeriodSeconds: {
        type: 'integer',
        description: 'How long a Pod may take to stop; 0 deletes it at once.',
        examples: [0],
      },
      propagationPolicy: choice('What becomes of the objects that it owns.', ['Background', 'Foreground', 'Orphan']),
      preconditions: anyObject('`uid` and `resourceVersion` that the object must have.', { resourceVersion: '7' }),
    },
    additionalProperties: true,
  },
  labelSelector: text('With deletecollection: only objects with these labels.', 'app=web'),
  fieldSelector: text('With deletecollection: only objects with these fields.', 'metadata.name=web'),
  query: {
    type: 'object',
    description: 'With connect: the parameters of the query.',
    examples: [{ command: ['ls', '-l'], container: 'web' }],
    additionalProperties: oneOrMore('', { type: ['string', 'boolean', 'number'] }),
  },
  allowed: rows('must be admitted'),
  denied: rows('must be refused, as `expect` says'),
  until: {
    description: 'With wait: `exists`, `gone`, or fields that the object must have. `exists` when it is left out.',
    anyOf: [{ type: 'string', enum: ['exists', 'gone'] }, { type: 'object' }],
  },
  timeout: { ...duration('With wait: how long, on the clock of the scenario.', '30s'), default: '30s' },
  ...backendFields,
};

export const stepSchema: SchemaNode = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: text('A name for the reports; without it, what the step does.', 'a privileged Pod is refused'),
    ...actions,
    ...details,
    as: userSchema,
    dryRun: { type: 'boolean', description: 'Sends the write with `dryRun=All`: nothing is stored.', default: false },
    expect: expectationSchema,
    only: choice(
      'Runs only against kadmit, or only against the cluster of `--target`; everywhere when it is left out.',
      ['kadmit', 'target'],
    ),
    when: {
      type: 'object',
      description: 'With a `matrix`: runs only in these combinations.',
      examples: [{ fault: 'hang', failurePolicy: ['Fail'] }],
      additionalProperties: oneOrMore('', { type: 'string' }),
    },
  },
  dependencies: {
    merge: ['patch'],
    strategic: ['patch'],
    json: ['patch'],
    options: ['delete'],
    labelSelector: ['deletecollection'],
    fieldSelector: ['deletecollection'],
    query: ['connect'],
    until: ['wait'],
    timeout: ['wait'],
    force: ['apply'],
    does: ['configure'],
    faults: ['configure'],
    to: ['configure'],
  },
  examples: [{ create: 'pod.yaml', expect: 'refused' }],
};
