import { relative } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { manifestsFlag, outputFlag, readChoice, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { logRequests } from '../../../analysis/trials/logged-request.ts';
import { releasesBetween } from '../../../analysis/trials/compare-releases.ts';
import { trialObjects, trialScenario } from '../../../analysis/trials/trial-scenarios.ts';
import type { CompatDifference } from '../../../analysis/trials/release-notes.ts';
import { compareReleases, type CompatReport } from '../../../analysis/trials/compat.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { exitCodes, printDocument, usageError } from '../terminal/io.ts';
import { ownTerminal, type Terminal } from '../terminal/terminal.ts';
import { withWorlds } from '../with-worlds.ts';
import { countText } from '../../../machinery/lists.ts';

const releaseFlag = (name: string, help: string, fallback: string): Flag<string> => ({
  name,
  argument: 'RELEASE',
  help: `${help}: one of ${releaseNames.join(', ')}`,
  fallback,
  read: readChoice(releaseNames),
});

/** `kadmit compat --from 1.33 --to 1.37 PATH…`: the same requests under both releases; exit code 1 when they differ. */
export const compatCommand = defineCommand({
  name: 'compat',
  group: 'Analyze',
  synopsis: ['--from RELEASE --to RELEASE PATH... [--audit-log FILE]'],
  purpose: 'report what changes when upgrading Kubernetes',
  details: [
    'Stores the configurations and objects of these files and folders under both releases and those between them, sends the ' +
      'writes of an audit log as dry runs, and prints what is refused, changed, dropped, warned about or called differently, ' +
      'since which release, and why. Webhooks allow everything.',
    'Exit codes: 0 no difference, 1 differences, 2 a file cannot be read, or nothing could be compared.',
  ],
  flags: {
    files: manifestsFlag('file or folder of configurations and objects, like PATH'),
    from: releaseFlag('from', 'release of the cluster now', releaseNames[0] ?? ''),
    to: releaseFlag('to', 'release after the upgrade', releaseNames.at(-1) ?? ''),
    auditLog: textFlag(
      'audit-log',
      'FILE',
      'audit log (JSON lines, plain or gzipped; level Request or RequestResponse)',
    ),
    output: outputFlag,
  },
  positionals: { name: 'PATH', complete: [{ type: 'files' }] },
  examples: ['compat --from 1.33 --to 1.37 manifests/', 'compat --from 1.36 --to 1.37 --audit-log audit.log.gz'],
  run: async (
    { args, options: { files, from, to, auditLog, output } },
    io,
    { createWorlds }: Pick<CommandContext, 'createWorlds'>,
  ) => {
    const releases = releasesBetween(from, to);
    if (!releases) throw new ConfigError(`--to ${to} is not after --from ${from}`);
    const paths = [...files, ...args];
    if (paths.length === 0 && auditLog === '') throw new ConfigError('PATH, -f FILE or --audit-log is required');
    const report = await withWorlds('compat', { io, createWorlds }, (worlds) => {
      const load = paths.length === 0 ? [] : trialObjects(paths);
      const scenario = trialScenario({ name: 'compat', load, webhooks: [], steps: [] });
      return compareReleases(scenario, releases, worlds, auditLog === '' ? undefined : () => logRequests(auditLog));
    });
    await printDocument(io, output, { compatVersion: 1, ...report }, () => compatText(report, ownTerminal()));
    if (report.requests === 0) return usageError(io, 'compat', 'nothing is known: no request could be compared');
    return report.differences.length > 0 ? exitCodes.failed : exitCodes.fine;
  },
});

/** By release, then by request; requests that both refuse with other messages are counted. */
export function compatText({ releases, requests, differences, leftOut }: CompatReport, terminal: Terminal): string {
  const page = createPage(terminal);
  const [from = '', to = ''] = [releases[0], releases.at(-1)];
  if (requests === 0) page.item('no request could be compared', 'bad', 0);
  else if (differences.length === 0)
    page.item(`${countText(requests, 'request')}: no difference between ${from} and ${to}`, 'good', 0);
  for (const release of releases) {
    const own = differences.filter(({ since }) => since === release);
    if (own.length > 0) releaseLines(page, release, own);
  }
  for (const [why, count] of Object.entries(leftOut)) page.item(`left out: ${count} × ${why}`, 'quiet', 0);
  if (differences.length > 0)
    page.line(
      `${countText(requests, 'request')}, ${countText(differences.length, 'difference')} from ${from} to ${to}`,
    );
  return page.text().trimEnd();
}

function releaseLines(
  page: ReturnType<typeof createPage>,
  release: string,
  differences: readonly CompatDifference[],
): void {
  page.line(`since ${release}`, 'strong');
  for (const group of groupByRequest(differences.filter(({ kind }) => kind !== 'message'))) requestLines(page, group);
  const reworded = groupByRequest(differences.filter(({ kind }) => kind === 'message')).length;
  if (reworded > 0) page.item(`${reworded} refused with other messages (-o json has them)`, 'quiet');
  page.line('');
}

function relativePath(place: string): string {
  const path = relative('', place);
  return path.startsWith('..') ? place : path;
}

function groupByRequest(differences: readonly CompatDifference[]): readonly (readonly CompatDifference[])[] {
  const groups = new Map<string, CompatDifference[]>();
  for (const one of differences) {
    const key = `${one.place ?? ''} ${one.request}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function requestLines(page: ReturnType<typeof createPage>, group: readonly CompatDifference[]): void {
  const [first] = group;
  if (!first) return;
  page.item(`${first.request}${first.place === undefined ? '' : ` (${relativePath(first.place)})`}`, 'strong');
  for (const { kind, text, note } of group) {
    page.item(text, kind === 'refused' || kind === 'removed' ? 'bad' : 'warn', 4);
    if (note) page.item(`${note.text} (${note.source})`, 'quiet', 6);
  }
}
