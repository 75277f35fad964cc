import { createPage } from '../../explain/explain-page.ts';
import type { LogReport } from '../../trials/replay-log.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What would be refused now, for people: by whom, how often, the first few; then what was not replayed and why. */
export function replayLogText(
  { events, replayed, admitted, warned, refusals, leftOut }: LogReport,
  terminal: Terminal,
): string {
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
  const reasons = Object.entries(leftOut).map(([why, count]) => `${count} ${why}`);
  if (reasons.length > 0) page.item(`not replayed: ${reasons.join('; ')}`, 'quiet');
  return page.text();
}
