import { basename } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { manifestsFlag, outputFlag, repeatedFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import {
  compareSets,
  type RequestDifference,
  type SetsReport,
  type SideAnswer,
  type SideTotals,
} from '../../../analysis/trials/compare-sets.ts';
import { planComparisons } from '../../../analysis/trials/comparisons.ts';
import { describeField, describeValue } from '../../../explain/findings/describe-field.ts';
import { createPage, type Page } from '../../../explain/render/explain-page.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { ownTerminal, type Terminal } from '../terminal/terminal.ts';
import { withWorlds } from '../with-worlds.ts';
import { diffWithLog } from './diff-log.ts';

const flags = {
  files: manifestsFlag('file or folder of objects, like OBJECTS'),
  auditLog: textFlag(
    'audit-log',
    'FILE',
    'send the writes of this audit log: JSON lines, plain or gzipped, of level Request or RequestResponse',
  ),
  traceDir: textFlag('trace-dir', 'FOLDER', 'send the writes of the traces of kadmit serve --trace-dir'),
  dump: repeatedFlag('dump', 'PATH', 'create these objects (kubectl get -A -o yaml) with one set, before the log'),
  load: repeatedFlag('load', 'PATH', 'objects and definitions to store besides'),
  to: repeatedFlag('to', 'WEBHOOK=URL', 'address of a webhook; one without it allows everything'),
  takes: repeatedFlag('takes', 'WEBHOOK=DURATION', 'with one set: latency of a webhook without --to; * for all others'),
  output: outputFlag,
};
type Options = OptionsOf<typeof flags>;

/**
 * `kadmit diff A B REQUESTS…`: two sets of configurations and policies over the same requests; exit code 1 when they
 * differ. `kadmit diff A --audit-log FILE`: one set, compared with what the log recorded.
 */
export const diffCommand = defineCommand({
  name: 'diff',
  group: 'Analyze',
  synopsis: [
    'A B OBJECTS|SCENARIO... [FLAGS]',
    'A B --audit-log FILE | --trace-dir FOLDER',
    'A --audit-log FILE | --dump PATH [FLAGS]',
  ],
  purpose: 'compare two sets of policies, or one with an audit log',
  details: [
    'A and B are files or folders with webhook configurations, policies and bindings. Prints where verdicts, objects, ' +
      'warnings and webhook calls differ. A scenario contributes its requests, stubs and objects, without its ' +
      'configurations and policies.',
    'With A alone: sends the writes of an audit log, or the objects of a dump, as dry runs, and prints what would now be ' +
      'denied, changed or slower than in the log, and by what. Webhooks without --to allow everything, at once or after the ' +
      'time of --takes.',
    'Exit codes: 0 no difference, 1 differences (with A alone: a request would be denied), 2 a file cannot be read.',
  ],
  flags,
  positionals: { name: 'A, B and REQUESTS', complete: [{ type: 'files' }] },
  examples: ['diff policies/old policies/new pods.yaml', 'diff policies/ --audit-log audit.log.gz'],
  run: async ({ args, options }, io, { createWorlds }: Pick<CommandContext, 'createWorlds'>) => {
    const [a, b, ...requests] = args;
    if (a === undefined) throw new ConfigError('A is required: a file or folder of configurations and policies');
    checkUsage([...args, ...(b === undefined ? [] : options.files)], options);
    if (b === undefined) return diffWithLog({ ...options, load: [a, ...options.load] }, io, { createWorlds });
    const reports = await withWorlds('diff', { io, createWorlds }, async (worlds, onProgress) => {
      const done: NamedReport[] = [];
      for (const { over, sides, compareRequests } of await planComparisons(
        [a, b],
        [...requests, ...options.files],
        options,
      )) {
        const report = await compareSets(sides, compareRequests, worlds, (text) => onProgress(`${over}: ${text} …`));
        done.push({ over, ...report });
      }
      return done;
    });
    await printDocument(io, options.output, { diffVersion: 1, a, b, reports }, () => reportsText(reports, [a, b]));
    return reports.some(({ differing }) => differing > 0) ? exitCodes.failed : exitCodes.fine;
  },
});

/** Throws ConfigError. */
function checkUsage([, b, ...requests]: readonly string[], { auditLog, dump, takes, traceDir }: Options): void {
  if (b === undefined) {
    if (traceDir !== '') throw new ConfigError('--trace-dir needs A and B');
    if (auditLog === '' && dump.length === 0) throw new ConfigError('B is required, or --audit-log or --dump');
    return;
  }
  if (dump.length + takes.length > 0)
    throw new ConfigError(
      `--${dump.length > 0 ? 'dump' : 'takes'} is for A alone; unexpected argument ${JSON.stringify(b)}`,
    );
  if (requests.length === 0 && auditLog === '' && traceDir === '')
    throw new ConfigError('objects, scenarios, --audit-log or --trace-dir are required');
}

type NamedReport = SetsReport & { readonly over: string };

function reportsText(reports: readonly NamedReport[], names: Names): string {
  const terminal = ownTerminal();
  const [a, b] = [basename(names[0]), basename(names[1])];
  const shown: Names = a === b ? names : [a, b];
  return reports.map((report) => `${report.over}: ${diffText(report, shown, terminal)}`).join('\n\n');
}

type Names = readonly [string, string];

function diffText(
  { requests, same, differing, differences, leftOut, sides }: SetsReport,
  names: Names,
  terminal: Terminal,
): string {
  const page = createPage(terminal);
  page.line(`${requests} requests: ${same} the same, ${differing} differ`, differing > 0 ? 'bad' : 'good');
  for (const row of totalsRows(sides, names)) page.line(row, 'quiet');
  page.line('');
  for (const one of differences) differenceLines(page, one, names);
  if (differing > differences.length) page.line(`and ${differing - differences.length} more`, 'quiet');
  const reasons = Object.entries(leftOut).map(([why, count]) => `${count} ${why}`);
  if (reasons.length > 0) page.line(`not sent: ${reasons.join('; ')}`, 'quiet');
  return page.text().trimEnd();
}

function totalsRows([a, b]: readonly [SideTotals, SideTotals], [nameA, nameB]: Names): readonly string[] {
  const rows: readonly Names[] = [
    [nameA, nameB],
    [String(a.admitted), String(b.admitted)],
    [String(a.refused), String(b.refused)],
    [String(a.warned), String(b.warned)],
    [String(a.calls), String(b.calls)],
    [timeText(a.milliseconds), timeText(b.milliseconds)],
  ];
  const heads = ['', 'admitted', 'refused', 'with warnings', 'calls of webhooks', 'time'];
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right], at) =>
    `  ${(heads[at] ?? '').padEnd(17)}  ${left.padEnd(width)}  ${right}`.trimEnd(),
  );
}

