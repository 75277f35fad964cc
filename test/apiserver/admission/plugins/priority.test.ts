import { expect, test } from 'vitest';
import { priority } from '../../../../src/apiserver/admission/plugins/priority.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const priorityClass = (name: string, fields: JsonObject): KubernetesObject =>
  object('scheduling.k8s.io/v1', 'PriorityClass', name, fields);
const high = priorityClass('high', { value: 1000, preemptionPolicy: 'Never' });
const standard = priorityClass('standard', { value: 7, globalDefault: true, preemptionPolicy: 'PreemptLowerPriority' });
const withoutDefault = clusterOf({ 'priorityclasses.scheduling.k8s.io': [high] });
const withDefault = clusterOf({ 'priorityclasses.scheduling.k8s.io': [high, standard] });
const pod = (spec: JsonObject, fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  creating(object('v1', 'Pod', 'p', { spec }), 'pods', fields);
const update = (spec: JsonObject, oldSpec: JsonObject): AdmissionAttributes =>
  pod(spec, { operation: 'UPDATE', oldObject: object('v1', 'Pod', 'p', { spec: oldSpec }) });

// Source: kubernetes plugin/pkg/admission/priority/admission_test.go and the recorded conversation plugins-priority
const pods: readonly [fact: string, cluster: typeof withDefault, request: AdmissionAttributes, outcome: unknown][] = [
  [
    'a pod without class has priority 0',
    withoutDefault,
    pod({}),
    { priority: 0, preemptionPolicy: 'PreemptLowerPriority' },
  ],
  [
    'or that of the default class',
    withDefault,
    pod({}),
    { priorityClassName: 'standard', priority: 7, preemptionPolicy: 'PreemptLowerPriority' },
  ],
  [
    'a pod has the priority of its class',
    withoutDefault,
    pod({ priorityClassName: 'high' }),
    { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
  ],
  [
    'the class must exist',
    withoutDefault,
    pod({ priorityClassName: 'nosuch' }),
    'pods "p" is forbidden: no PriorityClass with name nosuch was found',
  ],
  [
    'the number cannot be said',
    withoutDefault,
    pod({ priority: 5 }),
    'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  [
    'unless it is right',
    withoutDefault,
    pod({ priorityClassName: 'high', priority: 1000 }),
    { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
  ],
  [
    'nor can the preemption policy',
    withoutDefault,
    pod({ priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' }),
    'pods "p" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
  ],
  [
    'an update that leaves them out keeps them',
    withoutDefault,
    update({}, { priority: 3, preemptionPolicy: 'Never' }),
    { priority: 3, preemptionPolicy: 'Never' },
  ],
  ['subresources are left alone', withDefault, pod({}, { subresource: 'status' }), {}],
];
test.each(pods)('%s', (_fact, cluster, request, outcome) => {
  expect(outcomeOf(priority, 'mutate', { request, cluster, path: ['spec'] })).toEqual(outcome);
});

const second = priorityClass('second', { value: 1, globalDefault: true });
const refused =
  'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass standard is already marked as default. Only one default can exist';
const classOf = (created: KubernetesObject, operation: 'CREATE' | 'UPDATE'): AdmissionAttributes =>
  creating(created, 'priorityclasses', { namespace: '', operation });
const classes: readonly [fact: string, cluster: typeof withDefault, request: AdmissionAttributes, outcome: unknown][] =
  [
    ['there can be one default', withoutDefault, classOf(second, 'CREATE'), undefined],
    ['but not two', withDefault, classOf(second, 'CREATE'), refused],
    ['nor can another become it', withDefault, classOf(second, 'UPDATE'), refused],
    ['the default can be changed', withDefault, classOf(standard, 'UPDATE'), undefined],
    ['others can be created', withDefault, classOf(high, 'CREATE'), undefined],
  ];
test.each(classes)('%s', (_fact, cluster, request, outcome) => {
  expect(outcomeOf(priority, 'validate', { request, cluster, path: ['none'] })).toBe(outcome);
});
