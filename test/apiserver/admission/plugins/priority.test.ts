import { expect, test } from 'vitest';
import { priority } from '../../../../src/apiserver/admission/plugins/priority.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, creatingPod, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const priorityClass = (name: string, value: number | undefined, fields: JsonObject = {}): KubernetesObject => ({
  ...object('scheduling.k8s.io/v1', 'PriorityClass', name, fields),
  ...(value === undefined ? {} : { value }),
});
const classes = (...all: readonly KubernetesObject[]) => ({ 'priorityclasses.scheduling.k8s.io': all });
const byDefault = { globalDefault: true };
const given = (priorityClassName: string, value: number): JsonObject => ({ priorityClassName, priority: value });

// Source: kubernetes plugin/pkg/admission/priority/admission_test.go and the recorded conversation plugins-priority
test.each<[fact: string, stored: readonly KubernetesObject[], spec: JsonObject, expected: JsonValue | undefined]>([
  ['no class', [], {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  ['the default', [priorityClass('d', 5, byDefault)], {}, given('d', 5)],
  ['no default', [priorityClass('c', 5)], {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  [
    'the lowest of several defaults',
    [priorityClass('a', 7, byDefault), priorityClass('b', 3, byDefault), priorityClass('c', 5, byDefault)],
    {},
    given('b', 3),
  ],
  [
    'a default without a value',
    [priorityClass('a', 1, byDefault), priorityClass('b', undefined, byDefault)],
    {},
    given('b', 0),
  ],
  [
    'the class of the Pod',
    [priorityClass('a', 7), priorityClass('d', 5, byDefault)],
    { priorityClassName: 'a' },
    given('a', 7),
  ],
  [
    'a value without a class',
    [],
    { priority: 5 },
    'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  ['the same value', [priorityClass('a', 7)], { priorityClassName: 'a', priority: 7 }, given('a', 7)],
  [
    'another value',
    [priorityClass('a', 7)],
    { priorityClassName: 'a', priority: 6 },
    'pods "p" is forbidden: the integer value of priority (6) must not be provided in pod spec; priority admission controller computed 7 from the given PriorityClass name',
  ],
  [
    'the policy of the class',
    [priorityClass('a', 7, { preemptionPolicy: 'Never' })],
    { priorityClassName: 'a' },
    { ...given('a', 7), preemptionPolicy: 'Never' },
  ],
  [
    'another policy',
    [priorityClass('a', 7, { preemptionPolicy: 'Never' })],
    { priorityClassName: 'a', preemptionPolicy: 'PreemptLowerPriority' },
    'pods "p" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
  ],
  [
    'a policy where the class has none',
    [priorityClass('a', 7)],
    { priorityClassName: 'a', preemptionPolicy: 'Never' },
    { ...given('a', 7), preemptionPolicy: 'Never' },
  ],
  ['a missing class', [], { priorityClassName: 'a' }, 'pods "p" is forbidden: no PriorityClass with name a was found'],
])('sets the priority by %s', (_fact, stored, spec, expected) => {
  const outcome = outcomeOf(priority, 'mutate', {
    request: creatingPod(spec),
    cluster: clusterOf(classes(...stored)),
    path: ['spec'],
  });
  expect(outcome).toEqual(expected);
});

test.each<[spec: JsonObject, old: JsonObject, now: JsonObject]>([
  [{}, { priority: 7, preemptionPolicy: 'Never' }, { priority: 7, preemptionPolicy: 'Never' }],
  [{}, { priority: 7 }, { priority: 7 }],
  [{ priority: 8 }, { priority: 7, preemptionPolicy: 'Never' }, { priority: 8, preemptionPolicy: 'Never' }],
  [{ priority: 8 }, { priority: 7 }, { priority: 8 }],
  [{}, {}, {}],
])('writes an update to %j of a Pod with %j as %j', (spec, old, now) => {
  const request = {
    ...creatingPod(spec),
    operation: 'UPDATE' as const,
    oldObject: object('v1', 'Pod', 'p', { spec: old }),
  };
  expect(outcomeOf(priority, 'mutate', { request, cluster: clusterOf({}), path: ['spec'] })).toEqual(now);
});

test('leaves subresources alone', () => {
  const request = creatingPod({}, { subresource: 'status' });
  expect(outcomeOf(priority, 'mutate', { request, cluster: clusterOf({}), path: ['spec'] })).toEqual({});
});

const standard = priorityClass('standard', 7, byDefault);
const second = priorityClass('second', 1, byDefault);
const denied =
  'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass standard is already marked as default. Only one default can exist';

test.each<
  [
    fact: string,
    stored: readonly KubernetesObject[],
    operation: 'CREATE' | 'UPDATE',
    written: KubernetesObject,
    message: string | undefined,
  ]
>([
  ['admits one default class', [], 'CREATE', second, undefined],
  ['denies a second one', [standard], 'CREATE', second, denied],
  ['denies an update that makes a second one', [standard], 'UPDATE', second, denied],
  ['admits an update of the default class', [standard], 'UPDATE', standard, undefined],
  ['admits other classes', [standard], 'CREATE', priorityClass('high', 1000), undefined],
])('%s', (_fact, ...[stored, operation, written, message]) => {
  const request = creating(written, 'priorityclasses', { namespace: '', operation });
  const cluster = clusterOf(classes(...stored));
  expect(outcomeOf(priority, 'validate', { request, cluster, path: ['none'] })).toBe(message);
});
