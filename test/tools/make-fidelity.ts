import type { KnownGap } from '../known-gaps.ts';

const begin = '<!-- gaps: begin -->';
const end = '<!-- gaps: end -->';

/** docs/reference/fidelity.md with the table of these gaps between its two marks. */
export function makeFidelity(page: string, gaps: readonly KnownGap[]): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${begin} … ${end}`);
  return `${before}${begin}\n\n${tableOf(gaps)}\n\n${end}${after}`;
}

const tableOf = (gaps: readonly KnownGap[]): string =>
  [
    '| What is missing | What kadmit does | Why |',
    '| --- | --- | --- |',
    ...gaps.map(({ gap, answer, because }) => `| ${[gap, answer, because].map(cell).join(' | ')} |`),
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|');
