import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { upgrade as tryUpgrade } from '../../../analysis/trials/upgrade.ts';
import type { Parts } from '../command.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { logRequests } from '../../../analysis/trials/log-lines.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { trialObjects, trialScenario } from '../../../analysis/trials/trial-scenarios.ts';
import { releasesBetween } from '../../../analysis/trials/releases-between.ts';
import { upgradeFlags, upgradeHelp } from './upgrade-options.ts';
import { upgradeText } from './upgrade-text.ts';

/** `kadmit upgrade --from 1.32 --to 1.36 PATH…`: the same requests under both releases; exit code 1 when they differ. */
export async function upgrade(
  args: readonly string[],
  io: Io,
  { createWorlds }: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(upgradeFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(upgradeHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'upgrade', parsed.problem);
  const { options, rest } = parsed;
  const { from, to, auditLog, output } = options;
  const releases = releasesBetween(from, to);
  if (!releases) return usageError(io, 'upgrade', `--to ${to} is not after --from ${from}`);
  if (rest.length === 0 && auditLog === '')
    return usageError(io, 'upgrade', 'of what? kadmit upgrade --from 1.32 --to 1.36 PATH…, or --audit-log FILE');
  const worlds = await createWorlds((error) => io.error(`kadmit upgrade: this is a bug in kadmit: ${String(error)}`));
  try {
    const load = rest.length === 0 ? [] : trialObjects(rest);
    const scenario = trialScenario({ name: 'upgrade', load, webhooks: [], steps: [] });
    const requests = auditLog === '' ? undefined : () => logRequests(auditLog);
    const report = await tryUpgrade(scenario, releases, worlds, requests);
    io.out(
      output === 'text'
        ? upgradeText(report, ownTerminal())
        : await structured(output, JSON.stringify({ upgradeVersion: 1, ...report }, null, 2)),
    );
    return report.differences.length > 0 ? exitCodes.failed : exitCodes.fine;
  } catch (error) {
    const problem = error instanceof ConfigError ? error.message : `it cannot be run: ${errorText(error)}`;
    return usageError(io, 'upgrade', problem);
  } finally {
    await worlds.close();
  }
}
