import type { ContainerState, Pod, PodCondition, PodStatus } from '../../api/types/generated/core-v1.ts';
import { asList, asString } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { type ApiClient, nodeUser } from '../client.ts';
import { type ControllerContext, followResource } from '../controller.ts';
import { coreV1 } from '../served-resources.ts';
import { createWorkQueue, type QueueProgress, combineProgress } from '../work-queue.ts';
import { createEventRecorder, type EventRecorder } from '../workloads/event-recorder.ts';
import { intOrZero, nameOf, statusOf, uidOf } from '../workloads/fields.ts';
import { queueKey, toObjectName, type ObjectName } from '../workloads/follow-pods.ts';
import { pods } from '../workloads/pod-control.ts';
import { isTerminal, millisecondsOf, nodeOfPod } from '../workloads/pod-state.ts';
import { putStatus, removeObject, ignoreNotFound } from '../write-object.ts';

/** The address of every node. */
const hostAddress = '10.0.0.1';

/** Consecutive addresses for Pods. */
function podAddressAt(index: number): string {
  const [last, third] = [(index % 254) + 1, Math.floor(index / 254)];
  return `10.${64 + ((third >> 8) % 64)}.${third & 255}.${last}`;
}

/** The annotations for the outcome of a Pod and the delay before it. */
const becomesKey = 'kadmit.local/becomes';
const afterKey = 'kadmit.local/after';

const outcomes = ['Ready', 'NotReady', 'Completed', 'Failed', 'CrashLoopBackOff'] as const;
type Outcome = (typeof outcomes)[number];

/** The next action of the node, and its delay in milliseconds. */
type NextStep =
  | {
      readonly act: 'write';
      readonly after: number;
      readonly status: PodStatus;
      readonly becomes: PodEvent | undefined;
      /** Repeats without an end. */
      readonly endless: boolean;
    }
  | { readonly act: 'remove'; readonly after: number }
  | { readonly act: 'nothing' };

interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

const defaultMs = 1000;
const maxBackoffMs = 300_000;

/** Times in milliseconds since 1970. */
interface Moment {
  readonly now: number;
  /** When the Pod entered its present state. */
  readonly since: number;
  /** For a Pod without an address. */
  readonly address: string;
}

/**
 * A bound Pod starts its containers and then reaches the outcome of its annotations. A deleted Pod stops its containers and is
 * removed. No container runs.
 */
export function nextStep(pod: Pod, moment: Moment): NextStep {
  const { now, since } = moment;
  const isStarted = pod.status?.startTime !== undefined;
  if (metadataOf(pod).deletionTimestamp !== undefined) {
    return isStarted && !isTerminal(pod) ? stopStep(pod, now) : { act: 'remove', after: 0 };
  }
  if (isTerminal(pod)) return { act: 'nothing' };
  if (!isStarted)
    return { act: 'write', after: 0, status: startedStatus(pod, now), becomes: undefined, endless: false };
  const step = pod.status?.phase === 'Running' ? nextRunningStep(pod, now) : startStep(pod, moment);
  return step.act === 'nothing' ? step : { ...step, after: Math.max(0, since + step.after - now) };
}

/** Containers stop after the delay of the annotation, at the latest when the grace period ends. Follows kubelet's SyncTerminatingPod. */
function stopStep(pod: Pod, now: number): NextStep {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  const grace = deletionGracePeriodSeconds * 1000;
  const deletedAt = (millisecondsOf(deletionTimestamp ?? '') ?? now) - grace;
  const after = Math.max(0, deletedAt + Math.min(podDelay(pod), grace) - now);
  return { act: 'write', after, status: stoppedStatus(pod, { isGood: true }, now), becomes: undefined, endless: false };
}

