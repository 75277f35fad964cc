import { asObject, asString } from '../../machinery/json/json.ts';
import type { LintObject } from '../lint/model/lint-object.ts';
import { locateManifest } from '../../testing/scenario/steps/locate.ts';
import type { World, Worlds } from '../../testing/scenario/world.ts';
import { replayParts } from './log-parts.ts';
import { dumpedObject } from './logged-request.ts';
import { replayPart, reportOf } from './replay-log.ts';
import type { LogReport, Numbered } from './replay-log.ts';
import { replayScenario } from './replay-scenario.ts';
import type { ReplaySet } from './replay-scenario.ts';
import { trialObjects } from './trial-scenarios.ts';

/** What is stored, and whose writes are sent. */
export interface ReplayOptions extends ReplaySet {
  /** A file; '' is none. */
  readonly auditLog: string;
  /** Files of objects, each of which is created as a dry run. */
  readonly dump: readonly string[];
}

/** What the set makes of the log and the dump. Rejects with ConfigError for a file that cannot be read, with Error for a set that cannot be stored. */
export async function replayReport({ auditLog, dump, ...set }: ReplayOptions, worlds: Worlds): Promise<LogReport> {
  const scenario = replayScenario(set);
  const dumped = dump.length === 0 ? [] : trialObjects(dump);
  const parts = dumped.length === 0 ? [] : [await replayPart(scenario, worlds, (world) => requestsOf(dumped, world))];
  return reportOf([...parts, ...(auditLog === '' ? [] : await replayParts({ auditLog, set, scenario }, worlds))]);
}

/** The objects of a dump come before all lines of the log. */
async function* requestsOf(dumped: readonly LintObject[], world: World): AsyncGenerator<Numbered> {
  for (const [index, { object }] of dumped.entries()) {
    const at = index - dumped.length;
    const location = await locateManifest(world, object);
    if (location.outcome === 'unknown') yield { at, one: 'a kind that is not served' };
    else
      yield { at, one: dumpedObject(object, location.collection, asString(asObject(object['metadata'])['namespace'])) };
  }
}
