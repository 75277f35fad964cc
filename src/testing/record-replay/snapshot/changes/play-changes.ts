import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../../adapters/config/config-error.ts';
import { type DiscoveredResource, fetchResources } from '../../../../adapters/config/kubeconfig/discovery.ts';
import type { ServerAccess } from '../../../../adapters/config/kubeconfig/call-server.ts';
import type { Clock } from '../../../../machinery/clock.ts';
import { writeJson } from '../../../../machinery/json/json-writer.ts';
import { type KubernetesObject, metadataOf } from '../../../../machinery/meta/object.ts';
import { restoreOverApi } from '../restore-over-api.ts';
import { isServerOwned } from '../restoring-order.ts';
import { maxTries, retryDelayMs } from '../write-object.ts';
import {
  type RecordedChange,
  type ChangeTarget,
  type ChangeResult,
  putChange,
  type ChangeOutcome,
} from './put-change.ts';
import { readRecording } from './read-recording.ts';

export interface Played {
  /** Objects that existed when the recording began. */
  readonly restored: number;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** Removals of objects that did not exist. */
  readonly gone: number;
  readonly refused: number;
  /** The first twenty, with their counts: `Pod shop/web: …`. */
  readonly problems: readonly { readonly problem: string; readonly times: number }[];
  /** Milliseconds; `behindMs` is the largest delay of a change. */
  readonly recordedMs: number;
  readonly playedMs: number;
  readonly behindMs: number;
}

export interface PlayOptions {
  readonly speed: Speed;
  readonly clock: Clock;
  readonly onProgress: (text: string) => void;
}

const maxProblems = 20;
const maxObjectBytes = 512 * 1024 * 1024;

/**
 * Restores the objects from before the recording, then makes each change when it is due. Memory is bounded: 1,024 changes and the first
 * objects. Rejects with ConfigError for an unreadable file or an unreachable server.
 */
export async function playChanges(file: string, access: ServerAccess, options: PlayOptions): Promise<Played> {
  const { speed, clock, onProgress } = options;
  const uids = new Map<string, string>();
  const player = createPlayer(access, uids);
  const beginning: KubernetesObject[] = [];
  const count = { restored: 0, created: 0, changed: 0, removed: 0, gone: 0, refused: 0 };
  const time = { begun: 0, recordedMs: 0, behindMs: 0 };
  const problems = new Map<string, number>();
  const refuse = (problem: string): void => {
    count.refused += 1;
    const times = problems.get(problem) ?? 0;
    if (times > 0 || problems.size < maxProblems) problems.set(problem, times + 1);
  };
  const restore = async (): Promise<void> => {
    const restored = await restoreOverApi(beginning.splice(0), access, onProgress, uids);
    count.restored += restored.created + restored.replaced;
    restored.problems.forEach(refuse);
  };
  let bytes = 0;
  for await (const one of sortChanges(readRecording(file))) {
    if (one.type === 'object') {
      bytes += writeJson(one.object).length;
      if (bytes > maxObjectBytes)
        throw new ConfigError(`${file}: the objects before its first change are more than 512 MiB`);
      beginning.push(one.object);
      continue;
    }
    if (beginning.length > 0) await restore();
    if (time.begun === 0) time.begun = clock.now();
    const { change } = one;
    const wait = waitTime(change.at, clock.now() - time.begun, speed);
    onProgress(`${targetTitle(change.target)}, at ${(change.at / 1000).toFixed(1)} s`);
    if (wait > 0) await clock.sleep(wait);
    const put = await player(change);
    if (typeof put === 'object') refuse(`${targetTitle(change.target)}: ${put.problem}`);
    else if (put !== 'left') count[put] += 1;
    time.recordedMs = Math.max(time.recordedMs, change.at);
    if (speed !== Infinity) time.behindMs = Math.max(time.behindMs, clock.now() - time.begun - change.at / speed);
  }
  if (beginning.length > 0) await restore();
  const { recordedMs, behindMs, begun } = time;
  return {
    ...count,
    problems: [...problems].map(([problem, times]) => ({ problem, times })),
    recordedMs,
    playedMs: begun === 0 ? 0 : clock.now() - begun,
    behindMs,
  };
}

/** Changes that may be out of order: recorders write some of them together. */
const window = 1024;

