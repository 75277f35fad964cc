import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { releaseNotes } from '../../../src/analysis/trials/release-notes.ts';

const cellOf = (text: string): string => text.replaceAll('|', '\\|');

test('docs/reference/releases.md has what kadmit compat knows of each release', () => {
  const table = releaseNotes.map(({ since, text, source }) => `| ${since} | ${cellOf(text)} | ${source} |`);
  expect(readFileSync('docs/reference/releases.md', 'utf8')).toContain(table.join('\n'));
});
