import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { findingRules } from '../../../src/explain/findings/finding.ts';
import { historyRules } from '../../../src/explain/findings/history.ts';
import { findScenarios } from '../../../src/testing/scenario/load-scenario.ts';

const rules = [...findingRules, ...historyRules];

test('docs/reference/findings.md has a paragraph with a remedy for each rule', () => {
  const page = readFileSync('docs/reference/findings.md', 'utf8');
  const sorted = (texts: readonly string[]) => texts.toSorted((one, other) => one.localeCompare(other));
  const sections = page.split(/^## /m).slice(1);
  expect(sorted(sections.map((section) => section.split('\n')[0] ?? ''))).toEqual(sorted(rules));
  expect(sections.filter((section) => !section.includes('*Remedy:*'))).toEqual([]);
});

const expectedBy = scenarios().map(({ file, findings }) => ({ file, findings: new Set(findings) }));

// Each with what brings it about and, where there is a remedy, the same request with nothing to be found.
test.each(rules)('a scenario expects %s by name', (rule) => {
  expect(expectedBy.filter(({ findings }) => findings.has(rule)).map(({ file }) => file)).not.toEqual([]);
});

test('a folder of scenarios/findings expects the rule that it is named after', () => {
  const folders = readdirSync('scenarios/findings');
  const wrong = folders.filter(
    (folder) => !expectedBy.some(({ file, findings }) => file.includes(`/${folder}/`) && findings.has(folder)),
  );
  expect(wrong).toEqual([]);
});

const rows = readdirSync('test/explain/findings')
  .filter((file) => file !== 'docs.test.ts')
  .map((file) => readFileSync(`test/explain/findings/${file}`, 'utf8'))
  .join('\n');

test.each(rules)('%s has a row of tests', (rule) => {
  expect(rows).toContain(`'${rule}'`);
});

function scenarios(): readonly { readonly file: string; readonly findings: readonly string[] }[] {
  const found = findScenarios(['scenarios']);
  if (found.outcome !== 'found') throw new Error('no scenarios');
  return found.files.map((file) => ({
    file,
    findings: findingsIn(parse(readFileSync(file, 'utf8'), { merge: true })),
  }));
}

/** Everything that stands in a list named `findings`. */
function findingsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(findingsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    key === 'findings' && Array.isArray(one) ? one.filter((rule) => typeof rule === 'string') : findingsIn(one),
  );
}
