import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { Random } from '../../src/machinery/clock.ts';
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

/** Random choices from lists. */
export type Draw = <T>(list: readonly [T, ...T[]]) => T;

export const drawWith =
  (random: Random): Draw =>
  ([first, ...others]) =>
    [first, ...others][Math.floor(random() * (others.length + 1))] ?? first;

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

function webhook(phase: ChainWebhook['phase'], at: number, draw: Draw): ChainWebhook {
  const chance = (percent: number): boolean => draw(hundred) < percent;
  const name = `${phase === 'Mutating' ? 'm' : 'v'}${at}.example.com`;
  const isOnce = phase === 'Mutating' && chance(15);
  return {
    phase,
    configuration: draw(['conf-a', 'conf-b', 'conf-c']),
    name,
    behaviour: isOnce ? marking : draw(phase === 'Mutating' ? behaviours.mutating : behaviours.validating),
    entry: {
      name,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:1/hook' },
      failurePolicy: draw(['Fail', 'Ignore']),
      rules: [
        { operations: [...draw(operations)], apiGroups: [''], apiVersions: ['*'], resources: [...draw(resources)] },
      ],
      ...(phase === 'Mutating' ? { reinvocationPolicy: draw(['Never', 'IfNeeded', 'IfNeeded']) } : {}),
      ...(chance(35) ? { objectSelector: draw(selectors) } : {}),
      ...(chance(10) ? { namespaceSelector: draw(selectors) } : {}),
      ...(chance(25) ? { matchConditions: [{ name: 'when', expression: draw(conditions) }] } : {}),
      ...(isOnce ? once : {}),
    },
  };
}

const hundred = Array.from({ length: 100 }, (_, at) => at) as unknown as readonly [number, ...number[]];

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

function policy(phase: ChainPolicy['phase'], at: number, draw: Draw): ChainPolicy {
  const chance = (percent: number): boolean => draw(hundred) < percent;
  const name = `${phase === 'Mutating' ? 'mp' : 'vp'}${at}`;
  const rules = [
    { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: [...draw(resources)] },
  ];
  return {
    phase,
    name,
    bindings: draw([[], [`${name}-x`], [`${name}-x`], [`${name}-x`, `${name}-y`]]),
    spec: {
      failurePolicy: draw(['Fail', 'Ignore', 'Ignore']),
      matchConstraints: { resourceRules: rules, ...(chance(30) ? { objectSelector: draw(selectors) } : {}) },
      ...(chance(30) ? { matchConditions: [{ name: 'when', expression: draw(conditions) }] } : {}),
      ...(phase === 'Mutating'
        ? {
            reinvocationPolicy: draw(['Never', 'IfNeeded']),
            mutations: [...draw(mutations), markOf(name)].map((expression) => ({
              patchType: 'ApplyConfiguration',
              applyConfiguration: { expression },
            })),
          }
        : { validations: [{ expression: draw(validations), message: 'label team is not as it should be' }] }),
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

function objectOf(resource: string, name: string, draw: Draw): JsonObject {
  const own = draw(labels);
  const metadata = { name, ...(own === undefined ? {} : { labels: own }) };
  return resource === 'pods'
    ? { metadata, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
    : { metadata, data: { k: 'v' } };
}

function requestsOf(draw: Draw): readonly ChainRequest[] {
  const resource = draw(['configmaps', 'configmaps', 'configmaps', 'pods']);
  const collection = `/api/v1/namespaces/default/${resource}`;
  const dryRun = draw(['', '', '', '', '?dryRun=All']);
  const create = { method: 'POST', target: `${collection}${dryRun}`, body: objectOf(resource, 'web', draw) } as const;
  const next = draw<ChainRequest | undefined>([
    undefined,
    undefined,
    { method: 'PUT', target: `${collection}/web`, body: objectOf(resource, 'web', draw) },
    { method: 'PATCH', target: `${collection}/web`, body: { metadata: { labels: { team: 'web' } } } },
    { method: 'PATCH', target: `${collection}/web`, body: { metadata: { labels: { stub: null } } } },
    { method: 'DELETE', target: `${collection}/web` },
    { method: 'DELETE', target: collection },
  ]);
  const second = draw([true, false]) ? [{ ...create, body: objectOf(resource, 'web-2', draw) }] : [];
  return next === undefined ? [create] : [create, ...second, next];
}

/** Generates a chain, the same for the same random numbers. */
export function generateChain(random: Random): Chain {
  const draw = drawWith(random);
  const upTo = (most: number): readonly number[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, (_, at) => at);
  const webhooks = [
    ...upTo(4).map((at) => webhook('Mutating', at, draw)),
    ...upTo(2).map((at) => webhook('Validating', at, draw)),
  ];
  const policies = [
    ...upTo(2).map((at) => policy('Mutating', at, draw)),
    ...upTo(1).map((at) => policy('Validating', at, draw)),
  ];
  return { webhooks, policies, requests: requestsOf(draw) };
}
