import type { DaemonSet, DaemonSetStatus } from '../../../api/types/generated/apps-v1.ts';
import type { Node, Pod } from '../../../api/types/generated/core-v1.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { type ApiClient, controllerUser } from '../../client.ts';
import { type Controller, type ControllerContext, followResource } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import { combineProgress } from '../../work-queue.ts';
import {
  conditionsOf,
  compactStatus,
  generationOf,
  intOrZero,
  isDeleted,
  minReadySecondsOf,
  nameOf,
  namespaceOf,
  optionalInt,
  uidOf,
} from '../fields.ts';
import { createEventRecorder, type EventRecorder } from '../event-recorder.ts';
import { followDependents, toObjectName, type ObjectName, syncObjects } from '../follow-pods.ts';
import { labelOf, ownRevisions } from '../history/revisions.ts';
import { claim, controllerOf } from '../ownership.ts';
import { createPodControl, type PodControl, pods, slowStartOver } from '../pod-control.ts';
import { isAvailable, isReady, nextAvailability } from '../pod-state.ts';
import { selectorOf } from '../replica-kinds.ts';
import { updateStatus, ignoreNotFound, ignoreTerminatingNamespace } from '../../write-object.ts';
import { cleanHistory, daemonHistory, daemonSets } from './daemon-history.ts';
import { nodeShouldRunDaemonPod, revisionHashLabel, isUpdated, newDaemonPod } from './daemon-pod.ts';
import { groupByNode, byPlacement, terminatedDaemonEvent, planDaemons, type DaemonSetState } from './plan.ts';
import { planUpdate } from './rolling-update.ts';

/**
 * A new node, or one with changed labels or taints, affects the sets whose daemons must be created or removed there.
 * Follows pkg/controller/daemon/daemon_controller.go syncNodeUpdate.
 */
function followNodes(context: ControllerContext, add: (key: ObjectName) => void): void {
  const { store } = context;
  followResource(context, coreV1('nodes'), (change) => {
    const { type, object: node } = change;
    if (type === 'removed' || (type === 'updated' && sameJson(placement(node), placement(change.previous)))) return;
    const sets: readonly DaemonSet[] = store.list(daemonSets);
    const bound = sets.length === 0 ? [] : store.list(pods).filter((pod: Pod) => pod.spec?.nodeName === nameOf(node));
    for (const set of sets) {
      const isThere = bound.some((pod) => isDaemonOf(pod, set));
      const { shouldRun, mayStay } = nodeShouldRunDaemonPod(set, node);
      const isMisplaced = isThere && (!mayStay || intOrZero(set.status?.numberMisscheduled) > 0);
      if ((shouldRun && !isThere) || isMisplaced) add(toObjectName(set));
    }
  });
}

/** Follows shouldIgnoreNodeUpdate. */
const placement = (node: Node): JsonValue => [metadataOf(node).labels ?? {}, node.spec?.taints ?? []];

function isDaemonOf(pod: Pod, set: DaemonSet): boolean {
  const owner = controllerOf(pod);
  return owner?.kind === 'DaemonSet' && owner.name === nameOf(set) && namespaceOf(pod) === namespaceOf(set);
}

/** Follows updateDaemonSetStatus of pkg/controller/daemon/daemon_controller.go. */
export function daemonStatus({ set, nodes, daemons, hash, now }: DaemonSetState): DaemonSetStatus {
  const nodeDaemons = nodes.map((node) => ({
    isWanted: nodeShouldRunDaemonPod(set, node).shouldRun,
    daemon: [...(daemons.get(nameOf(node)) ?? [])].sort(byPlacement)[0],
  }));
  const desired = nodeDaemons.filter(({ isWanted }) => isWanted);
  const scheduled = desired.map(({ daemon }) => daemon).filter((daemon) => daemon !== undefined);
  const ready = scheduled.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, minReadySecondsOf(set), now)).length;
  return compactStatus<DaemonSetStatus>(
    {
      currentNumberScheduled: scheduled.length,
      numberMisscheduled: nodeDaemons.filter(({ isWanted, daemon }) => !isWanted && daemon).length,
      desiredNumberScheduled: desired.length,
      numberReady: ready.length,
      observedGeneration: generationOf(set),
      updatedNumberScheduled: scheduled.filter((pod) => isUpdated(set, pod, hash)).length,
      numberAvailable: available,
      numberUnavailable: desired.length - available,
      collisionCount: optionalInt(set.status?.collisionCount),
      conditions: conditionsOf(set),
    },
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'collisionCount'],
  );
}

const [firstWait, longestWait] = [1000, 15 * 60_000];

/**
 * Milliseconds until the next attempt at a key, doubled each time and forgotten after a pause; 0 starts one. Follows
 * client-go util/flowcontrol/backoff.go.
 */
