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

interface Count {
  events: number;
  replayed: number;
  admitted: number;
  warned: number;
}

/**
 * Replays requests as dry runs in one world that holds the set and its background: whatever the length of the log, the world
 * stays as large as that. Rejects when the set cannot be stored.
 */
export async function replayLog(
  scenario: Scenario,
  worlds: Worlds,
  requestsIn: (world: World) => AsyncIterable<LoggedRequest | LeftOut>,
): Promise<LogReport> {
  const ground = await openTrials(scenario, worlds);
  const groups = new Map<string, RefusalGroup>();
  const leftOut = new Map<string, number>();
  const count: Count = { events: 0, replayed: 0, admitted: 0, warned: 0 };
  const ensureNamespace = createNamespaces(ground.world);
  try {
    for await (const one of requestsIn(ground.world)) {
      count.events += 1;
      if (typeof one === 'string') {
        leftOut.set(one, (leftOut.get(one) ?? 0) + 1);
        continue;
      }
      await ensureNamespace(one.namespace);
      const answer = await ground.world.send(one.request);
      if (one.needsObject && answer.code === 404) {
        leftOut.set(notThere, (leftOut.get(notThere) ?? 0) + 1);
        continue;
      }
      count.replayed += 1;
      count.warned += answer.warnings.length > 0 ? 1 : 0;
      if (isFine(answer)) count.admitted += 1;
      else group(groups, one, answer);
    }
  } finally {
    await ground.close();
  }
  const refusals = [...groups.values()].toSorted((one, other) => other.count - one.count);
  return { ...count, refusals, leftOut: Object.fromEntries(leftOut) };
}

const notThere = 'the object is not in the background';

/** An object that is there already was created then all the same. */
const isFine = ({ code, body }: WorldAnswer): boolean =>
  code < 400 || (code === 409 && body['reason'] === 'AlreadyExists');

function group(groups: Map<string, RefusalGroup>, { title }: LoggedRequest, answer: WorldAnswer): void {
  const by = refusedBy(answer);
  const key = `${by} ${answer.code}`;
  const known = groups.get(key) ?? { by, code: answer.code, count: 0, examples: [] };
  const example = { request: title, message: asString(answer.body['message']) };
  const examples = known.examples.length < mostExamples ? [...known.examples, example] : known.examples;
  groups.set(key, { ...known, count: known.count + 1, examples });
}
