import { expect, test } from 'vitest';
import { approvalCondition } from '../../src/apiserver/custom-resources/accept-names.ts';
import { causePath } from '../../src/explain/findings/list-items.ts';
import { compileCondition, compileRegex, evaluate } from '../../src/cel/index.ts';
import { findFormat } from '../../src/api/crd/formats/known-formats.ts';
import { parseJsonPath } from '../../src/api/crd/json-path/parse.ts';
import { readMapping } from '../../src/adapters/config/mapping.ts';
import { targetOfUrl } from '../../src/apiserver/admission/webhooks/call.ts';
import { validateIscsiVolumeSource } from '../../src/api/validation/core/volume-sources.ts';
import { validateObjectFieldSelector } from '../../src/api/validation/core/container-env.ts';

// One repeated character and a wrong end: an expression that tries each start, or each division of the text, takes minutes.

const many = 100_000;
const times = (text: string, count = many): string => text.repeat(count);

const isOf = (format: string, text: string): unknown => findFormat(format)?.(text);

function doubleOf(text: string): unknown {
  const compilation = compileCondition('double(object.text) > 0.0', { stored: true });
  if (compilation.outcome === 'failed') return compilation.error;
  const evaluation = evaluate(compilation.compiled, () => ({ text }), { costLimit: 1_000_000 });
  return evaluation.outcome === 'value' ? evaluation.value : evaluation.error;
}

const notSupported = 'error converting fieldPath: field label not supported: ';

const fieldPath = (text: string): readonly string[] =>
  validateObjectFieldSelector({ apiVersion: 'v1', fieldPath: text }, ['metadata.name'], 'ref').map(({ detail }) =>
    detail.slice(0, notSupported.length),
  );

const iqn = (text: string): readonly string[] =>
  validateIscsiVolumeSource({ targetPortal: 'a', iqn: text, lun: 0 }, 'iscsi').map(({ detail }) => detail);

const texts: readonly [rule: string, answer: () => unknown, expected: unknown][] = [
  ['email: a long word and a comment', () => isOf('email', `${times('a')}( <a@b.c>`), false],
  ['email: a long word and a comma', () => isOf('email', `${times('a')}, <a@b.c>`), false],
  ['email: a long word and a colon', () => isOf('email', `${times('a')}: <a@b.c>`), false],
  ['email: many words', () => isOf('email', `${times('a ')}<a@b.c`), false],
  ['email: many quotes', () => isOf('email', `${times('"a" ')}<a@b.c`), false],
  ['email: blanks', () => isOf('email', `${times(' ')}>`), false],
  ['email: dots', () => isOf('email', `a${times('.a')}@b.`), false],
  ['email: a group of many', () => isOf('email', `a:${times('<a@b>,')}`), false],
  ['email: comments in comments', () => isOf('email', `a@b ${times('(')}`), false],
  ['email: a long address', () => isOf('email', `${times('a')}@${times('b.')}c`), true],
  ['duration: digits', () => isOf('duration', times('0')), false],
  ['duration: digits and blanks', () => isOf('duration', `${times('1 ')}!`), false],
  ['duration: too many digits', () => isOf('duration', `${times('9')} days`), false],
  ['hostname: labels', () => isOf('hostname', `${times('a.', 127)}-`), false],
  ['double(): digits', () => doubleOf(`${times('0')}!`), "type conversion error from 'string' to 'double'"],
  ['double(): digits and a dot', () => doubleOf(`${times('1', 300)}.${times('0')}`), true],
  ['fieldPath: brackets', () => fieldPath(times("['")), [notSupported]],
  ['fieldPath: brackets and an end', () => fieldPath(`${times("['")}']`), [notSupported]],
  ['iqn: starts', () => iqn(times('iqn.0000-00.q')), ['must be valid format']],
  ['iqn: a good end', () => iqn(`${times('iqn.0000-00.q')}:a`), []],
  ['pattern of a definition', () => compileRegex(`^${times('[a-zA-Z0-9]+\\.', 10)}$`), expect.anything()],
  ['JSONPath: an operator', () => parseJsonPath(`{[?(@.a${times('!')}\n)]}`), undefined],
  ['approval', () => approvalCondition(definition(`a://:${times('+')}\t`))?.reason, 'InvalidAnnotation'],
  ['a cause: brackets', () => causePath(times('['), undefined).length, 1],
  ['a URL: many users', () => targetOfUrl(`https://${times('@')}[:]`)?.host, ':'],
  ['a mapping: many addresses', () => readMapping(`=${times('=http://')}`).outcome, 'wrong'],
];

const definition = (approval: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'a.b.k8s.io', annotations: { 'api-approved.kubernetes.io': approval } },
  spec: { group: 'b.k8s.io' },
});

test.each(texts)('%s', (_rule, answer, expected) => {
  expect(answer()).toEqual(expected);
});