function createBackoff(): (key: string, now: number) => number {
  const attempts = new Map<string, { readonly at: number; readonly wait: number }>();
  return (key, now) => {
    const last = attempts.get(key);
    if (last && now - last.at < last.wait) return last.at + last.wait - now;
    for (const [old, { at }] of attempts) if (now - at > 2 * longestWait) attempts.delete(old);
    const isRecent = last && now - last.at <= 2 * longestWait;
    attempts.set(key, { at: now, wait: isRecent ? Math.min(2 * last.wait, longestWait) : firstWait });
    return 0;
  };
}

const nodes = coreV1('nodes');
const burst = 250;

/** Runs a Pod on every suitable node. Follows pkg/controller/daemon/daemon_controller.go. */
export const daemonSetController: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('daemon-set-controller'));
  const recorder = createEventRecorder('daemonset-controller', client, context);
  const control = createPodControl(client, recorder);
  const backoff = createBackoff();
  const queue = syncObjects(context, daemonSets, async (set: DaemonSet, key) => {
    const selector = selectorOf(set);
    if (!selector || isDeleted(set)) return ok(undefined);
    if (selector.isEmpty) {
      recorder.event(set, 'Warning', 'SelectingAll', selectsAllText);
      return ok(undefined);
    }
    const revisions = await ownRevisions({ owner: set, selector, client, store });
    if (!revisions.ok) return revisions;
    const access = { types: context.served.types, client, store };
    const history = await daemonHistory(set, revisions.value, access);
    if (!history.ok) return history;
    const hash = labelOf(history.value.current, revisionHashLabel);
    const mayRetry = (node: string): boolean => {
      const wait = backoff(`${uidOf(set)}/${intOrZero(set.status?.observedGeneration)}/${node}`, clock.now());
      if (wait > 0) queue.addAfter(key, wait);
      return wait === 0;
    };
    const readState = async () => {
      const claimed = await claim({ owner: set, selector, client, store, resource: pods });
      if (!claimed.ok) return claimed;
      return ok({ set, nodes: store.list(nodes), daemons: groupByNode(claimed.value), hash, now: clock.now() });
    };
    const managed = await manage(readState, mayRetry, { control, recorder });
    const cleaned = managed.ok ? await cleanHistory(set, history.value.old, access) : managed;
    const written = await writeStatus(readState, client, (wait) => queue.addAfter(key, wait));
    return cleaned.ok ? written : cleaned;
  });
  followDependents(context, pods, { kind: 'DaemonSet', resource: daemonSets, selectorOf }, queue.add);
  followNodes(context, queue.add);
  return combineProgress([queue.progress, recorder.progress]);
};

const selectsAllText = 'This daemon set is selecting all pods. A non-empty selector is required.';

type ReadState = () => Promise<Result<DaemonSetState>>;

interface ManagePorts {
  readonly control: PodControl;
  readonly recorder: EventRecorder;
}

async function manage(
  readState: ReadState,
  mayRetry: (node: string) => boolean,
  { control, recorder }: ManagePorts,
): Promise<Result<unknown>> {
  const seen = await readState();
  if (!seen.ok) return seen;
  const { set, hash } = seen.value;
  const plan = planDaemons(seen.value, mayRetry);
  for (const pod of plan.ended) recorder.event(set, ...terminatedDaemonEvent(pod));
  const managed = await syncNodes(set, { ...plan, hash }, control);
  return managed.ok ? rollingUpdate(set, readState, control) : managed;
}

/** Writes the status, and calls `later` when a daemon will become available. */
async function writeStatus(
  readState: ReadState,
  client: ApiClient,
  later: (wait: number) => void,
): Promise<Result<unknown>> {
  const stateResult = await readState();
  if (!stateResult.ok) return stateResult;
  const seen = stateResult.value;
  const wait = nextAvailability([...seen.daemons.values()].flat(), minReadySecondsOf(seen.set), seen.now);
  if (wait !== undefined) later(wait);
  return ignoreNotFound(await updateStatus(client, daemonSets, seen.set, daemonStatus(seen)));
}

async function rollingUpdate(set: DaemonSet, readState: ReadState, control: PodControl): Promise<Result<unknown>> {
  if (set.spec?.updateStrategy?.type !== 'RollingUpdate') return ok(undefined);
  const seen = await readState();
  return seen.ok ? syncNodes(set, { ...planUpdate(seen.value), hash: seen.value.hash }, control) : seen;
}

interface NodeSync {
  readonly create: readonly string[];
  readonly delete: readonly KubernetesObject[];
  readonly hash: string;
}

/** Follows syncNodes. */
async function syncNodes(set: DaemonSet, work: NodeSync, control: PodControl): Promise<Result<unknown>> {
  const created = await slowStartOver(work.create.slice(0, burst), async (node) =>
    ignoreTerminatingNamespace(await control.create(set, newDaemonPod(set, node, work.hash))),
  );
  const deleted = await Promise.all(work.delete.slice(0, burst).map((pod) => control.delete(set, pod)));
  return created.ok ? (deleted.find((one) => !one.ok) ?? created) : created;
}
