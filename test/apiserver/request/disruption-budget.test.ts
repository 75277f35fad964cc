import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { canIgnorePDB, decideEviction } from '../../../src/apiserver/request/disruption-budget.ts';
import { containerProblem } from '../../../src/apiserver/request/stages/read-log.ts';
import { epoch } from '../../harness/virtual-clock.ts';

const now = '2026-01-01T00:00:00Z';
const pod = (fields: JsonObject = {}, metadata: JsonObject = {}): KubernetesObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', labels: { app: 'a' }, ...metadata },
  ...fields,
});
const ready = (status: string, type = 'Ready'): KubernetesObject => pod({ status: { conditions: [{ type, status }] } });
const selector = { matchLabels: { app: 'a' } };
const budget = (status: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}): KubernetesObject => ({
  kind: 'PodDisruptionBudget',
  apiVersion: 'policy/v1',
  metadata: { name: 'b', ...metadata },
  spec: { selector, ...spec },
  status: { ...status },
});

const verdictOf = (who: KubernetesObject, ...budgets: readonly KubernetesObject[]): string =>
  decideEviction(who, budgets, { now: epoch, minor: 37 }).verdict;
const healthy = { disruptionsAllowed: 1, desiredHealthy: 2, currentHealthy: 2 };

// Source: kubernetes pkg/registry/core/pod/storage/eviction_test.go; policy/v1: an empty selector covers nothing here.
test.each<[fact: string, who: KubernetesObject, budgets: readonly KubernetesObject[], verdict: string]>([
  ['no budget', pod(), [], 'free'],
  ['a budget for others', pod(), [budget(healthy, { selector: { matchLabels: { app: 'b' } } })], 'free'],
  ['a budget that covers nothing', pod(), [budget(healthy, { selector: {} })], 'free'],
  ['a budget without a selector', pod(), [budget(healthy, { selector: undefined })], 'free'],
  [
    'a budget whose selector cannot be read',
    pod(),
    [budget(healthy, { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } })],
    'free',
  ],
  ['a pod without labels', pod({}, { labels: undefined }), [budget(healthy)], 'free'],
  ['a budget', ready('True'), [budget(healthy)], 'charged'],
  ['the second of two', ready('True'), [budget(healthy, { selector: {} }), budget(healthy)], 'charged'],
  ['two budgets', ready('True'), [budget(healthy), budget(healthy)], 'several'],
  ['a pod that is not ready', ready('False'), [budget(healthy)], 'unhealthy'],
  ['a pod of which nothing is known', pod(), [budget(healthy)], 'unhealthy'],
  ['a pod that is something else', ready('True', 'Initialized'), [budget(healthy)], 'unhealthy'],
  [
    'a pod that is ready, among other things',
    pod({
      status: {
        conditions: [
          { type: 'Initialized', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    }),
    [budget(healthy)],
    'charged',
  ],
  ['more than enough healthy ones', ready('False'), [budget({ ...healthy, currentHealthy: 3 })], 'unhealthy'],
  ['too few healthy ones', ready('False'), [budget({ ...healthy, currentHealthy: 1 })], 'charged'],
  ['none that are wanted', ready('False'), [budget({ ...healthy, desiredHealthy: 0, currentHealthy: 0 })], 'charged'],
  ['one that is wanted', ready('False'), [budget({ ...healthy, desiredHealthy: 1, currentHealthy: 1 })], 'unhealthy'],
  [
    'too few, where it does not matter',
    ready('False'),
    [budget({ ...healthy, currentHealthy: 1 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
    'unhealthy',
  ],
  [
    'too few, where it does',
    ready('False'),
    [budget({ ...healthy, currentHealthy: 1 }, { unhealthyPodEvictionPolicy: 'IfHealthyBudget' })],
    'charged',
  ],
  [
    'a ready pod, where those that are not go',
    ready('True'),
    [budget(healthy, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
    'charged',
  ],
  ['nothing left', ready('True'), [budget({ ...healthy, disruptionsAllowed: 0 })], 'refused'],
  ['a budget without status', ready('True'), [budget({})], 'refused'],
])('an eviction with %s', (_fact, who, budgets, verdict) => {
  expect(verdictOf(who, ...budgets)).toBe(verdict);
});

/** What is said to who evicts a pod that is ready. */
function refusal(one: KubernetesObject): unknown {
  const judged = decideEviction(ready('True'), [one], { now: epoch, minor: 37 });
  return judged.verdict === 'refused' ? judged.status : judged.verdict;
}

const violates = (message: string): object => ({
  code: 429,
  reason: 'TooManyRequests',
  message: "Cannot evict pod as it would violate the pod's disruption budget.",
  details: { causes: [{ reason: 'DisruptionBudget', message }] },
});
const processed = 'The disruption budget b is still being processed by the server.';
const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`p${at}`, now]));

const unable = 'The disruption budget b does not allow evicting pods currently';

// Source: the same, checkAndDecrement.
test.each<[fact: string, one: KubernetesObject, status: unknown]>([
  ['seen as it is', budget({ ...healthy, observedGeneration: 2 }, {}, { generation: 2 }), 'charged'],
  ['seen as it will be', budget({ ...healthy, observedGeneration: 3 }, {}, { generation: 2 }), 'charged'],
  ['seen as it was', budget({ ...healthy, observedGeneration: 1 }, {}, { generation: 2 }), violates(processed)],
  ['never seen', budget(healthy, {}, { generation: 1 }), violates(processed)],
  [
    'with less than nothing',
    budget({ ...healthy, disruptionsAllowed: -1 }),
    {
      code: 403,
      message: 'poddisruptionbudget.policy "b" is forbidden: pdb disruptions allowed is negative',
      details: { causes: [{ reason: 'DisruptionBudget', message: `${unable}: pdb disruptions allowed is negative` }] },
    },
  ],
  ['with 2,000 that go', budget({ ...healthy, disruptedPods: many(2000) }), 'charged'],
  [
    'with 2,001 that go',
    budget({ ...healthy, disruptedPods: many(2001) }),
    {
      code: 403,
      message:
        'poddisruptionbudget.policy "b" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: `${unable}: too many pending evictions not confirmed by PDB controller`,
          },
        ],
      },
    },
  ],
  [
    'with nothing left',
    budget({ ...healthy, disruptionsAllowed: 0 }),
    violates('The disruption budget b needs 2 healthy pods and has 2 currently'),
  ],
])('a budget %s', (_fact, one, status) => {
  expect([refusal(one)]).toMatchObject([status]);
});

test('a refused client receives Retry-After', () => {
  expect(refusal(budget(healthy, {}, { generation: 1 }))).toMatchObject({ details: { retryAfterSeconds: 10 } });
  expect(refusal(budget({}))).not.toHaveProperty('details.retryAfterSeconds');
});

const condition = { type: 'DisruptionAllowed', status: 'True', lastTransitionTime: 'before' };
const spent = {
  type: 'DisruptionAllowed',
  status: 'False',
  observedGeneration: 3,
  lastTransitionTime: now,
  reason: 'InsufficientPods',
  message: '',
};
const other = { type: 'Other', status: 'True' };

test.each<[fact: string, status: JsonObject, next: JsonObject]>([
  ['one of two', { disruptionsAllowed: 2 }, { disruptionsAllowed: 1, disruptedPods: { p: now } }],
  [
    'one of two, beside another',
    { disruptionsAllowed: 2, disruptedPods: { q: 'before' }, conditions: [condition] },
    { disruptionsAllowed: 1, disruptedPods: { q: 'before', p: now }, conditions: [condition] },
  ],
  [
    'the last',
    { disruptionsAllowed: 1, observedGeneration: 3 },
    { disruptionsAllowed: 0, observedGeneration: 3, disruptedPods: { p: now }, conditions: [spent] },
  ],
  [
    'the last one, with a condition',
    { disruptionsAllowed: 1, observedGeneration: 3, conditions: [condition, other] },
    { disruptionsAllowed: 0, observedGeneration: 3, disruptedPods: { p: now }, conditions: [other, spent] },
  ],
  [
    'the last of one that had none',
    { disruptionsAllowed: 1, observedGeneration: 3, conditions: [{ ...condition, status: 'False' }] },
    {
      disruptionsAllowed: 0,
      observedGeneration: 3,
      disruptedPods: { p: now },
      conditions: [{ ...spent, lastTransitionTime: 'before' }],
    },
  ],
])('a budget pays with %s', (_fact, status, next) => {
  const judged = decideEviction(ready('True'), [budget(status)], { now: epoch, minor: 37 });
  expect(judged.verdict === 'charged' && judged.next['status']).toEqual(next);
});

test.each<[who: KubernetesObject, beyond: boolean]>([
  [pod(), false],
  [pod({ status: { phase: 'Running' } }), false],
  [pod({ status: { phase: 'Unknown' } }), false],
  [pod({ status: { phase: 'Pending' } }), true],
  [pod({ status: { phase: 'Succeeded' } }), true],
  [pod({ status: { phase: 'Failed' } }), true],
  [pod({ status: { phase: 'Running' } }, { deletionTimestamp: now }), true],
])('%j is beyond budgets: %s', (who, beyond) => {
  expect(canIgnorePDB(who)).toBe(beyond);
});

const named = (...names: readonly string[]): readonly JsonObject[] => names.map((name) => ({ name }));
const oneOf = (names: string): string => `a container name must be specified for pod p, choose one of: [${names}]`;

// Source: kubernetes pkg/registry/core/pod/strategy.go validateContainer and strategy_test.go
test.each<[spec: JsonObject, container: string, problem: string | undefined]>([
  [{ containers: named('a') }, '', undefined],
  [{ containers: named('a') }, 'a', undefined],
  [{ containers: named('a') }, 'b', 'container b is not valid for pod p'],
  [{ containers: named('a', 'b') }, '', oneOf('a b')],
  [{ containers: named('a', 'b') }, 'b', undefined],
  [{ containers: [] }, '', oneOf('')],
  [{ containers: named('a'), initContainers: named('i') }, '', undefined],
  [{ containers: named('a'), initContainers: named('i') }, 'i', undefined],
  [{ containers: named('a'), ephemeralContainers: named('e') }, 'e', undefined],
  [{ containers: named('a', 'b'), initContainers: named('i'), ephemeralContainers: named('e') }, '', oneOf('i a b e')],
])('of a pod with %j the container %j: %s', (spec, container, problem) => {
  expect(containerProblem(pod({ spec }), container)).toBe(problem);
});

// Source: kubernetes v1.36.2 pkg/registry/core/pod/storage/eviction.go; 1.37 adds the cause (#138003).
test('under 1.36 the refusal by an invalid budget has no cause', () => {
  const invalid = budget({ ...healthy, disruptionsAllowed: -1 });
  const judged = decideEviction(ready('True'), [invalid], { now: epoch, minor: 36 });
  expect(judged.verdict === 'refused' && judged.status.details?.causes).toBeUndefined();
});
