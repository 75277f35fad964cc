import { asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import {
  ageOf,
  type Cells,
  cells,
  elapsed,
  listWithMore,
  millisecondsOf,
  nameOf,
  numberAt,
  objectsAt,
  type Printers,
  textCell,
  textAt,
} from './cell.ts';

// lifecycle.k8s.io, since 1.37. Follows kubernetes pkg/printers/internalversion/printers.go printEvictionRequest and printEviction.

const evictionCells: Cells = (object, now) => {
  const responders = objectsAt(object, 'status', 'targetResponders');
  const ended = responders.filter(({ state }) => ['Canceled', 'Interrupted', 'Completed'].includes(asString(state)));
  const active = responders.filter(({ state }) => state === 'Active');
  const shown = active.at(-1) ?? ended.at(-1);
  const progress = shown && objectsAt(object, 'status', 'responders').find(({ name }) => name === shown['name']);
  const { status, finish } = progressCells(shown, progress, now);
  const requesters = objectsAt(object, 'status', 'requesters');
  return [
    nameOf(object),
    ...targetCells(object),
    evictionState(object),
    `${shown ? textAt(shown, 'name') : '<unset>'} (${ended.length + active.length}/${responders.length})`,
    status,
    finish,
    requestersText(requesters),
    ageOf(object, now),
    progress?.['heartbeatTime'] === undefined ? '<unset>' : `${elapsed(progress['heartbeatTime'], now)} ago`,
    textAt(progress, 'message').trim() || '<unset>',
  ];
};

function targetCells(object: JsonObject): readonly [target: string, type: string] {
  if (valueAt(object, 'spec', 'target', 'pod') === undefined) return ['<unset>', '<unset>'];
  return [textAt(object, 'spec', 'target', 'pod', 'name'), 'Pod'];
}

function evictionState(object: JsonObject): string {
  const met = (type: string): JsonObject | undefined =>
    objectsAt(object, 'status', 'conditions').find((one) => one['type'] === type && one['status'] === 'True');
  const last = met('TargetEvicted') ?? met('Failed');
  if (last) return `${textAt(last, 'type')} (${textAt(last, 'reason')})`;
  return numberAt(object, 'status', 'observedGeneration') > 0 ? 'Progressing' : 'Pending';
}

interface ProgressCells {
  readonly status: string;
  readonly finish: string;
}

function progressCells(shown: JsonObject | undefined, progress: JsonObject | undefined, now: number): ProgressCells {
  if (shown === undefined || progress === undefined) return { status: '<unset>', finish: '<unknown>' };
  const state = textAt(shown, 'state');
  const { startTime, completionTime, expectedCompletionTime } = progress;
  if (state === 'Active') {
    if (startTime === undefined) return { status: state, finish: '<unknown>' };
    return { status: `Started (${elapsed(startTime, now)} ago)`, finish: finishText(expectedCompletionTime, now) };
  }
  const isTimed = state === 'Completed' && completionTime !== undefined;
  return { status: isTimed ? `${state} (${elapsed(completionTime, now)} ago)` : state, finish: '-' };
}

function finishText(expected: JsonObject[string], now: number): string {
  const at = millisecondsOf(expected);
  if (at === undefined) return '<unknown>';
  return at > now ? `in ${elapsed(new Date(now).toISOString(), at)}` : `${elapsed(expected, now)} ago`;
}

function requestersText(requesters: readonly JsonObject[]): string {
  const names = requesters.filter(({ intent }) => intent !== 'Withdrawn').map((one) => textAt(one, 'name'));
  if (names.length > 0) return listWithMore(names.toSorted(), 1);
  return requesters.length > 0 ? '<withdrawn>' : '<none>';
}

export const evictionPrinters: Printers = {
  'lifecycle.k8s.io/Eviction': evictionCells,
  'lifecycle.k8s.io/EvictionRequest': cells(
    nameOf,
    (request) => targetCells(request)[0],
    (request) => targetCells(request)[1],
    evictionState,
    textCell('spec.requester'),
    textCell('spec.intent'),
    ageOf,
  ),
};
