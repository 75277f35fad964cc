import { asObject, asString } from '../apimachinery/json.ts';
import type { Scenario } from '../scenario/format.ts';
import { locateManifest } from '../scenario/steps/locate.ts';
import type { World, Worlds } from '../scenario/world.ts';
import { logRequests } from './log-lines.ts';
import { dumpedObject } from './logged-request.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import { replayLog } from './replay-log.ts';
import type { LogReport } from './replay-log.ts';
import { trialObjects, trialScenario } from './trial-scenarios.ts';

/** What is stored, and whose writes are sent. */
export interface ReplayOptions {
  readonly load: readonly string[];
  /** A file; '' is none. */
  readonly auditLog: string;
  /** Files of objects, each of which is created as a dry run. */
  readonly dump: readonly string[];
}

/** What the set makes of the log and the dump. Rejects with ConfigError for a file that cannot be read, with Error for a set that cannot be stored. */
export const replayReport = (options: ReplayOptions, worlds: Worlds): Promise<LogReport> =>
  replayLog(scenarioOf(options), worlds, (world) => requestsOf(options, world));

/** Nobody answers for the webhooks of the set. */
const scenarioOf = ({ load }: Pick<ReplayOptions, 'load'>): Scenario =>
  trialScenario({ name: 'replay', load: trialObjects(load), webhooks: [], steps: [] });

async function* requestsOf(
  { auditLog, dump }: Pick<ReplayOptions, 'auditLog' | 'dump'>,
  world: World,
): AsyncGenerator<LoggedRequest | LeftOut> {
  for (const { object } of dump.length === 0 ? [] : trialObjects(dump)) {
    const location = await locateManifest(world, object);
    if (location.outcome === 'unknown') yield 'a kind that is not served';
    else yield dumpedObject(object, location.collection, asString(asObject(object['metadata'])['namespace']));
  }
  if (auditLog !== '') yield* logRequests(auditLog);
}
