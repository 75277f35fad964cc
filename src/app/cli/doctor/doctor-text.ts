import { createPage } from '../../../explain/render/explain-page.ts';
import type { Style } from '../../../explain/render/explain-page.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Check } from './check.ts';

const styles: Readonly<Record<Check['level'], Style>> = { ok: 'good', note: 'quiet', warning: 'warn', problem: 'bad' };

/** A line for each look, what helps below it, and at the end whether all is well. */
export function doctorText(checks: readonly Check[], { paint, width = Number.POSITIVE_INFINITY }: Terminal): string {
  const page = createPage({ width, paint });
  for (const { level, text, hint } of checks) {
    page.item(`${page.painted(styles[level], level.padEnd(7))}  ${text}`, undefined, 0, 9);
    if (hint !== undefined) page.item(`${page.painted('strong', 'hint:')} ${hint}`, undefined, 9, 11);
  }
  page.line('');
  page.line(ending(checks), 'strong');
  return page.text();
}

function ending(checks: readonly Check[]): string {
  const counts = (['problem', 'warning'] as const).flatMap((level) => {
    const count = checks.filter((one) => one.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? 'all is well' : counts.join(', ');
}
