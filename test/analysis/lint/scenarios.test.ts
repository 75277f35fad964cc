import { certificateChecks } from '../../../src/analysis/lint/rules/certificates.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { readIgnoreComments, lint } from '../../../src/analysis/lint/lint.ts';
import { readLintText } from '../../../src/analysis/lint/model/lint-object.ts';
import { lintRules } from '../../../src/analysis/lint/finding.ts';
import { lintTime } from '../../harness/lint-text.ts';

const scenarios = readdirSync('scenarios/lint', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('/scenario.yaml'))
  .map(dirname);

test('each rule has a scenario that shows the harm in the chain', () => {
  expect(readdirSync('scenarios/lint').toSorted()).toEqual([...lintRules].toSorted());
  expect(scenarios).toEqual(expect.arrayContaining([...lintRules]));
});

test.each(scenarios)('its rule is found in the configurations of %s', (folder) => {
  const rule = folder.split('/')[0];
  const file = `scenarios/lint/${folder}/manifests.yaml`;
  const { objects, texts, problems } = readLintText(file, readFileSync(file, 'utf8'));
  expect(problems).toEqual([]);
  const { findings } = lint(objects, {
    isWhole: false,
    now: lintTime,
    certificates: certificateChecks,
    ignores: readIgnoreComments(texts),
  });
  expect(findings.map((one) => one.rule)).toContain(rule);
});
