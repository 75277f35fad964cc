import {
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../../machinery/json/json.ts';
import {
  ageOf,
  type Cells,
  conditionStatus,
  isBeingDeleted,
  millisecondsOf,
  nameOf,
  numberAt,
  objectsAt,
  textAt,
} from './cell.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';

/** Follows kubernetes pkg/printers/internalversion/printers.go printPod. */
export const podCells: Cells = (pod, now) => {
  const state = stateOf(pod);
  return [
    nameOf(pod),
    `${state.ready}/${totalContainers(pod)}`,
    isBeingDeleted(pod) ? deletingWord(pod, state.word) : state.word,
    restartsText(state.restarts, now),
    ageOf(pod, now),
    textAt(objectsAt(pod, 'status', 'podIPs')[0], 'ip') || '<none>',
    textAt(pod, 'spec', 'nodeName') || '<none>',
    textAt(pod, 'status', 'nominatedNodeName') || '<none>',
    readinessGates(pod),
  ];
};

interface PodState {
  readonly word: string;
  readonly ready: number;
  readonly restarts: Restarts;
}

interface Restarts {
  readonly count: number;
  /** undefined for none. */
  readonly last: number | undefined;
}

const never: Restarts = { count: 0, last: undefined };

function stateOf(pod: JsonObject): PodState {
  const start = initialState(pod);
  const blocked = start.blockedBy !== undefined;
  const word = start.blockedBy ?? phaseWord(pod);
  if (blocked && conditionStatus(pod, 'Initialized') !== 'True') {
    return { word, ready: start.ready, restarts: start.restarts };
  }
  const main = mainState(pod, word);
  return {
    word: main.word,
    ready: start.ready + main.ready,
    restarts: sum(start.sidecarRestarts, main.restarts),
  };
}

/** The phase, or its reason. */
function phaseWord(pod: JsonObject): string {
  const gated = objectsAt(pod, 'status', 'conditions').some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
}

interface InitialState {
  /** The reason of the init container that blocks the pod. */
  readonly blockedBy: string | undefined;
  /** Ready sidecars. */
  readonly ready: number;
  readonly restarts: Restarts;
  readonly sidecarRestarts: Restarts;
}

function initialState(pod: JsonObject): InitialState {
  const sidecars = sidecarNames(pod);
  let [ready, restarts, sidecarRestarts] = [0, never, never];
  for (const [index, status] of objectsAt(pod, 'status', 'initContainerStatuses').entries()) {
    const isSidecar = sidecars.has(asString(status['name']));
    restarts = sum(restarts, restartsOf(status));
    if (isSidecar) sidecarRestarts = sum(sidecarRestarts, restartsOf(status));
    const blockedBy = initWord(pod, status, { index, isSidecar });
    if (blockedBy !== undefined) return { blockedBy, ready, restarts, sidecarRestarts };
    if (isSidecar && !hasSucceeded(status) && status['ready'] === true) ready += 1;
  }
  return { blockedBy: undefined, ready, restarts, sidecarRestarts };
}

const hasSucceeded = (status: JsonObject): boolean => {
  const terminated = valueAt(status, 'state', 'terminated');
  return isJsonObject(terminated) && numberAt(terminated, 'exitCode') === 0;
};

/** undefined when the init container is done, or is a started sidecar. */
function initWord(
  pod: JsonObject,
  status: JsonObject,
  { index, isSidecar }: { readonly index: number; readonly isSidecar: boolean },
): string | undefined {
  if (hasSucceeded(status) || (isSidecar && status['started'] === true)) return undefined;
  const terminated = valueAt(status, 'state', 'terminated');
  if (isJsonObject(terminated)) return `Init:${terminatedWord(terminated)}`;
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${objectsAt(pod, 'spec', 'initContainers').length}`;
}

function terminatedWord(terminated: JsonObject): string {
  const reason = asString(terminated['reason']);
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

/** From last to first: the first container's reason wins. */
function mainState(pod: JsonObject, before: string): PodState {
  let [word, ready, restarts] = [before, 0, never];
  for (const status of objectsAt(pod, 'status', 'containerStatuses').toReversed()) {
    restarts = sum(restarts, restartsOf(status));
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const terminated = valueAt(status, 'state', 'terminated');
    if (waiting !== '') word = waiting;
    else if (isJsonObject(terminated)) word = terminatedWord(terminated);
    else if (status['ready'] === true && isJsonObject(valueAt(status, 'state', 'running'))) ready += 1;
  }
  if (word !== 'Completed' || ready === 0) return { word, ready, restarts };
  return { word: conditionStatus(pod, 'Ready') === 'True' ? 'Running' : 'NotReady', ready, restarts };
}

function deletingWord(pod: JsonObject, word: string): string {
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase')) ? word : 'Terminating';
}

const restartsOf = (status: JsonObject): Restarts => ({
  count: Number(numberAt(status, 'restartCount')),
  last: millisecondsOf(valueAt(status, 'lastState', 'terminated', 'finishedAt')),
});

const sum = (a: Restarts, b: Restarts): Restarts => ({
  count: a.count + b.count,
  last: a.last === undefined || (b.last !== undefined && b.last > a.last) ? b.last : a.last,
});

function restartsText({ count, last }: Restarts, now: number): string {
  if (count === 0 || last === undefined) return String(count);
  return `${count} (${humanDuration(now - last)} ago)`;
}

const isSidecar = (container: JsonObject): boolean => container['restartPolicy'] === 'Always';

const sidecarNames = (pod: JsonObject): ReadonlySet<string> =>
  new Set(
    objectsAt(pod, 'spec', 'initContainers')
      .filter(isSidecar)
      .map(({ name }) => asString(name)),
  );

const totalContainers = (pod: JsonObject): number =>
  objectsAt(pod, 'spec', 'containers').length + objectsAt(pod, 'spec', 'initContainers').filter(isSidecar).length;

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) => conditionStatus(pod, asString(conditionType)) === 'True');
  return `${open.length}/${gates.length}`;
}

/**
 * Conditions of a row of a finished pod. Follows kubernetes pkg/printers/internalversion/printers.go
 * podSuccessConditions.
 */
export function podRowConditions(pod: JsonObject): readonly JsonValue[] | undefined {
  const phase = textAt(asObject(pod), 'status', 'phase');
  if (phase === 'Succeeded') return [completed(phase, 'The pod has completed successfully.')];
  return phase === 'Failed' ? [completed(phase, 'The pod failed.')] : undefined;
}

const completed = (reason: string, message: string): JsonObject => ({
  type: 'Completed',
  status: 'True',
  reason,
  message,
});
