import { findingRules } from '../../../explain/findings/finding.ts';
import { historyRules } from '../../../explain/findings/history.ts';
import {
  anyObject,
  arraySchema,
  choice,
  duration,
  jsonPatch,
  names,
  oneOrMore,
  reference,
  type SchemaNode,
  text,
  textExpectation,
  textExpectationSchema,
  textMap,
} from './common.ts';
import type { FailurePhase } from '../../../explain/trace/trace.ts';

/** Skip reasons as in docs/reference/trace-format.md, and the details of `not-reinvoked`. */
export const skipReasons = [
  'no-rule-matched',
  'namespaceSelector',
  'objectSelector',
  'matchCondition',
  'matchCondition-error',
  'exempt',
  'not-reinvoked',
  'reinvocationPolicy-Never',
  'not-called-in-round-0',
  'nothing-changed-since',
] as const;

const policyReasons = ['not-bound', 'excluded', 'no-params', ...skipReasons] as const;

export const policyOutcomes = ['evaluated', 'skipped', 'denied', 'failed-open', 'failed-closed'] as const;

export const webhookOutcomes = ['called', 'skipped', 'denied', 'failed-open', 'failed-closed', 'refused'] as const;

/** The compiler requires every phase. */
const failurePhases = Object.keys({
  client: true,
  resolve: true,
  connect: true,
  tls: true,
  headers: true,
  body: true,
  timeout: true,
  canceled: true,
  decode: true,
  verify: true,
  patch: true,
  'dry-run': true,
} satisfies Record<FailurePhase, true>);

const fields: Readonly<Record<string, SchemaNode>> = {
  configuration: text('The name of its configuration, when two of them have a webhook of this name.', 'sidecars'),
  type: choice('Which is meant, when a mutating and a validating webhook have the same names.', [
    'mutating',
    'validating',
  ]),
  outcome: choice('What became of it, in the words of the trace.', webhookOutcomes),
  skipped: choice('It was not called, for this reason.', skipReasons),
  round: { type: 'integer', enum: [0, 1], description: 'Only what it did in this round: 0, or 1 for the second.' },
  times: { type: 'integer', minimum: 0, description: 'How often it was called, over both rounds.', examples: [1] },
  patch: {
    description: 'The patch of its answer, all of it; `none` for none.',
    anyOf: [{ type: 'string', enum: ['none'] }, jsonPatch('')],
  },
  phase: choice('How far a failed call came.', failurePhases),
  error: textExpectation('The error of a failed call.'),
  warnings: arraySchema('The warnings of its answer, all of them.', reference('text')),
  auditAnnotations: textMap('Audit annotations of its answer, perhaps among others.'),
};

const webhooks: SchemaNode = {
  description:
    'What became of webhooks: a mapping from the name (or `CONFIGURATION/NAME`) to its outcome or to a mapping, or a ' +
    'list when one name comes twice. Webhooks that are not named here may do what they like.',
  examples: [{ 'sidecar.example.com': 'called', 'other.example.com': { skipped: 'namespaceSelector' } }],
  anyOf: [
    {
      type: 'object',
      additionalProperties: {
        anyOf: [
          { type: 'string', enum: webhookOutcomes },
          { type: 'object', properties: fields, additionalProperties: false },
        ],
      },
    },
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: text('The name of the webhook.', 'sidecar.example.com'), ...fields },
        required: ['name'],
        additionalProperties: false,
      },
    },
  ],
};

const policyFields: Readonly<Record<string, SchemaNode>> = {
  outcome: choice('What became of it, in the words of the trace.', policyOutcomes),
  skipped: choice('It was not evaluated, for this reason.', policyReasons),
  binding: text('Only the turns of this binding.', 'limits-binding'),
  changed: { type: 'boolean', description: 'Of a mutating policy: whether it changed the object.' },
  object: anyObject('Of a mutating policy: the object as it left it has these fields, perhaps among others.', {
    metadata: { labels: { team: 'a' } },
  }),
};

const policies: SchemaNode = {
  type: 'object',
  description:
    'What became of admission policies: a mapping from the name of a policy to its outcome or to a mapping. Policies that are not named here may do what they like.',
  examples: [{ 'images-from-us': 'denied', 'other-team': { skipped: 'namespaceSelector' } }],
  additionalProperties: {
    anyOf: [
      { type: 'string', enum: policyOutcomes },
      { type: 'object', properties: policyFields, additionalProperties: false },
    ],
  },
};

const properties: Readonly<Record<string, SchemaNode>> = {
  outcome: choice('Whether the request goes through. A refusal that nothing here expects fails the step anyway.', [
    'admitted',
    'refused',
  ]),
  deniedBy: text(
    'Who refused it: the name of a webhook, of a policy (also as `policy/NAME`) or of an admission plugin.',
    'no-privileged.example.com',
    'policy/images-from-us',
  ),
  code: { type: 'integer', minimum: 100, maximum: 599, description: 'The HTTP code of the answer.', examples: [403] },
  reason: text('The reason of the Status.', 'Forbidden', 'AlreadyExists'),
  message: textExpectation('The message of the Status.'),
  webhooks,
  policies,
  order: names(
    'The webhooks called, in this order, and no others; as `CONFIGURATION/NAME` where a name comes twice. One that was called twice is there twice.',
  ),
  findings: {
    ...arraySchema(
      'What `kadmit explain` finds wrong with the request, by the rules of findings.md, each once; `[]` for nothing. Notes, and what the writes of the object show together, count only where they are named.',
      { type: 'string', enum: [...findingRules, ...historyRules] },
    ),
    examples: [['called-too-early']],
  },
  warnings: oneOrMore('All warnings the client gets, in order; `[]` for none.', textExpectationSchema),
  auditAnnotations: {
    type: 'object',
    description: 'Annotations of the audit event, perhaps among others; `null` for one that must not be there.',
    additionalProperties: { anyOf: [{ type: 'null' }, ...(textExpectationSchema.anyOf ?? [])] },
  },
  object: anyObject('The object as answered has these fields, perhaps among others.', {
    metadata: { labels: { team: 'a' } },
  }),
  exactly: anyObject('The object as answered has these fields and no others, but for what the server fills in.', {
    metadata: { labels: { team: 'a' } },
  }),
  golden: text('The object as answered is what this file has; `kadmit test --update` writes it.', 'pod.golden.yaml'),
  settled: {
    type: 'object',
    description:
      'How many objects there are of each of these resources once the controllers are idle, outside of `kube-` namespaces.',
    examples: [{ replicasets: 1, pods: 2 }],
    additionalProperties: { type: 'integer', minimum: 0 },
    minProperties: 1,
  },
  elapsed: {
    description: 'How long the request takes on the clock of the scenario: exactly so long, or a range.',
    anyOf: [
      duration('', '34s'),
      {
        type: 'object',
        properties: { min: duration('At least.'), max: duration('At most.') },
        minProperties: 1,
        additionalProperties: false,
      },
    ],
  },
};

export const expectationSchema: SchemaNode = {
  description: 'What the step must show. Without it, the request must go through.',
  anyOf: [
    { type: 'string', enum: ['admitted', 'refused'] },
    { type: 'object', properties, additionalProperties: false },
  ],
};
