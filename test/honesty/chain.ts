import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { Random } from '../../src/machinery/clock.ts';
import { createRandomChoices, type RandomChoices } from '../harness/random-choices.ts';
import { type Behaviour, behaviours, marking } from './behaviours.ts';

/** A random admission chain and the requests that go through it. */
export interface Chain {
  readonly webhooks: readonly ChainWebhook[];
  readonly policies: readonly ChainPolicy[];
  /** Method, target, body; the last ones are explained. */
  readonly requests: readonly ChainRequest[];
}

export interface ChainWebhook {
  readonly phase: 'Mutating' | 'Validating';
  readonly configuration: string;
  readonly name: string;
  readonly entry: JsonObject;
  readonly behaviour: Behaviour;
}

export interface ChainPolicy {
  readonly phase: 'Mutating' | 'Validating';
  readonly name: string;
  readonly spec: JsonObject;
  readonly bindings: readonly string[];
}

export interface ChainRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly target: string;
  readonly body?: JsonObject;
}

const selectors: readonly [JsonObject, ...JsonObject[]] = [
  { matchLabels: { team: 'web' } },
  { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'stub', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'stub', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['web'] }] },
];

const conditions: readonly [string, ...string[]] = [
  "!has(object.metadata.labels) || !('stub' in object.metadata.labels)",
  "has(object.metadata.labels) && 'team' in object.metadata.labels",
  "request.operation == 'CREATE'",
  "object.metadata.labels['team'] == 'web'",
  'true',
];

const operations: readonly [readonly string[], ...(readonly string[])[]] = [
  ['*'],
  ['*'],
  ['CREATE'],
  ['UPDATE'],
  ['DELETE'],
];

const resources: readonly [readonly string[], ...(readonly string[])[]] = [
  ['configmaps', 'pods'],
  ['configmaps', 'pods'],
  ['*'],
  ['configmap'],
  ['secrets'],
  ['pods'],
];

/** Injects once, and is called only for objects without its mark, as most mutating webhooks. */
const once = {
  objectSelector: { matchExpressions: [{ key: 'stub', operator: 'DoesNotExist' }] },
  reinvocationPolicy: 'IfNeeded',
};

function webhook(phase: ChainWebhook['phase'], at: number, random: RandomChoices): ChainWebhook {
  const name = `${phase === 'Mutating' ? 'm' : 'v'}${at}.example.com`;
  const isOnce = phase === 'Mutating' && random.chance(0.15);
  return {
    phase,
    configuration: random.pick(['conf-a', 'conf-b', 'conf-c']),
    name,
    behaviour: isOnce ? marking : random.pick(phase === 'Mutating' ? behaviours.mutating : behaviours.validating),
    entry: {
      name,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:1/hook' },
      failurePolicy: random.pick(['Fail', 'Ignore']),
      rules: [
        {
          operations: [...random.pick(operations)],
          apiGroups: [''],
          apiVersions: ['*'],
          resources: [...random.pick(resources)],
        },
      ],
      ...(phase === 'Mutating' ? { reinvocationPolicy: random.pick(['Never', 'IfNeeded', 'IfNeeded']) } : {}),
      ...(random.chance(0.35) ? { objectSelector: random.pick(selectors) } : {}),
      ...(random.chance(0.1) ? { namespaceSelector: random.pick(selectors) } : {}),
      ...(random.chance(0.25) ? { matchConditions: [{ name: 'when', expression: random.pick(conditions) }] } : {}),
      ...(isOnce ? once : {}),
    },
  };
}

const mutations: readonly [readonly string[], ...(readonly string[])[]] = [
  ['Object{metadata: Object.metadata{labels: {"team": "web"}}}'],
  ['Object{metadata: Object.metadata{labels: {"policy": "yes"}}}'],
  ['Object{metadata: Object.metadata{annotations: {"mode": "policy"}}}'],
  ['Object{metadata: Object.metadata{labels: {"stub": object.metadata.labels["nope"]}}}'],
];