const timeText = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds)} ms`;

function differenceLines(page: Page, { request, differs, sides, changes }: RequestDifference, names: Names): void {
  page.item(`${request}: ${differs.join(', ')}`, 'warn');
  const [a, b] = sides;
  if (differs.includes('verdict')) {
    page.item(`${names[0]}: ${verdictText(a)}`, 'quiet', 4);
    page.item(`${names[1]}: ${verdictText(b)}`, 'quiet', 4);
  }
  for (const { path, before, after } of changes.slice(0, maxChanges)) {
    page.item(`${describeField(path)}: ${describeValue(before)}, ${describeValue(after)} with ${names[1]}`, 'quiet', 4);
  }
  if (changes.length > maxChanges) page.item(`and ${changes.length - maxChanges} more fields`, 'quiet', 4);
  for (const field of ['warnings', 'calls'] as const) {
    if (!differs.includes(field)) continue;
    const [onlyA, onlyB] = [onlyInFirst(a[field], b[field]), onlyInFirst(b[field], a[field])];
    for (const one of onlyA) page.item(`only with ${names[0]}: ${one}`, 'quiet', 4);
    for (const one of onlyB) page.item(`only with ${names[1]}: ${one}`, 'quiet', 4);
    if (onlyA.length + onlyB.length === 0) page.item(`the same ${field} in another order`, 'quiet', 4);
  }
  if (Math.abs(a.milliseconds - b.milliseconds) >= minLatencyDifferenceMs)
    page.item(`${timeText(a.milliseconds)}, ${timeText(b.milliseconds)} with ${names[1]}`, 'quiet', 4);
}

const maxChanges = 5;
/** Milliseconds. */
const minLatencyDifferenceMs = 100;

const verdictText = ({ code, by, message }: SideAnswer): string =>
  code >= 400 ? `refused (${code}) by ${by}: ${message}` : 'admitted';

/** Elements of the first list that the second lacks, duplicates counted. */
function onlyInFirst(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return one.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
