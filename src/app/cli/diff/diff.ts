import { basename } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { compareSets } from '../../../analysis/trials/compare-sets.ts';
import type { RequestDifference, SetsReport, SideAnswer, SideSum } from '../../../analysis/trials/compare-sets.ts';
import { comparisonsOf } from '../../../analysis/trials/comparisons.ts';
import { fieldWords, valueWords } from '../../../explain/findings/field-words.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { Page } from '../../../explain/render/explain-page.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { bigintAsText } from '../../../machinery/json/bigint-replacer.ts';
import type { Parts } from '../command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { diffFlags, diffHelp } from './diff-options.ts';
import type { DiffOptions } from './diff-options.ts';

/** `kadmit diff A B REQUESTS…`: two sets of configurations and policies over the same requests; exit code 1 when something differs. */
export async function diff(
  args: readonly string[],
  io: Io,
  { createWorlds }: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(diffFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(diffHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'diff', parsed.problem);
  const { options, rest } = parsed;
  const [a, b, ...requests] = rest;
  if (a === undefined || b === undefined) return usageError(io, 'diff', 'of what? kadmit diff A B OBJECTS|SCENARIO…');
  if (requests.length === 0 && options.auditLog === '' && options.traces === '')
    return usageError(
      io,
      'diff',
      'over which requests? name objects or scenarios, or --audit-log FILE, --traces FOLDER',
    );
  const line = createLiveLine(process.stderr);
  const worlds = await createWorlds((error) => io.error(`kadmit diff: this is a bug in kadmit: ${String(error)}`));
  try {
    const reports: (SetsReport & { readonly over: string })[] = [];
    for (const { over, sides, ask } of await comparisonsOf([a, b], requests, options)) {
      const report = await compareSets(sides, ask, worlds, (text) => line.show(`${over}: ${text} …`));
      reports.push({ over, ...report });
    }
    line.clear();
    io.out(await printed(reports, [a, b], options));
    return reports.some(({ differing }) => differing > 0) ? exitCodes.failed : exitCodes.fine;
  } catch (error) {
    line.clear();
    const told = error instanceof ConfigError ? error.message : `it cannot be run: ${errorText(error)}`;
    return usageError(io, 'diff', told);
  } finally {
    await worlds.close();
  }
}

async function printed(
  reports: readonly (SetsReport & { readonly over: string })[],
  names: readonly [string, string],
  { output }: DiffOptions,
): Promise<string> {
  if (output !== 'text') {
    const document = { diffVersion: 1, a: names[0], b: names[1], reports };
    return structured(output, JSON.stringify(document, bigintAsText, 2));
  }
  const terminal = ownTerminal();
  const [a, b] = names.map((name) => basename(name));
  const shown: readonly [string, string] = a !== undefined && b !== undefined && a !== b ? [a, b] : names;
  return reports.map((report) => `${report.over}: ${diffText(report, shown, terminal)}`).join('\n\n');
}

type Names = readonly [string, string];

/** Two sets side by side, for people: sums, then each request that differs, with what the one and the other says. */
function diffText(
  { requests, same, differing, differences, leftOut, sides }: SetsReport,
  names: Names,
  terminal: Terminal,
): string {
  const page = createPage({ width: terminal.width ?? Number.POSITIVE_INFINITY, paint: terminal.paint });
  page.line(`${requests} requests: ${same} the same, ${differing} differ`, differing > 0 ? 'bad' : 'good');
  for (const row of rowsOf(sides, names)) page.line(row, 'quiet');
  page.line('');
  for (const one of differences) differenceLines(page, one, names);
  if (differing > differences.length) page.line(`and ${differing - differences.length} more`, 'quiet');
  const reasons = Object.entries(leftOut).map(([why, count]) => `${count} ${why}`);
  if (reasons.length > 0) page.line(`not sent: ${reasons.join('; ')}`, 'quiet');
  return page.text().trimEnd();
}

function rowsOf([a, b]: readonly [SideSum, SideSum], [nameA, nameB]: Names): readonly string[] {
  const rows: readonly Names[] = [
    [nameA, nameB],
    [String(a.admitted), String(b.admitted)],
    [String(a.refused), String(b.refused)],
    [String(a.warned), String(b.warned)],
    [String(a.calls), String(b.calls)],
    [timeWords(a.milliseconds), timeWords(b.milliseconds)],
  ];
  const heads = ['', 'admitted', 'refused', 'with warnings', 'calls of webhooks', 'time'];
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right], at) =>
    `  ${(heads[at] ?? '').padEnd(17)}  ${left.padEnd(width)}  ${right}`.trimEnd(),
  );
}

const timeWords = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds)} ms`;

function differenceLines(page: Page, { request, differs, sides, changes }: RequestDifference, names: Names): void {
  page.item(`${request}: ${differs.join(', ')}`, 'warn');
  const [a, b] = sides;
  if (differs.includes('verdict')) {
    page.item(`${names[0]}: ${verdictWords(a)}`, 'quiet', 4);
    page.item(`${names[1]}: ${verdictWords(b)}`, 'quiet', 4);
  }
  for (const { path, before, after } of changes.slice(0, mostChanges)) {
    page.item(`${fieldWords(path)}: ${valueWords(before)}, ${valueWords(after)} with ${names[1]}`, 'quiet', 4);
  }
  if (changes.length > mostChanges) page.item(`and ${changes.length - mostChanges} more fields`, 'quiet', 4);
  for (const field of ['warnings', 'calls'] as const) {
    if (!differs.includes(field)) continue;
    const [onlyA, onlyB] = [missing(a[field], b[field]), missing(b[field], a[field])];
    for (const one of onlyA) page.item(`only with ${names[0]}: ${one}`, 'quiet', 4);
    for (const one of onlyB) page.item(`only with ${names[1]}: ${one}`, 'quiet', 4);
    if (onlyA.length + onlyB.length === 0) page.item(`the same ${field} in another order`, 'quiet', 4);
  }
  if (Math.abs(a.milliseconds - b.milliseconds) >= telling)
    page.item(`${timeWords(a.milliseconds)}, ${timeWords(b.milliseconds)} with ${names[1]}`, 'quiet', 4);
}

const mostChanges = 5;
/** Milliseconds. */
const telling = 100;

const verdictWords = ({ code, by, message }: SideAnswer): string =>
  code >= 400 ? `refused (${code}) by ${by}: ${message}` : 'admitted';

/** Those of the first that the second does not have, each as often as it is more there. */
function missing(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return one.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