/** The annotation that a policy sets on every evaluation. */
const markOf = (name: string): string => `Object{metadata: Object.metadata{annotations: {"policy/${name}": "yes"}}}`;

const validations: readonly [string, ...string[]] = [
  "!has(object.metadata.labels) || !('stub' in object.metadata.labels)",
  "has(object.metadata.labels) && 'team' in object.metadata.labels",
  'true',
  "object.metadata.labels['team'] != 'red'",
];

function policy(phase: ChainPolicy['phase'], at: number, random: RandomChoices): ChainPolicy {
  const name = `${phase === 'Mutating' ? 'mp' : 'vp'}${at}`;
  const rules = [
    { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: [...random.pick(resources)] },
  ];
  return {
    phase,
    name,
    bindings: random.pick([[], [`${name}-x`], [`${name}-x`], [`${name}-x`, `${name}-y`]]),
    spec: {
      failurePolicy: random.pick(['Fail', 'Ignore', 'Ignore']),
      matchConstraints: {
        resourceRules: rules,
        ...(random.chance(0.3) ? { objectSelector: random.pick(selectors) } : {}),
      },
      ...(random.chance(0.3) ? { matchConditions: [{ name: 'when', expression: random.pick(conditions) }] } : {}),
      ...(phase === 'Mutating'
        ? {
            reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
            mutations: [...random.pick(mutations), markOf(name)].map((expression) => ({
              patchType: 'ApplyConfiguration',
              applyConfiguration: { expression },
            })),
          }
        : { validations: [{ expression: random.pick(validations), message: 'label team is not as it should be' }] }),
    },
  };
}

const labels: readonly [JsonObject | undefined, ...(JsonObject | undefined)[]] = [
  undefined,
  undefined,
  { team: 'web' },
  { team: 'red' },
  { stub: 'no', team: 'web' },
];

function objectOf(resource: string, name: string, random: RandomChoices): JsonObject {
  const own = random.pick(labels);
  const metadata = { name, ...(own === undefined ? {} : { labels: own }) };
  return resource === 'pods'
    ? { metadata, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
    : { metadata, data: { k: 'v' } };
}

function requestsOf(random: RandomChoices): readonly ChainRequest[] {
  const resource = random.pick(['configmaps', 'configmaps', 'configmaps', 'pods']);
  const collection = `/api/v1/namespaces/default/${resource}`;
  const dryRun = random.pick(['', '', '', '', '?dryRun=All']);
  const create = { method: 'POST', target: `${collection}${dryRun}`, body: objectOf(resource, 'web', random) } as const;
  const next = random.pick<readonly [ChainRequest | undefined, ...(ChainRequest | undefined)[]]>([
    undefined,
    undefined,
    { method: 'PUT', target: `${collection}/web`, body: objectOf(resource, 'web', random) },
    { method: 'PATCH', target: `${collection}/web`, body: { metadata: { labels: { team: 'web' } } } },
    { method: 'PATCH', target: `${collection}/web`, body: { metadata: { labels: { stub: null } } } },
    { method: 'DELETE', target: `${collection}/web` },
    { method: 'DELETE', target: collection },
  ]);
  const second = random.pick([true, false]) ? [{ ...create, body: objectOf(resource, 'web-2', random) }] : [];
  return next === undefined ? [create] : [create, ...second, next];
}

/** Generates a chain, the same for the same random numbers. */
export function generateChain(source: Random): Chain {
  const random = createRandomChoices(source);
  const upTo = (most: number): readonly number[] => Array.from({ length: random.upTo(most) }, (_, at) => at);
  const webhooks = [
    ...upTo(4).map((at) => webhook('Mutating', at, random)),
    ...upTo(2).map((at) => webhook('Validating', at, random)),
  ];
  const policies = [
    ...upTo(2).map((at) => policy('Mutating', at, random)),
    ...upTo(1).map((at) => policy('Validating', at, random)),
  ];
  return { webhooks, policies, requests: requestsOf(random) };
}
