import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { apiFaultsSchema } from './api-fault-schema.ts';
import { behaviourSchema, behavioursSchema } from './behaviour-schema.ts';
import {
  arraySchema,
  choice,
  names,
  oneOrMore,
  reference,
  type SchemaNode,
  text,
  textExpectationSchema,
  textMap,
} from './common.ts';
import { faultOrNoneSchema, faultSchema, faultsSchema } from './fault-schema.ts';
import { stepSchema } from './step-schema.ts';
import { namedUserSchema } from './user-schema.ts';
import { backendFields, configurationFields, webhookSchema } from './webhook-schema.ts';

const orderOf = names('Names of mutating configurations: they are called in this order.', 'first', 'second');

const policySeedSchema: SchemaNode = {
  type: 'integer',
  minimum: 0,
  description:
    'Shuffles policies and their bindings, whose order is a matter of chance on other servers; 0: they come by name.',
  examples: [1],
};

const kubernetesVersionSchema: SchemaNode = {
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

const changeSchema: SchemaNode = {
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

const matrixSchema: SchemaNode = {
  type: 'object',
  description:
    'Runs the scenario once for each combination of these axes. An axis is a mapping from the name of a value to what ' +
    'it changes; `order`, `fault`, `failurePolicy`, `policySeed` and `kubernetesVersion` have short forms.',
  examples: [{ failurePolicy: ['Fail', 'Ignore'], fault: ['none', 'hang', 'refuse'] }],
  properties: {
    order: {
      description:
        '`all` for every order of the mutating configurations (of more than five, 120 orders), or a list of orders.',
      anyOf: [{ type: 'string', enum: ['all'] }, arraySchema('', orderOf), byName],
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
      anyOf: [arraySchema('', policySeedSchema), byName],
    },
    kubernetesVersion: {
      description: 'Releases of Kubernetes, one after the other.',
      anyOf: [arraySchema('', kubernetesVersionSchema), byName],
    },
    failurePolicy: {
      description: 'The failurePolicy of all webhooks of the scenario.',
      anyOf: [arraySchema('', choice('', ['Fail', 'Ignore'])), byName],
    },
  },
  additionalProperties: byName,
};

const convertersSchema: SchemaNode = arraySchema(
  'Converters of custom resources. A loaded definition without a converter gets this one.',
  {
    type: 'object',
    required: ['definition'],
    additionalProperties: false,
    properties: {
      definition: text(
        'The name of the CustomResourceDefinition; a step configures it under this name.',
        'widgets.example.com',
      ),
      does: {
        description:
          'How: nothing changes the apiVersion alone. `script` names a file whose default export takes the ' +
          'ConversionReview and returns the list of converted objects (or its `response`); `deny` fails with this message.',
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          script: text('A JavaScript or TypeScript file, or the code itself in several lines.', './convert.ts'),
          deny: text('What the answer says went wrong.', 'v2 has no such field'),
        },
      },
      faults: reference('faults', 'What goes wrong with the converter, and when.'),
      to: backendFields.to,
    },
  },
);

const server: SchemaNode = {
  type: 'object',
  description: 'How the server is set up, under the names that `kadmit serve` has for its flags.',
  additionalProperties: false,
  properties: {
    controllers: {
      ...names('The controllers that run: `*` for all, `-name` for all but that one, [] for none.', '*'),
      default: ['*'],
    },
    nodes: {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      description: 'Nodes on which Pods become ready, though nothing is executed; 0: Pods stay Pending.',
      default: 0,
    },
    enableAdmissionPlugins: names('Plugins to run besides the default ones.', 'PodSecurity'),
    disableAdmissionPlugins: names('Default plugins not to run.', 'ServiceAccount'),
    authorizationMode: {
      ...choice('Whether roles decide what users may do, or everybody may do everything.', ['AlwaysAllow', 'RBAC']),
      default: 'AlwaysAllow',
    },
    kubernetesVersion: kubernetesVersionSchema,
    policySeed: { ...policySeedSchema, default: 0 },
    assume: {
      type: 'object',
      description:
        'Assumed responses of webhooks without a backend: by the webhook, its configuration or ' +
        'CONFIGURATION/WEBHOOK, and `*` for all others. `ignore` continues as if the call failed.',
      examples: [{ 'injector.example.com': 'allow', '*': 'ignore' }],
      additionalProperties: choice('', ['allow', 'deny', 'ignore']),
    },
  },
};

/** Source of docs/reference/scenario.schema.json and the tables in docs/reference/scenario-format.md. */
export const scenarioSchema: SchemaNode = {
  type: 'object',
  additionalProperties: false,
  required: ['steps'],
  properties: {
    $schema: text('The schema of this file, for editors that do not read the first line.', './scenario.schema.json'),
    name: text(
      'What is shown, in a few words; the name of the folder when it is left out.',
      'privileged Pods are refused',
    ),
    description: text('What it is about, for the reader.', 'The webhook comes before the sidecar is there.'),
    clock: choice(
      '`virtual`: delays and timeouts take no real time; the default when every webhook is a stub. `real`: they do.',
      ['virtual', 'real'],
    ),
    seed: {
      type: 'integer',
      minimum: 0,
      default: 1,
      description: 'Decides uids and chance: the same seed, the same run.',
    },
    server,
    namespaces: {
      type: 'object',
      description: 'Namespaces to make first, with their labels.',
      examples: [{ shop: { team: 'a' }, plain: {} }],
      additionalProperties: { anyOf: [{ type: 'null' }, textMap('')] },
    },
    load: oneOrMore(
      'What is stored before the first step: files, folders (beside this file) or objects. Namespaces go first and ' +
        'webhook configurations last.',
      { anyOf: [{ type: 'string', examples: ['configurations.yaml'] }, { type: 'object' }] },
    ),
    crds: oneOrMore(
      'CustomResourceDefinitions to install before all else but namespaces: files, folders (of which only the definitions are read) or ' +
        'objects.',
      { anyOf: [{ type: 'string', examples: ['config/crd/bases'] }, { type: 'object' }] },
    ),
    users: {
      type: 'object',
      description: 'Users that steps name with `as`.',
      examples: [{ alice: { groups: ['devs'] } }],
      additionalProperties: { anyOf: [{ type: 'null' }, namedUserSchema] },
    },
    webhooks: arraySchema(
      'Backends of webhooks: stubs, or real processes. A webhook of a configuration that is not here ' +
        'cannot be reached.',
      webhookSchema,
    ),
    plugins: oneOrMore(
      'Admission plugins of your own, among those of the server: files that export one each (docs/reference/own-plugins.md).',
      { type: 'string', examples: ['team-label.mjs'] },
    ),
    converters: convertersSchema,
    apiFaults: apiFaultsSchema,
    steps: {
      ...arraySchema('What is done, one after the other, and what each step must show.', stepSchema),
      minItems: 1,
    },
    matrix: matrixSchema,
  },
  definitions: {
    does: behavioursSchema,
    behaviour: behaviourSchema,
    faults: faultsSchema,
    fault: faultSchema,
    change: changeSchema,
    text: textExpectationSchema,
  },
};
