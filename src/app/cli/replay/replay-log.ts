import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import type { ChangeGroup, LogReport } from '../../../analysis/trials/replay-log.ts';
import { replayReport } from '../../../analysis/trials/replay-report.ts';
import type { SlowExample, SlowReport } from '../../../analysis/trials/slower.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import { errorText } from '../../../machinery/error-text.ts';
import type { Parts } from '../command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { replayLogFlags, replayLogHelp } from './replay-log-options.ts';

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
        ? replayLogText(report, ownTerminal(), options.takes.length + options.to.length > 0)
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

type Page = ReturnType<typeof createPage>;

/**
 * What would be refused, changed and slower now, for people: by whom, how often, the first few; then what was not replayed and why.
 * `isTimed`: something is known of how long webhooks take.
 */
function replayLogText(report: LogReport, terminal: Terminal, isTimed: boolean): string {
  const { events, replayed, admitted, warned, refusals, changes, slower, leftOut } = report;
  const page = createPage({ width: terminal.width ?? Number.POSITIVE_INFINITY, paint: terminal.paint });
  const refused = replayed - admitted;
  page.line(
    `${replayed} of ${events} replayed: ${admitted} admitted, ${refused} refused, ${warned} with warnings`,
    refused > 0 ? 'bad' : 'good',
  );
  for (const { by, code, count, examples } of refusals) {
    page.item(`${count} by ${by} (${code})`, 'warn');
    for (const { request, message } of examples) page.item(`${request}: ${message}`, 'quiet', 4);
  }
  tellChanges(page, changes);
  tellSlower(page, slower, isTimed);
  const reasons = Object.entries(leftOut).map(([why, count]) => `${count} ${why}`);
  if (reasons.length > 0) page.item(`not replayed: ${reasons.join('; ')}`, 'quiet');
  return page.text();
}

const mostFields = 5;

function tellChanges(page: Page, changes: readonly ChangeGroup[]): void {
  for (const { by, count, examples } of changes) {
    page.item(`${count} changed by ${by}, as they were not then`, 'warn');
    for (const { request, fields } of examples) {
      const more = fields.length > mostFields ? ` and ${fields.length - mostFields} more` : '';
      page.item(`${request}: ${fields.slice(0, mostFields).join(', ')}${more}`, 'quiet', 4);
    }
  }
}

function tellSlower(page: Page, { groups, asked, slower, unknown }: SlowReport, isTimed: boolean): void {
  for (const { webhooks, count, examples } of groups) {
    page.item(`${count} slower because of ${webhooks.join(', ')}`, 'warn');
    for (const example of examples) page.item(slowText(example), 'quiet', 4);
  }
  if (unknown > 0)
    page.item(
      `of ${unknown} it is not known whether they are slower: webhooks take less than the whole request took then, and the log does not tell their share`,
      'quiet',
    );
  if (asked > 0 && slower + unknown === 0) {
    const why = isTimed
      ? 'none of them slower than then'
      : 'which are taken to answer at once: --takes WEBHOOK=DURATION says how long they take, --to WEBHOOK=URL asks them';
    page.item(`${asked} ask webhooks, ${why}`, 'quiet');
  }
}

const slowText = ({ request, now, before, of }: SlowExample): string =>
  of === 'webhooks'
    ? `${request}: ${seconds(now)} for webhooks, ${seconds(before)} then`
    : `${request}: ${seconds(now)} for webhooks, ${seconds(before)} for all of it then`;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
