import type { ChangeGroup, LogReport } from '../../../analysis/trials/replay-log.ts';
import { type ReplayOptions, replayReport } from '../../../analysis/trials/replay-report.ts';
import type { SlowExample, SlowReport } from '../../../analysis/trials/log-differences.ts';
import { createPage, type Page } from '../../../explain/render/explain-page.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes, type Io, type Output, printDocument } from '../terminal/io.ts';
import { ownTerminal, type Terminal } from '../terminal/terminal.ts';
import { withWorlds } from '../with-worlds.ts';

/** `kadmit diff SET --audit-log FILE`: the writes of a log against one set; exit code 1 when one would be denied. */
export async function diffWithLog(
  { output, ...options }: ReplayOptions & { readonly output: Output },
  io: Io,
  { createWorlds }: Pick<CommandContext, 'createWorlds'>,
): Promise<number> {
  const report = await withWorlds('diff', { io, createWorlds }, (worlds) => replayReport(options, worlds));
  const isTimed = options.takes.length + options.to.length > 0;
  await printDocument(io, output, { diffLogVersion: 1, ...report }, () => logText(report, ownTerminal(), isTimed));
  return report.refusals.length > 0 ? exitCodes.failed : exitCodes.fine;
}

/** `isTimed`: the latency of webhooks is known. */
function logText(report: LogReport, terminal: Terminal, isTimed: boolean): string {
  const { events, replayed, admitted, warned, refusals, changes, slower, leftOut } = report;
  const page = createPage(terminal);
  const refused = replayed - admitted;
  page.line(
    `${replayed} of ${events} replayed: ${admitted} admitted, ${refused} refused, ${warned} with warnings`,
    refused > 0 ? 'bad' : 'good',
  );
  for (const { by, code, count, examples } of refusals) {
    page.item(`${count} by ${by} (${code})`, 'warn');
    for (const { request, message } of examples) page.item(`${request}: ${message}`, 'quiet', 4);
  }
  addChanges(page, changes);
  addSlower(page, slower, isTimed);
  const reasons = Object.entries(leftOut).map(([why, count]) => `${count} ${why}`);
  if (reasons.length > 0) page.item(`not replayed: ${reasons.join('; ')}`, 'quiet');
  return page.text();
}

const maxFields = 5;

function addChanges(page: Page, changes: readonly ChangeGroup[]): void {
  for (const { by, count, examples } of changes) {
    page.item(`${count} changed by ${by}, but not in the log`, 'warn');
    for (const { request, fields } of examples) {
      const more = fields.length > maxFields ? ` and ${fields.length - maxFields} more` : '';
      page.item(`${request}: ${fields.slice(0, maxFields).join(', ')}${more}`, 'quiet', 4);
    }
  }
}

function addSlower(page: Page, { groups, called, slower, unknown }: SlowReport, isTimed: boolean): void {
  for (const { webhooks, count, examples } of groups) {
    page.item(`${count} slower because of ${webhooks.join(', ')}`, 'warn');
    for (const example of examples) page.item(slowText(example), 'quiet', 4);
  }
  if (unknown > 0)
    page.item(
      `${unknown} may be slower: webhooks take less than the whole request took in the log, which does not have their share`,
      'quiet',
    );
  if (called > 0 && slower + unknown === 0) {
    const why = isTimed
      ? 'none slower than in the log'
      : 'assumed to respond at once: set their latency with --takes WEBHOOK=DURATION, or call them with --to WEBHOOK=URL';
    page.item(`${called} call webhooks, ${why}`, 'quiet');
  }
}

const slowText = ({ request, now, before, of }: SlowExample): string =>
  of === 'webhooks'
    ? `${request}: ${seconds(now)} for webhooks, ${seconds(before)} in the log`
    : `${request}: ${seconds(now)} for webhooks, ${seconds(before)} for the whole request in the log`;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
