import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/apimachinery/json.ts';
import type { KubernetesObject } from '../../src/apimachinery/object.ts';
import { readStage } from '../../src/stages/read-stage.ts';
import type { Stage } from '../../src/stages/stage.ts';
import { finalizersPatch, patchOf } from '../../src/stages/step-request.ts';
import { chooseStage } from '../../src/stages/weight.ts';

const document = (spec: JsonObject): JsonObject => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name: 's' },
  spec: { resourceRef: { apiGroup: 'v1', kind: 'Pod' }, selector: {}, ...spec },
});

function stage(spec: JsonObject): Stage {
  const reading = readStage(document(spec), () => ({ outcome: 'wrong', error: 'no CEL' }));
  if (reading.outcome === 'wrong') throw new Error(reading.error);
  return reading.stage;
}

const now = Date.UTC(2026, 0, 1);
const object = (rest: JsonObject = {}): KubernetesObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'p',
    labels: { app: 'x' },
    annotations: { after: '1m30s', at: '2026-01-01T00:00:10Z', bad: 'soon', weight: '7' },
    finalizers: ['a', 'b'],
  },
  ...rest,
});

const expression = (key: string, operator: string, ...values: readonly string[]): JsonObject => ({
  selector: { matchExpressions: [{ key, operator, ...(values.length > 0 ? { values } : {}) }] },
});

test.each<readonly [fact: string, spec: JsonObject, matches: boolean]>([
  ['an empty selector is for every object', {}, true],
  ['none is for no object', { selector: null }, false],
  ['labels', { selector: { matchLabels: { app: 'x' } } }, true],
  ['other labels', { selector: { matchLabels: { app: 'y' } } }, false],
  ['a label that an object has by birth only', { selector: { matchLabels: { constructor: 'x' } } }, false],
  ['annotations', { selector: { matchAnnotations: { weight: '7' } } }, true],
  ['In', expression('.metadata.labels.app', 'In', 'y', 'x'), true],
  ['In nothing', expression('.status.phase', 'In', 'x'), false],
  ['NotIn', expression('.metadata.labels.app', 'NotIn', 'x'), false],
  ['NotIn nothing', expression('.status.phase', 'NotIn', 'x'), true],
  ['Exists', expression('.metadata.labels.app', 'Exists'), true],
  ['DoesNotExist', expression('.metadata.labels.app', 'DoesNotExist'), false],
  ['DoesNotExist for nothing', expression('.status.phase', 'DoesNotExist'), true],
  [
    'the newer form',
    { selector: { matchExpressions: [{ jq: { key: '.metadata.name', operator: 'In', values: ['p'] } }] } },
    true,
  ],
])('%s', (_fact, spec, matches) => {
  expect(stage(spec).matches(object())).toBe(matches);
});

const from = (name: string): JsonObject => ({ expressionFrom: `.metadata.annotations.${name}` });

test.each<readonly [fact: string, delay: JsonObject, milliseconds: number]>([
  ['no delay', {}, 0],
  ['a duration', { durationMilliseconds: 5 }, 5],
  ['half-way to its jitter', { durationMilliseconds: 100, jitterDurationMilliseconds: 200 }, 150],
  ['a jitter below is the duration', { durationMilliseconds: 100, jitterDurationMilliseconds: 20 }, 20],
  ['a duration of the object', { durationMilliseconds: 5, durationFrom: from('after') }, 90_000],
  ['a time of the object', { durationMilliseconds: 5, durationFrom: from('at') }, 10_000],
  ['what it says not', { durationMilliseconds: 5, durationFrom: from('missing') }, 5],
  ['what nobody can read', { durationMilliseconds: 5, durationFrom: from('bad') }, 5],
  ['a jitter of the object', { durationMilliseconds: 10_000, jitterDurationFrom: from('after') }, 50_000],
])('%s', (_fact, delay, milliseconds) => {
  expect(stage({ delay }).delayOf(object(), { now, random: () => 0.5 })).toBe(milliseconds);
});

