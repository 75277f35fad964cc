import { relative } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { logRequests } from '../../../analysis/trials/logged-request.ts';
import { releasesBetween } from '../../../analysis/trials/compare-releases.ts';
import { trialObjects, trialScenario } from '../../../analysis/trials/trial-scenarios.ts';
import type { UpgradeDifference } from '../../../analysis/trials/release-notes.ts';
import { upgrade as tryUpgrade } from '../../../analysis/trials/upgrade.ts';
import type { UpgradeReport } from '../../../analysis/trials/upgrade.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import { errorText } from '../../../machinery/error-text.ts';
import type { Parts } from '../command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { upgradeFlags, upgradeHelp } from './upgrade-options.ts';

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

/** What an upgrade changes, for people: by release, then by request. What both refuse in other words is counted. */
export function upgradeText({ releases, requests, differences, leftOut }: UpgradeReport, terminal: Terminal): string {
  const page = createPage({ width: terminal.width ?? Number.POSITIVE_INFINITY, paint: terminal.paint });
  const [from = '', to = ''] = [releases[0], releases.at(-1)];
  const many = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
  if (differences.length === 0) page.item(`${many}: ${to} answers as ${from} does`, 'good', 0);
  for (const release of releases) {
    const own = differences.filter(({ since }) => since === release);
    if (own.length === 0) continue;
    page.line(`since ${release}`, 'strong');
    for (const group of byRequest(own.filter(({ kind }) => kind !== 'message'))) requestLines(page, group);
    const reworded = byRequest(own.filter(({ kind }) => kind === 'message')).length;
    if (reworded > 0) page.item(`${reworded} refused as before, in other words (-o json has them)`, 'quiet');
    page.line('');
  }
  for (const [why, count] of Object.entries(leftOut)) page.item(`left out: ${count} × ${why}`, 'quiet', 0);
  if (differences.length > 0) page.line(`${many}, ${differences.length} differences from ${from} to ${to}`);
  return page.text().trimEnd();
}

/** A place below the current folder as people write it. */
function fromHere(place: string): string {
  const path = relative('', place);
  return path.startsWith('..') ? place : path;
}

function byRequest(differences: readonly UpgradeDifference[]): readonly (readonly UpgradeDifference[])[] {
  const groups = new Map<string, UpgradeDifference[]>();
  for (const one of differences) {
    const key = `${one.place ?? ''} ${one.request}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function requestLines(page: ReturnType<typeof createPage>, group: readonly UpgradeDifference[]): void {
  const [first] = group;
  if (!first) return;
  page.item(`${first.request}${first.place === undefined ? '' : ` (${fromHere(first.place)})`}`, 'strong');
  for (const { kind, text, note } of group) {
    page.item(text, kind === 'refused' || kind === 'removed' ? 'bad' : 'warn', 4);
    if (note) page.item(`${note.text} (${note.source})`, 'quiet', 6);
  }
}
