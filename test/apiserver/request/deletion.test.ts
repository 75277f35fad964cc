import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { decodeDeleteOptions } from '../../../src/apiserver/request/delete-options.ts';
import { type Mark, planDeletion } from '../../../src/apiserver/request/deletion.ts';
import { epoch } from '../../harness/virtual-clock.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const running = { nodeName: 'n1', terminationGracePeriodSeconds: 30 };
const object = (kind: string, metadata: JsonObject, spec: JsonObject = {}): KubernetesObject => ({
  kind,
  apiVersion: 'v1',
  metadata: { name: 'a', uid: 'u', resourceVersion: '7', ...metadata },
  spec,
});
const configMap = (metadata: JsonObject = {}): KubernetesObject => object('ConfigMap', metadata);
const pod = (metadata: JsonObject = {}, spec: JsonObject = running): KubernetesObject => object('Pod', metadata, spec);
const controller = (metadata: JsonObject = {}): KubernetesObject => object('ReplicationController', metadata);

const strategies: Readonly<Record<string, ReturnType<typeof recordedRelease.strategyFor>>> = {
  ConfigMap: recordedRelease.strategyFor({ group: '', resource: 'configmaps' }),
  Pod: recordedRelease.strategyFor({ group: '', resource: 'pods' }),
  ReplicationController: recordedRelease.strategyFor({ group: '', resource: 'replicationcontrollers' }),
};

/** The plan in one line: what is done, the grace that webhooks see, and how the object is marked. */
function planned(target: KubernetesObject, body: JsonObject): string {
  const strategy = strategies[target.kind] ?? recordedRelease.strategyFor({ group: '', resource: '' });
  const result = planDeletion(target, decodeDeleteOptions(body), strategy, epoch);
  if (!result.ok) return `${result.status.code} ${result.status.message}`;
  const plan = result.value;
  if (plan.plan === 'already-deleting') return plan.plan;
  const words: string[] = [plan.plan, `grace=${plan.options.gracePeriodSeconds ?? '-'}`];
  if (plan.plan === 'remove') return words.join(' ');
  return [...words, marked(target, plan.mark)].join(' ');
}

/** How the object is marked, and the metadata stored for it. */
function marked(target: KubernetesObject, mark: Mark): string {
  const marking = mark(target, epoch);
  if (!marking.ok) throw new Error(marking.status.message);
  if (marking.value.marking !== 'store') return marking.value.marking;
  const { next, waits } = marking.value;
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers, generation } = next.metadata ?? {};
  const words = [waits ? 'waits' : 'goes', `${deletionTimestamp ?? '-'}/${deletionGracePeriodSeconds ?? '-'}`];
  if (finalizers) words.push(`[${finalizers.join(' ')}]`);
  if (generation !== undefined) words.push(`generation=${generation}`);
  return words.join(' ');
}

const now = '2026-01-01T00:00:00Z';
const soon = '2026-01-01T00:00:30Z';
const pending = { deletionTimestamp: soon, deletionGracePeriodSeconds: 30 };
const past = { deletionTimestamp: '2025-12-31T23:00:00Z', deletionGracePeriodSeconds: 0 };

type Row = readonly [sentence: string, target: KubernetesObject, options: JsonObject, plan: string];

// Source: apiserver pkg/registry/rest/delete.go BeforeDelete; rules PATH-40 to PATH-44.
test.each<Row>([
  ['nothing to wait for', configMap(), {}, 'remove grace=-'],
  ['a grace that the resource does not know', configMap(), { gracePeriodSeconds: 5 }, 'remove grace=5'],
  ['a negative grace', configMap(), { gracePeriodSeconds: -7 }, 'remove grace=1'],
  ['a pod on a node', pod(), {}, `mark grace=30 waits ${soon}/30`],
  ['a pod on a node, asked for less', pod(), { gracePeriodSeconds: 5 }, 'mark grace=5 waits 2026-01-01T00:00:05Z/5'],
  [
    'a pod on a node, asked for less than nothing',
    pod(),
    { gracePeriodSeconds: -1 },
    'mark grace=1 waits 2026-01-01T00:00:01Z/1',
  ],
  ['a pod on a node, at once', pod(), { gracePeriodSeconds: 0 }, `mark grace=0 goes ${now}/0`],
  ['a pod on no node', pod({}, { terminationGracePeriodSeconds: 30 }), {}, `mark grace=0 goes ${now}/0`],
  ['a pod on no node, asked for more', pod({}, {}), { gracePeriodSeconds: 9 }, `mark grace=0 goes ${now}/0`],
  [
    'a pod with a finalizer, at once',
    pod({ finalizers: ['x/y'] }),
    { gracePeriodSeconds: 0 },
    `mark grace=0 waits ${now}/0 [x/y]`,
  ],
  [
    'a generation counts a graceful deletion',
    pod({ generation: 2 }),
    {},
    `mark grace=30 waits ${soon}/30 generation=3`,
  ],
  ['a pod being deleted', pod(pending), {}, 'already-deleting'],
  ['a pod being deleted, asked for as much', pod(pending), { gracePeriodSeconds: 30 }, 'already-deleting'],
  ['a pod being deleted, asked for more', pod(pending), { gracePeriodSeconds: 31 }, 'already-deleting'],
  [
    'a pod being deleted, brought forward',
    pod({ ...pending, generation: 3 }),
    { gracePeriodSeconds: 10 },
    'mark grace=10 waits 2026-01-01T00:00:10Z/10 generation=3',
  ],
  ['a pod being deleted, now at once', pod(pending), { gracePeriodSeconds: 0 }, `mark grace=0 goes ${now}/0`],
  ['a pod whose grace is over', pod(past), {}, 'remove grace=-'],
  ['a pod whose grace is over, by its kubelet', pod(past), { gracePeriodSeconds: 0 }, 'remove grace=0'],
  [
    'a pod whose grace is over and whose finalizer stays',
    pod({ ...past, finalizers: ['x/y'] }),
    {},
    'mark grace=- waits 2025-12-31T23:00:00Z/0 [x/y]',
  ],
  ['a pod being deleted that was given no grace', pod({ deletionTimestamp: now }), {}, 'remove grace=-'],
])('%s', (_sentence, target, options, plan) => expect(planned(target, options)).toBe(plan));

