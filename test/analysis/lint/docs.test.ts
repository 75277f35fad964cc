import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { lintDocument, lintText as textOf } from '../../../src/app/cli/lint/lint.ts';
import { plain } from '../../../src/explain/render/explain-page.ts';
import { lintRules } from '../../../src/analysis/lint/finding.ts';
import { lintText } from '../../harness/lint-text.ts';

const page = readFileSync('docs/reference/lint.md', 'utf8');

test('docs/reference/lint.md has a section for each rule, in their order', () => {
  expect([...page.matchAll(/^### (.*)$/gm)].map((match) => match[1])).toEqual(lintRules);
});

test('the example of docs/reference/lint.md prints what stands below it', () => {
  const [, yaml = '', output = ''] =
    /```yaml\n([\s\S]*?)```\n\n```text\n\$ kadmit lint gate.yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const findings = lintText(yaml);
  expect(
    textOf({ findings, ignored: 0 }, 1, { paint: plain, width: Infinity }).replaceAll('set.yaml', 'gate.yaml'),
  ).toBe(output.trimEnd());
  const validate = new Ajv({ strict: true }).compile(
    JSON.parse(readFileSync('docs/reference/lint.schema.json', 'utf8')),
  );
  validate(lintDocument({ findings, ignored: 0 }, 1));
  expect(validate.errors).toBeNull();
});

test('the same fault of several webhooks is printed once, and each is counted', () => {
  const hook = (name: string, service: string): string =>
    `  - { name: ${name}, clientConfig: { service: { namespace: sys, name: ${service} } }, sideEffects: None, admissionReviewVersions: [v1],` +
    " rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps] }] }";
  const findings = lintText(
    [
      'apiVersion: admissionregistration.k8s.io/v1',
      'kind: ValidatingWebhookConfiguration',
      'metadata: { name: gate }',
      'webhooks:',
      hook('a.example.com', 'gone'),
      hook('b.example.com', 'gone'),
      hook('c.example.com', 'other'),
    ].join('\n'),
    true,
  ).map((one) => ({ ...one, place: { file: 'https://127.0.0.1:6443', line: 1, column: 1 } }));
  const printed = textOf({ findings, ignored: 0 }, 1, { paint: plain, width: Infinity });
  expect(printed.split('\n').filter((line) => /^https|also/.test(line))).toEqual([
    'https://127.0.0.1:6443: error no-service: webhook a.example.com calls Service sys/gone, which does not exist',
    '  also: b.example.com',
    'https://127.0.0.1:6443: error no-service: webhook c.example.com calls Service sys/other, which does not exist',
  ]);
  expect(printed).toMatch(/1 object: 3 errors$/);
});
