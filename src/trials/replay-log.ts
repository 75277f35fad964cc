import { asString } from '../apimachinery/json.ts';
import type { Scenario } from '../scenario/format.ts';
import type { World, WorldAnswer, Worlds } from '../scenario/world.ts';
import { createNamespaces } from './create-namespaces.ts';
import { openTrials } from './ground.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import { refusedBy } from './refused-by.ts';

/** What a set of configurations would have made of requests that were admitted without it. */
export interface LogReport {
  readonly events: number;
  readonly replayed: number;
  readonly admitted: number;
  /** Those that would be refused now, by whom and with what, the most frequent first. */
  readonly refusals: readonly RefusalGroup[];
  /** What was not replayed, and why. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Those of whom a webhook or policy would now warn. */
  readonly warned: number;
}

export interface RefusalGroup {
  /** `policy no-latest`, `webhook a.example.com`, `the API server`. */
  readonly by: string;
  readonly code: number;
  readonly count: number;
  /** The first few, each with its message. */
  readonly examples: readonly { readonly request: string; readonly message: string }[];
}

const mostExamples = 3;

/** One entry of a log and its place in it. */
export interface Numbered {
  readonly at: number;
  readonly one: LoggedRequest | LeftOut;
}

/** What a part of a log came to; parts make a report together. Goes from thread to thread. */
export interface LogPart {
  readonly count: Count;
  readonly refusals: readonly FoundGroup[];
  readonly leftOut: ReadonlyMap<string, Tally>;
}

interface Count {
  events: number;
  replayed: number;
  admitted: number;
  warned: number;
}

/** How often, and where first. */
interface Tally {
  readonly count: number;
  readonly at: number;
}

interface FoundGroup extends Omit<RefusalGroup, 'examples'> {
  readonly examples: readonly (RefusalGroup['examples'][number] & { readonly at: number })[];
}

/**
 * Replays requests as dry runs in one world that holds the set and its background: whatever the length of the log, the world
 * stays as large as that. Rejects when the set cannot be stored.
 */
export async function replayPart(
  scenario: Scenario,
  worlds: Worlds,
  requestsIn: (world: World) => AsyncIterable<Numbered>,
): Promise<LogPart> {
  const ground = await openTrials(scenario, worlds);
  const groups = new Map<string, FoundGroup>();
  const leftOut = new Map<string, Tally>();
  const count: Count = { events: 0, replayed: 0, admitted: 0, warned: 0 };
  const ensureNamespace = createNamespaces(ground.world);
  const leave = (why: LeftOut, at: number): void => {
    const known = leftOut.get(why);
    leftOut.set(why, { count: (known?.count ?? 0) + 1, at: known?.at ?? at });
  };
  try {
    for await (const { at, one } of requestsIn(ground.world)) {
      count.events += 1;
      if (typeof one === 'string') {
        leave(one, at);
        continue;
      }
      await ensureNamespace(one.namespace);
      const answer = await ground.world.send(one.request);
      if (one.needsObject && answer.code === 404) {
        leave('the object is not in the background', at);
        continue;
      }
      count.replayed += 1;
      count.warned += answer.warnings.length > 0 ? 1 : 0;
      if (isFine(answer)) count.admitted += 1;
      else add(groups, groupOf(answer, one, at));
    }
  } finally {
    await ground.close();
  }
  return { count, refusals: [...groups.values()], leftOut };
}

/** An object that is there already was created then all the same. */
const isFine = ({ code, body }: WorldAnswer): boolean =>
  code < 400 || (code === 409 && body['reason'] === 'AlreadyExists');

const groupOf = (answer: WorldAnswer, { title }: LoggedRequest, at: number): FoundGroup => ({
  by: refusedBy(answer),
  code: answer.code,
  count: 1,
  examples: [{ request: title, message: asString(answer.body['message']), at }],
});

function add(groups: Map<string, FoundGroup>, one: FoundGroup): void {
  const key = `${one.by} ${one.code}`;
  const known = groups.get(key);
  const examples = [...(known?.examples ?? []), ...one.examples].toSorted((a, b) => a.at - b.at).slice(0, mostExamples);
  groups.set(key, { ...one, count: (known?.count ?? 0) + one.count, examples });
}

/** The report of all parts of a log: the same however it was parted. */
export function reportOf(parts: readonly LogPart[]): LogReport {
  const groups = new Map<string, FoundGroup>();
  for (const one of parts.flatMap(({ refusals }) => refusals)) add(groups, one);
  const leftOut = new Map<string, Tally>();
  for (const [why, { count, at }] of parts.flatMap((part) => [...part.leftOut])) {
    const known = leftOut.get(why);
    leftOut.set(why, { count: (known?.count ?? 0) + count, at: Math.min(known?.at ?? at, at) });
  }
  const sum = (field: keyof Count): number => parts.reduce((total, { count }) => total + count[field], 0);
  return {
    events: sum('events'),
    replayed: sum('replayed'),
    admitted: sum('admitted'),
    warned: sum('warned'),
    refusals: [...groups.values()]
      .toSorted((one, other) => other.count - one.count || firstOf(one) - firstOf(other))
      .map((group) => ({
        ...group,
        examples: group.examples.map(({ request, message }) => ({ request, message })),
      })),
    leftOut: Object.fromEntries(
      [...leftOut].toSorted(([, one], [, other]) => one.at - other.at).map(([why, { count }]) => [why, count]),
    ),
  };
}

const firstOf = ({ examples }: FoundGroup): number => examples[0]?.at ?? 0;