test.each<readonly [weights: readonly JsonObject[], random: number, chosen: number | undefined]>([
  [[], 0, undefined],
  [[{}], 0.9, 0],
  [[{}, {}], 0.9, 1],
  [[{ weight: 1 }, { weight: 3 }], 0.24, 0],
  [[{ weight: 1 }, { weight: 3 }], 0.25, 1],
  [[{ weight: 0 }, { weight: 1 }], 0, 1],
  [[{ weight: 1 }, { weightFrom: from('weight') }], 0.13, 1],
  [[{ weight: 1 }, { weightFrom: from('bad') }], 0.99, 0],
])('of the weights %j at %d comes %d', (weights, random, chosen) => {
  const stages = weights.map(stage);
  const found = chooseStage(stages, object(), () => random);
  expect(found && stages.indexOf(found)).toBe(chosen);
});

test('next means its event, finalizers, status and deletion, in this order', () => {
  const next = {
    event: { type: 'Warning', reason: 'R', message: 'm' },
    finalizers: { add: [{ value: 'f' }] },
    delete: true,
    statusTemplate: 'phase: Running',
  };
  expect(stage({ next }).steps.map(({ type }) => type)).toEqual(['event', 'finalizers', 'patch', 'delete']);
});

const template = [{ type: 'text', text: 'x' }] as const;
const patch = { type: 'patch', subresource: '', username: '', template } as const;
const pods = { group: '', version: 'v1', kind: 'Pod' };
const others = { group: 'apps', version: 'v1', kind: 'Pod' };

const merged = { contentType: 'application/merge-patch+json' };

test.each([
  [
    pods,
    { ...patch, root: '', patchType: '' },
    { a: 1 },
    { contentType: 'application/strategic-merge-patch+json', body: { a: 1 } },
  ],
  [others, { ...patch, root: '', patchType: '' }, { a: 1 }, { ...merged, body: { a: 1 } }],
  [pods, { ...patch, root: 'status', patchType: 'merge' }, { a: 1 }, { ...merged, body: { status: { a: 1 } } }],
  [
    pods,
    { ...patch, root: 'spec', patchType: 'json' },
    [{ op: 'remove', path: '/a' }],
    { contentType: 'application/json-patch+json', body: [{ op: 'remove', path: '/spec/a' }] },
  ],
] as const)('for %j the step %j makes of %j this patch', (kind, step, made, request) => {
  expect(patchOf(step, kind, made)).toEqual(request);
});

test.each<readonly [add: string[], remove: string[], empty: boolean, after: JsonValue]>([
  [['c'], [], false, ['a', 'b', 'c']],
  [['a'], [], false, null],
  [[], ['a'], false, ['b']],
  [['c'], ['a', 'b'], false, ['c']],
  [['c'], [], true, ['c']],
])('adding %j, removing %j, emptying: %s', (add, remove, empty, after) => {
  const [, operation] = finalizersPatch({ type: 'finalizers', add, remove, empty }, object());
  expect((operation as JsonObject | undefined)?.['value'] ?? null).toEqual(after);
});

test.each<readonly [spec: JsonObject, problem: string]>([
  [{ resourceRef: {} }, 'spec.resourceRef.kind: it is missing'],
  [{ weight: 'x' }, 'json: cannot unmarshal string into Go struct field StageSpec.spec.weight of type int'],
  [
    expression('.a', 'Like'),
    'spec.selector.matchExpressions[0].operator: "Like" is none of In, NotIn, Exists, DoesNotExist',
  ],
  [expression('.a', 'In'), 'spec.selector.matchExpressions[0].values: In needs at least one'],
  [expression('.a', 'Exists', 'x'), 'spec.selector.matchExpressions[0].values: Exists takes none'],
  [expression('.a[', 'Exists'), 'spec.selector.matchExpressions[0].key: ".a[": it ends too soon'],
  [
    { selector: { matchExpressions: [{ cel: { expression: 'x' } }] } },
    'spec.selector.matchExpressions[0].cel.expression: no CEL',
  ],
  [{ next: { statusTemplate: '{{ if }}' } }, 'spec.next.statusTemplate: line 1: missing value'],
  [{ steps: [{ patch: { type: 'apply' } }] }, 'spec.steps[0].patch.type: "apply" is none of json, merge, strategic'],
  [{ nxt: {} }, 'unknown field "spec.nxt"'],
])('%j is refused', (spec, problem) => {
  expect(readStage(document(spec), () => ({ outcome: 'wrong', error: 'no CEL' }))).toEqual({
    outcome: 'wrong',
    error: problem,
  });
});