// Source: apiserver pkg/registry/generic/registry/store.go deletionFinalizersForGarbageCollection, markAsDeleting; rule PATH-41.
test.each<Row>([
  ['a custom finalizer', configMap({ finalizers: ['x/y'] }), {}, `mark grace=- waits ${now}/0 [x/y]`],
  [
    'a finalizer and a generation',
    configMap({ finalizers: ['x/y'], generation: 4 }),
    {},
    `mark grace=- waits ${now}/0 [x/y] generation=5`,
  ],
  [
    'a finalizer, asked again',
    configMap({ ...past, finalizers: ['x/y'], generation: 5 }),
    {},
    'mark grace=- waits 2025-12-31T23:00:00Z/0 [x/y] generation=5',
  ],
  ['Foreground', configMap(), { propagationPolicy: 'Foreground' }, `mark grace=- waits ${now}/0 [foregroundDeletion]`],
  ['Orphan', configMap(), { propagationPolicy: 'Orphan' }, `mark grace=- waits ${now}/0 [orphan]`],
  ['orphanDependents', configMap(), { orphanDependents: true }, `mark grace=- waits ${now}/0 [orphan]`],
  ['Background', configMap(), { propagationPolicy: 'Background' }, 'remove grace=-'],
  [
    'Background over an earlier choice',
    configMap({ finalizers: ['orphan'] }),
    { propagationPolicy: 'Background' },
    'mark grace=- remove',
  ],
  [
    'Foreground over an earlier choice',
    configMap({ finalizers: ['orphan', 'x/y'] }),
    { propagationPolicy: 'Foreground' },
    `mark grace=- waits ${now}/0 [x/y foregroundDeletion]`,
  ],
  [
    'the earlier choice without a new one',
    configMap({ finalizers: ['foregroundDeletion'] }),
    {},
    `mark grace=- waits ${now}/0 [foregroundDeletion]`,
  ],
  ['dependents kept by the resource', controller(), {}, `mark grace=- waits ${now}/0 [orphan]`],
  ['dependents kept by the resource, not by the user', controller(), { orphanDependents: false }, 'remove grace=-'],
  [
    'dependents kept by the resource, not by the object',
    controller({ finalizers: ['foregroundDeletion'] }),
    {},
    `mark grace=- waits ${now}/0 [foregroundDeletion]`,
  ],
  [
    'a graceful pod in the foreground',
    pod(),
    { propagationPolicy: 'Foreground' },
    `mark grace=30 waits ${soon}/30 [foregroundDeletion]`,
  ],
])('dependents and finalizers: %s', (_sentence, target, options, plan) => expect(planned(target, options)).toBe(plan));

const uidDiffers =
  '409 Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (v) does not match the UID in record (u). The object might have been deleted and then recreated';
const versionDiffers =
  '409 Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (8) does not match the ResourceVersion in record (7). The object might have been modified';

// Source: apiserver pkg/registry/rest/delete.go BeforeDelete.
test.each<Row>([
  ['that hold', configMap(), { uid: 'u', resourceVersion: '7' }, 'remove grace=-'],
  ['of another object', configMap(), { uid: 'v' }, uidDiffers],
  ['of another version', configMap(), { uid: 'u', resourceVersion: '8' }, versionDiffers],
  ['that both fail', configMap(), { uid: 'v', resourceVersion: '8' }, uidDiffers],
])('preconditions %s', (_sentence, target, preconditions, plan) =>
  expect(planned(target, { preconditions })).toBe(plan),
);