function startStep(pod: Pod, { now, address }: Moment): NextStep {
  const isReady = podOutcome(pod) === 'Ready';
  const becomes: PodEvent = { type: 'Normal', reason: 'Started', message: 'Containers started' };
  const ips = { hostIP: hostAddress, hostIPs: [{ ip: hostAddress }], podIP: address, podIPs: [{ ip: address }] };
  const state = { running: { startedAt: formatTime(now) } };
  const status = { ...updateStatus(pod, { phase: 'Running', isReady, state }, now), ...ips };
  return { act: 'write', after: podDelay(pod), status, becomes, endless: false };
}

/** The next step of a running Pod that does not stay as it is. */
function nextRunningStep(pod: Pod, now: number): NextStep {
  const outcome = podOutcome(pod);
  if (outcome === 'Completed' || (outcome === 'Failed' && podRestartPolicy(pod) !== 'Always')) {
    const status = stoppedStatus(pod, { isGood: outcome === 'Completed' }, now);
    return { act: 'write', after: podDelay(pod), status, becomes: undefined, endless: false };
  }
  if (outcome !== 'CrashLoopBackOff' && outcome !== 'Failed') return { act: 'nothing' };
  const restarts = restartCount(pod);
  const after = restarts === 0 ? podDelay(pod) : Math.min(10_000 * 2 ** (restarts - 1), maxBackoffMs);
  const state = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } };
  const status = updateStatus(pod, { phase: 'Running', isReady: false, state, restarts: restarts + 1 }, now);
  const becomes: PodEvent = { type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container' };
  return { act: 'write', after, status, becomes, endless: restarts > 0 };
}

/** All containers terminated, with exit code 0 or 1. */
function stoppedStatus(pod: Pod, { isGood }: { readonly isGood: boolean }, now: number): PodStatus {
  const at = formatTime(now);
  const ended = { exitCode: isGood ? 0 : 1, reason: isGood ? 'Completed' : 'Error', startedAt: at, finishedAt: at };
  return updateStatus(
    pod,
    { phase: isGood ? 'Succeeded' : 'Failed', isReady: false, state: { terminated: ended } },
    now,
  );
}

const podRestartPolicy = (pod: Pod): string => asString(pod.spec?.restartPolicy);

/** Pods with restartPolicy Always become ready; others complete. */
function podOutcome(pod: Pod): Outcome {
  const annotation = metadataOf(pod).annotations?.[becomesKey];
  return (
    outcomes.find((outcome) => outcome === annotation) ?? (podRestartPolicy(pod) === 'Always' ? 'Ready' : 'Completed')
  );
}

