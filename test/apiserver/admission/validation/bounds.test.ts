import { expect, test } from 'vitest';
import { validateMatchConditions } from '../../../../src/apiserver/admission/validation/validate-match-conditions.ts';
import { validateRule } from '../../../../src/apiserver/admission/validation/validate-match-rules.ts';
import { validateValidatingPolicy } from '../../../../src/apiserver/admission/validation/validate-validating-policy.ts';
import { defaultClass } from '../../../../src/apiserver/admission/plugins/default-class.ts';
import { type FieldError, fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { withMetadata } from '../../../../src/machinery/meta/object.ts';
import { object } from '../../../harness/builtin-plugin.ts';

const texts = (errors: readonly FieldError[]): readonly string[] => errors.map(fieldErrorText);

const conditions = (...names: readonly string[]): readonly JsonObject[] =>
  names.map((name) => ({ name, expression: 'true' }));
const numbered = (count: number): readonly JsonObject[] =>
  conditions(...Array.from({ length: count }, (_none, at) => `c${at}`));

// Source: kubernetes pkg/apis/admissionregistration/validation/validation_test.go
test.each<[fact: string, conditions: readonly JsonObject[], errors: readonly string[]]>([
  ['none', [], []],
  ['64', numbered(64), []],
  ['65', numbered(65), ['p: Too many: 65: must have at most 64 items']],
  ['two of a name', conditions('a', 'b', 'a'), ['p[2].name: Duplicate value: "a"']],
  [
    'three of a name',
    conditions('a', 'a', 'a'),
    ['p[1].name: Duplicate value: "a"', 'p[2].name: Duplicate value: "a"'],
  ],
  ['no expression', [{ name: 'a', expression: ' ' }], ['p[0].expression: Required value']],
])('conditions: %s', (_fact, all, errors) => {
  expect(texts(validateMatchConditions(all, 'p', () => undefined, new Set()))).toEqual(errors);
});

test.each<[expression: string, stored: boolean]>([
  ['a', true],
  [' a ', true],
  ['b', false],
])('whether %j was stored before is known to who compiles it: %s', (expression, stored) => {
  const asked: unknown[] = [];
  validateMatchConditions(
    [{ name: 'x', expression }],
    'p',
    (text, how) => {
      asked.push([text, how.stored]);
      return undefined;
    },
    new Set(['a']),
  );
  expect(asked).toEqual([[expression.trim(), stored]]);
});

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const alone = "if '*' is present, must not specify other";
const list = (...all: readonly string[]): string => JSON.stringify(all);

// Source: the same, rules CFG-23 to CFG-28.
test.each<[change: JsonObject, errors: readonly string[]]>([
  [{}, []],
  [{ operations: [] }, ['r.operations: Required value']],
  [{ operations: ['*'] }, []],
  [{ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] }, []],
  [{ operations: ['*', 'CREATE'] }, [`r.operations: Invalid value: ${list('*', 'CREATE')}: ${alone} operations`]],
  [{ apiGroups: [] }, ['r.apiGroups: Required value']],
  [{ apiGroups: ['*'] }, []],
  [{ apiGroups: ['a', '*'] }, [`r.apiGroups: Invalid value: ${list('a', '*')}: ${alone} API groups`]],
  [{ apiGroups: ['a', ''] }, []],
  [{ apiVersions: [''] }, ['r.apiVersions[0]: Required value']],
  [{ apiVersions: ['v1', ''] }, ['r.apiVersions[1]: Required value']],
  [{ resources: [] }, ['r.resources: Required value']],
  [{ resources: ['pods', ''] }, ['r.resources[1]: Required value']],
  [{ resources: ['pods', 'pods/*'] }, []],
  [{ resources: ['*/*'] }, []],
  [
    { resources: ['*/*', 'a'] },
    [`r.resources: Invalid value: ${list('*/*', 'a')}: if '*/*' is present, must not specify other resources`],
  ],
  [{ resources: ['*', 'pods/status'] }, []],
  [{ resources: ['pods', '*'] }, []],
  [
    { resources: ['*', 'pods'] },
    [`r.resources: Invalid value: ${list('*', 'pods')}: ${alone} resources without subresources`],
  ],
  [
    { resources: ['pods/*', 'pods/log'] },
    ['r.resources[1]: Invalid value: "pods/log": if \'pods/*\' is present, must not specify pods/log'],
  ],
  [
    { resources: ['*/log', 'pods/log'] },
    ['r.resources[1]: Invalid value: "pods/log": if \'*/log\' is present, must not specify pods/log'],
  ],
  [
    { resources: ['*/log', '/log'] },
    ['r.resources[1]: Invalid value: "/log": if \'*/log\' is present, must not specify /log'],
  ],
  [{ resources: ['pods/log', 'pods/*'] }, []],
  [{ resources: ['pods/*', 'nodes/log'] }, []],
  [{ scope: 'Cluster' }, []],
  [
    { scope: 'Everywhere' },
    ['r.scope: Unsupported value: "Everywhere": supported values: "*", "Cluster", "Namespaced"'],
  ],
])('a rule with %j', (change, errors) => {
  expect(texts(validateRule({ ...rule, scope: '*', ...change }, 'r'))).toEqual(errors);
});

