import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest, Worlds } from '../../testing/scenario/world.ts';
import {
  findNewChanges,
  addToGroup,
  byFrequency,
  type ExampleGroup,
  type SlowRequests,
  compareLatency,
  type SlowReport,
  bySlowdown,
} from './log-differences.ts';
import { createNamespaces, denierTitle } from './compare-sets.ts';
import { openTrials } from './trial-setup.ts';
import type { LeftOut, LoggedRequest, NumberedRequest } from './logged-request.ts';

/** The effect of a set of configurations on logged requests. */
export interface LogReport {
  readonly events: number;
  readonly replayed: number;
  readonly admitted: number;
  /** Admitted requests that would be denied, grouped by what denies them, the most frequent first. */
  readonly refusals: readonly RefusalGroup[];
  /** Admitted requests with new changes, grouped likewise. */
  readonly changes: readonly ChangeGroup[];
  /** Requests with more latency. */
  readonly slower: SlowReport;
  /** Requests that were not replayed, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Requests with new warnings. */
  readonly warned: number;
}

interface RefusalGroup {
  /** `policy no-latest`, `webhook a.example.com`, `the API server`. */
  readonly by: string;
  readonly code: number;
  readonly count: number;
  /** The first few, with their messages. */
  readonly examples: readonly { readonly request: string; readonly message: string }[];
}

export interface ChangeGroup {
  /** `policy team-label`, `webhook a.example.com`. */
  readonly by: string;
  readonly count: number;
  /** The first few, with the changed fields. */
  readonly examples: readonly { readonly request: string; readonly fields: readonly string[] }[];
}

/** The result of a part of a log; parts are merged into a report. Sent between threads. */
export interface LogPart {
  readonly count: ReplayCounts;
  readonly refusals: readonly RefusalExamples[];
  readonly changes: readonly ChangeExamples[];
  readonly slow: readonly SlowRequests[];
  readonly leftOut: ReadonlyMap<string, SkipCount>;
}

interface ReplayCounts {
  events: number;
  replayed: number;
  admitted: number;
  warned: number;
  called: number;
  slower: number;
  unknown: number;
}

/** How often, and the first positions. */
interface SkipCount {
  readonly count: number;
  readonly at: number;
}

interface LogPosition {
  readonly at: number;
}

type RefusalExamples = ExampleGroup<RefusalGroup['examples'][number] & LogPosition> & Pick<RefusalGroup, 'by' | 'code'>;
type ChangeExamples = ExampleGroup<ChangeGroup['examples'][number] & LogPosition> & Pick<ChangeGroup, 'by'>;

const byPosition = (one: LogPosition, other: LogPosition): number => one.at - other.at;

/**
 * Replays requests as dry runs in one world, whose size does not grow with the log. Rejects when the set cannot be
 * stored.
 */
export async function replayPart(
  scenario: Scenario,
  worlds: Worlds,
  requestsIn: (world: ScenarioWorld) => AsyncIterable<NumberedRequest>,
): Promise<LogPart> {
  const trialWorld = await openTrials(scenario, worlds);
  const tally = createTally();
  const ensureNamespace = createNamespaces(trialWorld.world);
  try {
    for await (const { at, one } of requestsIn(trialWorld.world)) {
      tally.count.events += 1;
      if (typeof one === 'string') {
        tally.leave(one, at);
        continue;
      }
      await ensureNamespace(one.namespace);
      const answer = await trialWorld.world.send(await withCurrentVersion(one.request, trialWorld.world));
      if (one.needsObject && answer.code === 404) tally.leave('its object is not loaded', at);
      else tally.add(answer, one, at);
    }
  } finally {
    await trialWorld.close();
  }
  return tally.part();
}

interface ReplayTally {
  readonly count: ReplayCounts;
  readonly leave: (why: LeftOut, at: number) => void;
  readonly add: (answer: WorldAnswer, one: LoggedRequest, at: number) => void;
  readonly part: () => LogPart;
}