/** `1500ms`, `10s` or `2m` of the annotation. */
function podDelay(pod: Pod): number {
  const [, amount, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(metadataOf(pod).annotations?.[afterKey] ?? '') ?? [];
  return amount === undefined ? defaultMs : Number(amount) * ({ ms: 1, s: 1000, m: 60_000 }[unit] ?? 1);
}

const restartCount = (pod: Pod): number => intOrZero(asList(pod.status?.containerStatuses)[0]?.restartCount);

const startedStatus = (pod: Pod, now: number): PodStatus => ({
  ...updateStatus(pod, { phase: 'Pending', isReady: false, state: { waiting: { reason: 'ContainerCreating' } } }, now),
  startTime: formatTime(now),
});

interface StatusChange {
  readonly phase: string;
  readonly isReady: boolean;
  readonly state: ContainerState;
  readonly restarts?: number;
}

function updateStatus(pod: Pod, { phase, isReady, state, restarts }: StatusChange, now: number): PodStatus {
  const time = formatTime(now);
  const before = asList(pod.status?.conditions);
  const ready = isReady ? 'True' : 'False';
  const desired = { PodReadyToStartContainers: 'True', Initialized: 'True', Ready: ready, ContainersReady: ready };
  const annotation = [...Object.entries(desired), ['PodScheduled', 'True'] as const].map(
    ([type, status]): PodCondition => {
      const old = before.find((condition) => condition.type === type && condition.status === status);
      return old ?? { type, status, lastProbeTime: null, lastTransitionTime: time };
    },
  );
  const known = new Set(annotation.map(({ type }) => type));
  const containers = asList(pod.spec?.containers);
  return {
    ...statusOf(pod),
    phase,
    conditions: [...before.filter(({ type }) => !known.has(type)), ...annotation],
    containerStatuses: containers.map(({ name, image }) => ({
      name: asString(name),
      image: asString(image),
      imageID: phase === 'Pending' ? '' : asString(image),
      ready: isReady,
      started: 'running' in state,
      restartCount: restarts ?? restartCount(pod),
      state,
    })),
  };
}

interface Kubelet {
  readonly client: ApiClient;
  readonly recorder: EventRecorder;
}

const nodes = coreV1('nodes');

/** Acts as the kubelets of the existing nodes. No container runs. */
export function runKubelets(context: ControllerContext): QueueProgress {
  const { store, clock } = context;
  const kubelets = new Map<string, Kubelet>();
  const kubeletOf = (node: string): Kubelet => {
    const known = kubelets.get(node);
    if (known) return known;
    const client = context.clientFor(nodeUser(node), 'kubelet');
    const made = { client, recorder: createEventRecorder('kubelet', client, context) };
    kubelets.set(node, made);
    return made;
  };
  /** The start of each Pod's current state. */
  const since = new Map<string, { readonly version: string; readonly at: number }>();
  let addresses = 0;
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const pod: Pod | undefined = store.get(pods, key.namespace, key.name);
    const node = pod ? nodeOfPod(pod) : '';
    if (!pod || !store.get(nodes, '', node)) return ok(since.delete(queueKey(key)));
    const { client, recorder } = kubeletOf(node);
    const now = clock.now();
    const step = nextStep(pod, { now, since: stateStart(since, key, { pod, now }), address: podAddressAt(addresses) });
    if (step.act === 'nothing') return ok(undefined);
    if (step.after > 0) {
      (countsAsBusy(step) ? queue.addSoon : queue.addAfter)(key, step.after);
      return ok(undefined);
    }
    const immediately = { gracePeriodSeconds: 0, preconditions: { uid: uidOf(pod) } };
    if (step.act === 'remove') return removeObject(client, pods, pod, immediately);
    if (step.status.podIP !== pod.status?.podIP) addresses += 1;
    const written = await putStatus(client, pods, pod, step.status);
    if (!written.ok) return ignoreNotFound(written);
    if (step.becomes) recorder.event(pod, step.becomes.type, step.becomes.reason, step.becomes.message);
    return written;
  };
  const queue = createWorkQueue(queueKey, sync, context);
  followResource(context, pods, ({ type, object }) => {
    if (type === 'removed') since.delete(queueKey(toObjectName(object)));
    else if (nodeOfPod(object) !== '') queue.add(toObjectName(object));
  });
  followResource(context, nodes, ({ type, object }) => {
    if (type !== 'created') return;
    for (const pod of store.list(pods)) if (nodeOfPod(pod) === nameOf(object)) queue.add(toObjectName(pod));
  });
  // Nodes may be added later.
  const all = (): QueueProgress =>
    combineProgress([queue.progress, ...[...kubelets.values()].map(({ recorder }) => recorder.progress)]);
  return {
    isIdle: () => all().isIdle(),
    whenIdle: () => all().whenIdle(),
    whenEnded: () => all().whenEnded(),
  };
}

interface PodRecord {
  readonly pod: Pod;
  readonly now: number;
}

/** Only writes of the node itself begin a new state. */
function stateStart(
  since: Map<string, { readonly version: string; readonly at: number }>,
  key: ObjectName,
  { pod, now }: PodRecord,
): number {
  const version = `${uidOf(pod)} ${JSON.stringify(pod.status?.containerStatuses ?? null)}`;
  const known = since.get(queueKey(key));
  if (known?.version === version) return known.at;
  since.set(queueKey(key), { version, at: now });
  return now;
}

type PendingStep = Exclude<NextStep, { readonly act: 'nothing' }>;

/** Endless steps and long waits do not count as busy. */
const countsAsBusy = (step: PendingStep): boolean => step.after <= 60_000 && !(step.act === 'write' && step.endless);