const annotated = (...all: readonly JsonObject[]) => ({
  ...object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'p'),
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Exact',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule, scope: '*' }],
    },
    auditAnnotations: all,
  },
});
/** Of annotations alone, but for what only a compiler knows. */
const annotationErrors = (...all: readonly JsonObject[]): readonly string[] =>
  texts(validateValidatingPolicy(annotated(...all))).filter(
    (text) => text.startsWith('spec.auditAnnotations') && !text.includes('CEL is not available'),
  );
const keys = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_none, at) => ({ key: `k${at}`, valueExpression: '"a"' }));
const tooLong = 'spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length';

// Source: the same, rule CFG-77.
test.each<[length: number, errors: readonly string[]]>([
  [5120, []],
  [5121, [tooLong]],
])('an annotation whose expression has %i characters', (length, errors) => {
  const valueExpression = `"${'x'.repeat(length - 2)}"`;
  expect(annotationErrors({ key: 'k', valueExpression })).toEqual(errors);
  expect(annotationErrors({ key: 'k', valueExpression: ` ${valueExpression} ` })).toEqual(errors);
});

test('20 annotations are enough, each with a key of its own', () => {
  expect(annotationErrors(...keys(20))).toEqual([]);
  expect(annotationErrors(...keys(21)).map((text) => text.replace(/: \[.*\]: /, ' '))).toEqual([
    'spec.auditAnnotations: Invalid value must not have more than 20 auditAnnotations',
  ]);
  const [one, other] = keys(2);
  expect(one && other && annotationErrors(one, other, one)).toEqual([
    'spec.auditAnnotations[2].key: Duplicate value: "k0"',
  ]);
  expect(annotationErrors({ key: 'k', valueExpression: ' ' })).toEqual([
    'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
  ]);
});

const marked = (name: string, second: number, annotations: Readonly<Record<string, string>> = { x: 'true' }) =>
  withMetadata(object('storage.k8s.io/v1', 'StorageClass', name), {
    annotations,
    creationTimestamp: `2026-01-01T00:00:0${second}Z`,
  });

// Source: kubernetes pkg/volume/util/storageclass_test.go
test.each<[classes: readonly ReturnType<typeof marked>[], name: string | undefined]>([
  [[], undefined],
  [[marked('a', 1, {})], undefined],
  [[marked('a', 1, { x: 'false' })], undefined],
  [[marked('a', 1, { y: 'true' })], 'a'],
  [[marked('a', 1, { x: 'false', y: 'true' })], 'a'],
  [[marked('a', 1), marked('b', 2)], 'b'],
  [[marked('b', 2), marked('a', 1), marked('c', 3, {})], 'b'],
  [[marked('b', 1), marked('a', 1)], 'a'],
  [[marked('c', 1), marked('b', 1), marked('d', 1)], 'b'],
])('of %# the default class', (classes, name) => {
  expect(defaultClass(classes, ['x', 'y'])?.metadata?.name).toBe(name);
});
