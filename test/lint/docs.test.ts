import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { lintDocument } from '../../src/cli/lint/lint-document.ts';
import { lintText as textOf } from '../../src/cli/lint/lint-text.ts';
import { plain } from '../../src/explain/explain-page.ts';
import { lintRules } from '../../src/lint/rule-table.ts';
import { lintText } from '../harness/linted.ts';

const page = readFileSync('docs/lint.md', 'utf8');

test('docs/lint.md has a paragraph for each rule, in their order', () => {
  expect([...page.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual(lintRules);
});

test('the example of docs/lint.md prints what stands below it', () => {
  const [, yaml = '', output = ''] =
    /```yaml\n([\s\S]*?)```\n\n```text\n\$ kadmit lint gate.yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const findings = lintText(yaml);
  expect(textOf({ findings, ignored: 0 }, 1, { paint: plain }).replaceAll('set.yaml', 'gate.yaml')).toBe(
    output.trimEnd(),
  );
  const validate = new Ajv({ strict: true }).compile(JSON.parse(readFileSync('docs/lint.schema.json', 'utf8')));
  validate(lintDocument({ findings, ignored: 0 }, 1));
  expect(validate.errors).toBeNull();
});
