import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lintRules } from '../../../src/analysis/lint/finding.ts';
import { doctorCodes } from '../../../src/app/cli/doctor/checks.ts';
import { findingRules } from '../../../src/explain/findings/finding.ts';
import {
  type FailureCode,
  failureCodeOf,
  failureCodes,
  type FailurePath,
} from '../../../src/testing/scenario/outcome.ts';

test.each<[FailurePath, FailureCode]>([
  ['deniedBy', 'deniedBy'],
  ['webhooks[1]', 'webhooks'],
  ['webhooks[12].patch', 'webhooks.patch'],
  ['policies.no-latest', 'policies'],
  ['status.code', 'status'],
  ['golden pods/a.golden.yaml', 'golden'],
  ['auditAnnotations[a.example.com/b[0].c]', 'auditAnnotations'],
  ['set-up', 'set-up'],
])('%s has the code %s', (what, code) => {
  expect(failureCodeOf(what)).toBe(code);
});

test('docs/reference/scenario-format.md has a row for each code', () => {
  const [, section = ''] = readFileSync('docs/reference/scenario-format.md', 'utf8').split('### Failures\n');
  const cells = section.split('\n## ')[0]?.matchAll(/^\| (?<codes>`.*?`) \|/gm) ?? [];
  const codes = [...cells].flatMap(({ groups }) => (groups?.['codes'] ?? '').replaceAll('`', '').split(', '));
  expect([...new Set(codes)].toSorted()).toEqual([...failureCodes].toSorted());
});

const enumsIn = (value: unknown, field: string): readonly unknown[] => {
  if (Array.isArray(value)) return value.flatMap((one) => enumsIn(one, field));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    name === field && typeof one === 'object' && one !== null && 'enum' in one ? [one.enum] : enumsIn(one, field),
  );
};

test.each<[schema: string, field: string, codes: readonly string[]]>([
  ['explain', 'rule', findingRules],
  ['requests', 'rule', findingRules],
  ['lint', 'rule', lintRules],
  ['test', 'code', failureCodes.filter((code) => code !== 'set-up' && code !== 'format')],
  ['doctor', 'code', doctorCodes],
])('docs/reference/%s.schema.json has every value of %s', (schema, field, codes) => {
  const document: unknown = JSON.parse(readFileSync(`docs/reference/${schema}.schema.json`, 'utf8'));
  expect(enumsIn(document, field)).toEqual([codes]);
});
