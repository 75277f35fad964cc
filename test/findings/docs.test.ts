import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findingRules } from '../../src/findings/finding.ts';
import { historyRules } from '../../src/findings/history.ts';

test('docs/findings.md has a paragraph with a remedy for each rule', () => {
  const page = readFileSync('docs/findings.md', 'utf8');
  const sorted = (texts: readonly string[]) => texts.toSorted((one, other) => one.localeCompare(other));
  const sections = page.split(/^## /m).slice(1);
  expect(sorted(sections.map((section) => section.split('\n')[0] ?? ''))).toEqual(
    sorted([...findingRules, ...historyRules]),
  );
  expect(sections.filter((section) => !section.includes('*Remedy:*'))).toEqual([]);
});
