import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../../adapters/config/config-error.ts';
import { fetchResources } from '../../../../adapters/config/kubeconfig/named-resource.ts';
import type { DiscoveredResource } from '../../../../adapters/config/kubeconfig/named-resource.ts';
import type { ServerAccess } from '../../../../adapters/config/kubeconfig/server-access.ts';
import type { Clock } from '../../../../machinery/clock.ts';
import { writeJson } from '../../../../machinery/json/json-writer.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { restoreOverApi } from '../restore-over-api.ts';
import { isServers } from '../restoring-order.ts';
import { mostTries, patienceMs } from '../write-object.ts';
import type { Change, ChangeTarget, Put, Recorded } from './put-change.ts';
import { putChange } from './put-change.ts';
import { readRecording } from './read-recording.ts';
import { waitFor } from './speed.ts';
import type { Speed } from './speed.ts';

export interface Played {
  /** Objects that were there when the recording began. */
  readonly restored: number;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** Removals of what was not there any more. */
  readonly gone: number;
  readonly refused: number;
  /** The first twenty, and how often each came: `Pod shop/web: …`. */
  readonly problems: readonly { readonly problem: string; readonly times: number }[];
  /** How long it took to record, how long to play, and by how much a change came too late at worst: milliseconds. */
  readonly recordedMs: number;
  readonly playedMs: number;
  readonly behindMs: number;
}

export interface PlayOptions {
  readonly speed: Speed;
  readonly clock: Clock;
  readonly onProgress: (text: string) => void;
}

const mostProblems = 20;
const mostObjectBytes = 512 * 1024 * 1024;

/**
 * Plays a recording of changes on a server: what was there when it began is restored at once, then each change is made when it is due,
 * one after the other. However long the recording is, 1,024 changes of it are in memory, and the objects of its beginning. Rejects with
 * ConfigError for a file that cannot be read, and for a server that cannot be reached.
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
    if (times > 0 || problems.size < mostProblems) problems.set(problem, times + 1);
  };
  const restore = async (): Promise<void> => {
    const restored = await restoreOverApi(beginning.splice(0), access, onProgress, uids);
    count.restored += restored.created + restored.replaced;
    restored.problems.forEach(refuse);
  };
  let bytes = 0;
  for await (const one of inOrder(readRecording(file))) {
    if (one.type === 'object') {
      bytes += writeJson(one.object).length;
      if (bytes > mostObjectBytes)
        throw new ConfigError(`${file}: the objects before its first change are more than 512 MiB`);
      beginning.push(one.object);
      continue;
    }
    if (beginning.length > 0) await restore();
    if (time.begun === 0) time.begun = clock.now();
    const { change } = one;
    const wait = waitFor(change.at, clock.now() - time.begun, speed);
    onProgress(`${titleOf(change.target)}, at ${(change.at / 1000).toFixed(1)} s`);
    if (wait > 0) await clock.sleep(wait);
    const put = await player(change);
    if (typeof put === 'object') refuse(`${titleOf(change.target)}: ${put.problem}`);
    else if (put !== 'left') count[put] += 1;
    time.recordedMs = Math.max(time.recordedMs, change.at);
    if (speed !== Infinity) time.behindMs = Math.max(time.behindMs, clock.now() - time.begun - change.at / speed);
  }
  if (beginning.length > 0) await restore();
  const { recordedMs, behindMs, begun } = time;
  const told = [...problems].map(([problem, times]) => ({ problem, times }));
  return { ...count, problems: told, recordedMs, playedMs: begun === 0 ? 0 : clock.now() - begun, behindMs };
}

/** So many changes may be before their turn: those who record write some together. */
const window = 1024;

/** The same in the order of their time, as far as they are not more than 1,024 out of order; those of one moment as they came. */
export async function* inOrder(recorded: AsyncIterable<Recorded>): AsyncGenerator<Recorded> {
  const waiting: Change[] = [];
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

/** Makes one change; 'left' for what is the server's own. */
type Player = (change: Change) => Promise<Put | 'left' | { readonly problem: string }>;

/** `uids`: those of this server by those of the recording; it holds those of the objects that are there, and no others. */
function createPlayer(access: ServerAccess, uids: Map<string, string>): Player {
  const recordedUids = new Map<string, string>();
  const rowFor = createRows(access);
  return async (change) => {
    const { target } = change;
    if (isServersOwn(target)) return 'left';
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
const titleOf = ({ resource, kind, namespace, name }: ChangeTarget): string =>
  `${resource ?? kind ?? ''} ${namespace === '' ? '' : `${namespace}/`}${name}`;

const versionOf = ({ group, version }: ChangeTarget): string => (group === '' ? version : `${group}/${version}`);

const kinds: Readonly<Record<string, string>> = {
  services: 'Service',
  endpoints: 'Endpoints',
  endpointslices: 'EndpointSlice',
};

/** Every server keeps its own Service `kubernetes`, and the lease that says that it lives. */
function isServersOwn({ group, version, kind, resource = '', namespace, name }: ChangeTarget): boolean {
  if (group === 'coordination.k8s.io') return namespace === 'kube-system' && name.startsWith('apiserver-');
  const apiVersion = versionOf({ group, version, namespace, name });
  return isServers({ apiVersion, kind: kind ?? kinds[resource] ?? '', metadata: { namespace, name } });
}

interface Rows {
  (target: ChangeTarget): Promise<DiscoveredResource | undefined>;
  /** A definition was written: what it makes is served in a moment. */
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
      await sleep(patienceMs);
      rows = await fetchResources(access);
    }
  };
  return Object.assign(find, { expectMore: () => void (tries = mostTries) });
}

const isOf = (row: DiscoveredResource, { group, version, resource, kind }: ChangeTarget): boolean =>
  row.group === group &&
  row.version === version &&
  (resource === undefined ? row.kind === kind : row.resource === resource);