/** Sorts changes by time within a window of 1,024; changes of one moment keep their order. */
export async function* sortChanges(recorded: AsyncIterable<ChangeOutcome>): AsyncGenerator<ChangeOutcome> {
  const waiting: RecordedChange[] = [];
  for await (const one of recorded) {
    if (one.type === 'object') {
      yield one;
      continue;
    }
    const at = waiting.findLastIndex((other) => other.at <= one.change.at);
    waiting.splice(at + 1, 0, one.change);
    if (waiting.length < window) continue;
    const [first] = waiting.splice(0, 1);
    if (first) yield { type: 'change', change: first };
  }
  for (const change of waiting) yield { type: 'change', change };
}

/** 'left' for objects that every server has itself. */
type Player = (change: RecordedChange) => Promise<ChangeResult | 'left' | { readonly problem: string }>;

/** `uids` maps recorded uids to those of this server, for existing objects only. */
function createPlayer(access: ServerAccess, uids: Map<string, string>): Player {
  const recordedUids = new Map<string, string>();
  const rowFor = createRows(access);
  return async (change) => {
    const { target } = change;
    if (isServerOwnedTarget(target)) return 'left';
    const row = await rowFor(target);
    if (row === undefined)
      return { problem: `no ${target.resource ?? target.kind ?? ''} in ${versionOf(target)} is served` };
    const put = await putChange(change, { row, access, uids });
    const key = `${row.group}/${row.resource}/${target.namespace}/${target.name}`;
    if (change.act === 'put') recordedUids.set(key, metadataOf(change.object).uid ?? '');
    if (change.act === 'remove') {
      uids.delete(recordedUids.get(key) ?? '');
      recordedUids.delete(key);
    }
    if (change.act === 'put' && row.resource === 'customresourcedefinitions') rowFor.expectMore();
    return put;
  };
}

/** `pods shop/web`. */
const targetTitle = ({ resource, kind, namespace, name }: ChangeTarget): string =>
  `${resource ?? kind ?? ''} ${namespace === '' ? '' : `${namespace}/`}${name}`;

const versionOf = ({ group, version }: ChangeTarget): string => (group === '' ? version : `${group}/${version}`);

const kindsByResource: Readonly<Record<string, string>> = {
  services: 'Service',
  endpoints: 'Endpoints',
  endpointslices: 'EndpointSlice',
};

/** Every server has its own Service `kubernetes` and its own lease. */
function isServerOwnedTarget({ group, version, kind, resource = '', namespace, name }: ChangeTarget): boolean {
  if (group === 'coordination.k8s.io') return namespace === 'kube-system' && name.startsWith('apiserver-');
  const apiVersion = versionOf({ group, version, namespace, name });
  return isServerOwned({ apiVersion, kind: kind ?? kindsByResource[resource] ?? '', metadata: { namespace, name } });
}

interface Rows {
  (target: ChangeTarget): Promise<DiscoveredResource | undefined>;
  /** A definition was written: its kind is served soon. */
  readonly expectMore: () => void;
}

function createRows(access: ServerAccess): Rows {
  let rows: readonly DiscoveredResource[] | undefined;
  let tries = 0;
  const find = async (target: ChangeTarget): Promise<DiscoveredResource | undefined> => {
    rows ??= await fetchResources(access);
    for (;;) {
      const row = rows.find((one) => isOf(one, target));
      if (row || tries <= 0) return row;
      tries -= 1;
      await sleep(retryDelayMs);
      rows = await fetchResources(access);
    }
  };
  return Object.assign(find, { expectMore: () => void (tries = maxTries) });
}

const isOf = (row: DiscoveredResource, { group, version, resource, kind }: ChangeTarget): boolean =>
  row.group === group &&
  row.version === version &&
  (resource === undefined ? row.kind === kind : row.resource === resource);

/** A Node timer reaches 24 days: longer waits are several timers. */
const maxSleepMs = 24 * 3_600_000;

export const wallClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    for (let left = milliseconds; left > 0 && !signal?.aborted; left -= maxSleepMs)
      await sleep(Math.min(left, maxSleepMs), undefined, signal ? { signal } : {}).catch(() => {});
  },
};

/** Times the recorded speed; Infinity plays without waiting. */
export type Speed = number;

export const minSpeed = 0.001;
export const maxSpeed = 1_000_000;

/** `at`: milliseconds of the recording; `passed`: milliseconds since playing began. */
export const waitTime = (at: number, passed: number, speed: Speed): number => Math.max(at / speed - passed, 0);
