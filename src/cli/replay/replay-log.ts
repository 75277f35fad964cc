import { errorText } from '../../apimachinery/error-text.ts';
import { asObject, asString } from '../../apimachinery/json.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { Scenario } from '../../scenario/format.ts';
import { locateManifest } from '../../scenario/steps/locate.ts';
import type { World, Worlds } from '../../scenario/world.ts';
import { dumpedObject } from '../../trials/logged-request.ts';
import type { LeftOut, LoggedRequest } from '../../trials/logged-request.ts';
import { replayLog as replayRequests } from '../../trials/replay-log.ts';
import type { LogReport } from '../../trials/replay-log.ts';
import type { Parts } from '../command.ts';
import { parseFlags, spelledOut } from '../flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { trialObjects, trialScenario } from '../trials/trial-scenarios.ts';
import { logRequests } from './log-lines.ts';
import { replayLogFlags, replayLogHelp } from './replay-log-options.ts';
import type { ReplayLogOptions } from './replay-log-options.ts';
import { replayLogText } from './replay-log-text.ts';
import { structured } from '../terminal/structured.ts';

/** `kadmit replay --audit-log FILE --load PATH`: what a changed set of policies would have made of the writes of a log. */
export async function replayLog(
  args: readonly string[],
  io: Io,
  { createWorlds }: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(replayLogFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(replayLogHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'replay', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length > 0) return usageError(io, 'replay', `${JSON.stringify(rest[0])} is one argument too many`);
  if (options.load.length === 0)
    return usageError(io, 'replay', 'before what? --load PATH names the policies and configurations');
  const worlds = await createWorlds((error) => io.error(`kadmit replay: this is a bug in kadmit: ${String(error)}`));
  try {
    const report = await replayReport(options, worlds);
    io.out(
      options.output === 'text'
        ? replayLogText(report, ownTerminal())
        : await structured(options.output, JSON.stringify({ replayVersion: 1, ...report }, null, 2)),
    );
    return report.refusals.length > 0 ? exitCodes.failed : exitCodes.fine;
  } catch (error) {
    return usageError(
      io,
      'replay',
      error instanceof ConfigError ? error.message : `it cannot be run: ${errorText(error)}`,
    );
  } finally {
    await worlds.close();
  }
}

/** What the set makes of the log and the dump. Rejects with ConfigError for a file that cannot be read, with Error for a set that cannot be stored. */
export const replayReport = (options: Omit<ReplayLogOptions, 'output'>, worlds: Worlds): Promise<LogReport> =>
  replayRequests(scenarioOf(options), worlds, (world) => requestsOf(options, world));

/** Nobody answers for the webhooks of the set. */
const scenarioOf = ({ load }: Pick<ReplayLogOptions, 'load'>): Scenario =>
  trialScenario({ name: 'replay', load: trialObjects(load), webhooks: [], steps: [] });

async function* requestsOf(
  { auditLog, dump }: Pick<ReplayLogOptions, 'auditLog' | 'dump'>,
  world: World,
): AsyncGenerator<LoggedRequest | LeftOut> {
  for (const { object } of dump.length === 0 ? [] : trialObjects(dump)) {
    const location = await locateManifest(world, object);
    if (location.outcome === 'unknown') yield 'a kind that is not served';
    else yield dumpedObject(object, location.collection, asString(asObject(object['metadata'])['namespace']));
  }
  if (auditLog !== '') yield* logRequests(auditLog);
}
