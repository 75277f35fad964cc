import { apiFaultsSchema } from './api-fault-schema.ts';
import { behaviourSchema, behavioursSchema } from './behaviour-schema.ts';
import { choice, listOf, names, oneOrMore, text, textExpectationSchema, textMap } from './common.ts';
import { convertersSchema } from './converter-schema.ts';
import { faultSchema, faultsSchema } from './fault-schema.ts';
import { changeSchema, kubernetesVersionSchema, matrixSchema, policySeedSchema } from './matrix-schema.ts';
import type { SchemaNode } from './schema-node.ts';
import { stepSchema } from './step-schema.ts';
import { namedUserSchema } from './user-schema.ts';
import { webhookSchema } from './webhook-schema.ts';

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
        'What to take for the answers of webhooks that nobody runs here: by the webhook, its configuration or ' +
        'CONFIGURATION/WEBHOOK, and `*` for whoever has no backend. `ignore` goes on as if it failed.',
      examples: [{ 'injector.example.com': 'allow', '*': 'ignore' }],
      additionalProperties: choice('', ['allow', 'deny', 'ignore']),
    },
  },
};

/** A scenario.yaml. The one source of docs/scenario.schema.json and of the tables in docs/scenario-format.md. */
export const scenarioSchema: SchemaNode = {
  type: 'object',
  additionalProperties: false,
  required: ['steps'],
  properties: {
    $schema: text('The schema of this file, for editors that do not read the first line.'),
    name: text(
      'What is shown, in a few words; the name of the folder when it is left out.',
      'privileged Pods are refused',
    ),
    description: text('What it is about, for the reader.'),
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
    webhooks: listOf(
      'Who answers the calls to webhooks: stubs, or real processes. A webhook of a configuration that is not here ' +
        'cannot be reached.',
      webhookSchema,
    ),
    plugins: oneOrMore(
      'Admission plugins of your own, among those of the server: files that export one each (docs/own-plugins.md).',
      { type: 'string', examples: ['team-label.mjs'] },
    ),
    converters: convertersSchema,
    apiFaults: apiFaultsSchema,
    steps: { ...listOf('What is done, one after the other, and what each step must show.', stepSchema), minItems: 1 },
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