function createTally(): ReplayTally {
  const count: ReplayCounts = { events: 0, replayed: 0, admitted: 0, warned: 0, called: 0, slower: 0, unknown: 0 };
  const refusals = new Map<string, RefusalExamples>();
  const changes = new Map<string, ChangeExamples>();
  const slow = new Map<string, SlowRequests>();
  const leftOut = new Map<string, SkipCount>();
  const time = ({ trace }: WorldAnswer, { before, title }: LoggedRequest, at: number): void => {
    const slowness = compareLatency(trace, before);
    if (slowness.outcome !== 'not-called') count.called += 1;
    if (slowness.outcome === 'unknown') count.unknown += 1;
    if (slowness.outcome !== 'slower') return;
    count.slower += 1;
    const { webhooks, example } = slowness;
    const examples = [{ request: title, ...example, at }];
    addToGroup(slow, { key: webhooks.join(' '), webhooks, count: 1, examples }, bySlowdown);
  };
  return {
    count,
    leave: (why, at) => {
      const known = leftOut.get(why);
      leftOut.set(why, { count: (known?.count ?? 0) + 1, at: known?.at ?? at });
    },
    add: (answer, one, at) => {
      count.replayed += 1;
      count.warned += answer.warnings.length > 0 ? 1 : 0;
      time(answer, one, at);
      if (!isAdmittedOrExists(answer)) {
        addToGroup(refusals, toRefusal(answer, one, at), byPosition);
        return;
      }
      count.admitted += 1;
      for (const { by, fields } of findNewChanges(answer.trace, one.before.object))
        addToGroup(changes, { key: by, by, count: 1, examples: [{ request: one.title, fields, at }] }, byPosition);
    },
    part: () => ({
      count,
      refusals: [...refusals.values()],
      changes: [...changes.values()],
      slow: [...slow.values()],
      leftOut,
    }),
  };
}

/** AlreadyExists: it was created then. */
const isAdmittedOrExists = ({ code, body }: WorldAnswer): boolean =>
  code < 400 || (code === 409 && body['reason'] === 'AlreadyExists');

function toRefusal(answer: WorldAnswer, { title }: LoggedRequest, at: number): RefusalExamples {
  const [by, { code }] = [denierTitle(answer), answer];
  const examples = [{ request: title, message: asString(answer.body['message']), at }];
  return { key: `${by} ${code}`, by, code, count: 1, examples };
}

/** The report of all parts, independent of how the log was split. */
export function mergeParts(parts: readonly LogPart[]): LogReport {
  const leftOut = new Map<string, SkipCount>();
  for (const [why, { count, at }] of parts.flatMap((part) => [...part.leftOut])) {
    const known = leftOut.get(why);
    leftOut.set(why, { count: (known?.count ?? 0) + count, at: Math.min(known?.at ?? at, at) });
  }
  const sum = (field: keyof ReplayCounts): number => parts.reduce((total, { count }) => total + count[field], 0);
  const refusals = mergeGroups(
    parts.map((part) => part.refusals),
    byPosition,
  );
  const changes = mergeGroups(
    parts.map((part) => part.changes),
    byPosition,
  );
  const slow = mergeGroups(
    parts.map((part) => part.slow),
    bySlowdown,
  );
  return {
    events: sum('events'),
    replayed: sum('replayed'),
    admitted: sum('admitted'),
    warned: sum('warned'),
    refusals: refusals.map(({ by, code, count, examples }) => ({
      by,
      code,
      count,
      examples: examples.map(withoutPosition),
    })),
    changes: changes.map(({ by, count, examples }) => ({ by, count, examples: examples.map(withoutPosition) })),
    slower: {
      called: sum('called'),
      slower: sum('slower'),
      unknown: sum('unknown'),
      groups: slow.map(({ webhooks, count, examples }) => ({
        webhooks,
        count,
        examples: examples.map(withoutPosition),
      })),
    },
    leftOut: Object.fromEntries(
      [...leftOut].toSorted(([, one], [, other]) => one.at - other.at).map(([why, { count }]) => [why, count]),
    ),
  };
}

function mergeGroups<Example, Group extends ExampleGroup<Example>>(
  parts: readonly (readonly Group[])[],
  order: (one: Example, other: Example) => number,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const one of parts.flat()) addToGroup(groups, one, order);
  return [...groups.values()].toSorted(byFrequency(order));
}

function withoutPosition<Example extends LogPosition>({ at: _at, ...example }: Example): Omit<Example, 'at'> {
  return example;
}

/**
 * Replaces resourceVersion and uid, which are another server's, by the current object's. Unchanged when it has none,
 * or the object does not exist.
 */
async function withCurrentVersion(request: WorldRequest, world: Pick<ScenarioWorld, 'send'>): Promise<WorldRequest> {
  const { method, path, body } = request;
  if ((method !== 'PUT' && method !== 'PATCH') || !isJsonObject(body)) return request;
  const metadata = asObject(body['metadata']);
  if (metadata['resourceVersion'] === undefined && metadata['uid'] === undefined) return request;
  const current = await world.send({ method: 'GET', path });
  if (current.code >= 400) return request;
  const { resourceVersion, uid } = asObject(current.body['metadata']);
  const stated = {
    ...(metadata['resourceVersion'] === undefined ? {} : { resourceVersion: asString(resourceVersion) }),
    ...(metadata['uid'] === undefined ? {} : { uid: asString(uid) }),
  };
  return { ...request, body: { ...body, metadata: { ...metadata, ...stated } } };
}
