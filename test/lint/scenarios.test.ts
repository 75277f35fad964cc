import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ignoresIn } from '../../src/lint/ignores.ts';
import { lint } from '../../src/lint/lint.ts';
import { objectsInText } from '../../src/lint/read-objects.ts';
import { lintRules } from '../../src/lint/rule-table.ts';
import { lintedAt } from '../harness/linted.ts';

test('each rule has a scenario that shows the harm in the chain', () => {
  expect(readdirSync('scenarios/lint').toSorted()).toEqual([...lintRules].toSorted());
});

test.each(lintRules)('%s is found in the configurations of its scenario', (rule) => {
  const file = `scenarios/lint/${rule}/manifests.yaml`;
  const { objects, texts, problems } = objectsInText(file, readFileSync(file, 'utf8'));
  expect(problems).toEqual([]);
  const { findings } = lint(objects, { isWhole: false, now: lintedAt, ignores: ignoresIn(texts) });
  expect(findings.map((one) => one.rule)).toContain(rule);
});
