import { expect, test } from 'vitest';
import { validatePolicyBinding } from '../../../../src/apiserver/admission/validation/validate-binding.ts';
import { validateMutatingPolicy } from '../../../../src/apiserver/admission/validation/validate-mutating-policy.ts';
import { validateValidatingPolicy } from '../../../../src/apiserver/admission/validation/validate-validating-policy.ts';
import { fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import * as cel from '../../../../src/cel/index.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

const { applyDefaults } = recordedRelease.codec;

const rule: JsonObject = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };

const object = (kind: string, spec: JsonObject): KubernetesObject =>
  applyDefaults({ kind, apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'p' }, spec });

const validating = (spec: JsonObject): KubernetesObject =>
  object('ValidatingAdmissionPolicy', {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'true' }],
    ...spec,
  });

const mutating = (spec: JsonObject): KubernetesObject =>
  object('MutatingAdmissionPolicy', {
    matchConstraints: { resourceRules: [rule] },
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    ...spec,
  });

const validation = (fields: JsonObject): JsonObject => ({ validations: [{ expression: 'true', ...fields }] });
const none = 'validations or auditAnnotations must contain at least one item';

// Source: spec rules CFG-70 to CFG-77; the recorded conversations of group vap state others.
const policies: readonly [fact: string, spec: JsonObject, errors: readonly string[]][] = [
  ['a plain one is fine', {}, []],
  [
    'neither validations nor auditAnnotations',
    { validations: [] },
    [`spec.validations: Required value: ${none}`, `spec.auditAnnotations: Required value: ${none}`],
  ],
  [
    'an undeclared name',
    validation({ expression: 'thing == 1' }),
    [
      "spec.validations[0].expression: Invalid value: \"thing == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'thing' (in container '')\n | thing == 1\n | ^",
    ],
  ],
  // Only matchConditions, annotations and mutations are compiled without the white space around them.
  [
    'white space around a validation is compiled and quoted',
    validation({ expression: '\n  thing == 1  ' }),
    [
      "spec.validations[0].expression: Invalid value: \"\\n  thing == 1  \": compilation failed: ERROR: <input>:2:3: undeclared reference to 'thing' (in container '')\n |   thing == 1  \n | ..^",
    ],
  ],
  [
    'white space around a variable and a message expression',
    {
      variables: [{ name: 'a', expression: 'resource.List("v1").items    ' }],
      ...validation({ messageExpression: "'a' +\n" }),
    },
    [
      'spec.variables[0].expression: Invalid value: "resource.List(\\"v1\\").items    ": compilation failed: ERROR: <input>:1:1: undeclared reference to \'resource\' (in container \'\')\n | resource.List("v1").items    \n | ^\nERROR: <input>:1:14: undeclared reference to \'List\' (in container \'\')\n | resource.List("v1").items    \n | .............^',
      "spec.validations[0].messageExpression: Invalid value: \"'a' +\\n\": compilation failed: ERROR: <input>:2:1: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | \n | ^",
    ],
  ],
  [
    'white space around an annotation is quoted and not compiled',
    { auditAnnotations: [{ key: 'a', valueExpression: '\n thing ' }] },
    [
      "spec.auditAnnotations[0].valueExpression: Invalid value: \"\\n thing \": compilation failed: ERROR: <input>:1:1: undeclared reference to 'thing' (in container '')\n | thing\n | ^",
    ],
  ],
  [
    'params without paramKind',
    validation({ expression: 'params == null' }),
    [
      "spec.validations[0].expression: Invalid value: \"params == null\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^",
    ],
  ],
  [
    'params with paramKind',
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...validation({ expression: 'params == null' }) },
    [],
  ],
  [
    'a variable used',
    { variables: [{ name: 'a', expression: '1' }], ...validation({ expression: 'variables.a == 1' }) },
    [],
  ],
  [
    'a blank messageExpression',
    validation({ messageExpression: ' ' }),
    ['spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified'],
  ],
  [
    'a duplicate key, reported at its annotation',
    {
      auditAnnotations: [
        { key: 'k', valueExpression: '"x"' },
        { key: 'k', valueExpression: '"x"' },
        { key: 'l', valueExpression: '5' },
      ],
    },
    [
      'spec.auditAnnotations[1].key: Duplicate value: "k"',
      'spec.auditAnnotations[2].valueExpression: Invalid value: "5": must evaluate to one of [string null_type] but got int',
    ],
  ],
  [
    'an annotation without a key',
    { auditAnnotations: [{ key: '', valueExpression: '"x"' }] },
    [
      'spec.auditAnnotations[0].key: Invalid value: "p/": name part must be non-empty',
      `spec.auditAnnotations[0].key: Invalid value: "p/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  ],
];

test.each(policies)('a validating policy: %s', (_fact, spec, errors) => {
  expect(validateValidatingPolicy(validating(spec), cel.compileAdmission).map(fieldErrorText)).toEqual(errors);
});

const jsonPatch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

// Source: spec rules CFG-81, CFG-82; the recorded conversations of group map state others.
const mutatingPolicies: readonly [fact: string, spec: JsonObject, errors: readonly string[]][] = [
  ['a plain one is fine', {}, []],
  [
    'variables are known to mutations where there are none',
    { mutations: [jsonPatch('variables.a')] },
    [
      'spec.mutations[0].jsonPatch.expression: Invalid value: "variables.a": compilation failed: ERROR: <input>:1:10: undefined field \'a\'\n | variables.a\n | .........^',
    ],
  ],
  [
    'white space around a mutation is neither compiled nor quoted',
    { mutations: [jsonPatch('\n[variables.a\n]\n')] },
    [
      'spec.mutations[0].jsonPatch.expression: Invalid value: "[variables.a\\n]": compilation failed: ERROR: <input>:1:11: undefined field \'a\'\n | [variables.a\n | ..........^',
    ],
  ],
  ['no reinvocationPolicy', { reinvocationPolicy: '' }, ['spec.reinvocationPolicy: Required value']],
];

test.each(mutatingPolicies)('a mutating policy: %s', (_fact, spec, errors) => {
  expect(validateMutatingPolicy(mutating(spec), cel.compileAdmission).map(fieldErrorText)).toEqual(errors);
});

const binding = (spec: JsonObject): KubernetesObject =>
  object('ValidatingAdmissionPolicyBinding', { policyName: 'p', validationActions: ['Deny'], ...spec });

// Source: recorded conversation vap-binding-validation; spec rules CFG-78 to CFG-80
const bindings: readonly [fact: string, spec: JsonObject, errors: readonly string[]][] = [
  ['a plain one is fine', {}, []],
  ['no policy', { policyName: '' }, ['spec.policyName: Required value']],
  // Source: kubernetes pkg/apis/admissionregistration/validation/validation.go validateParamRef, tried on v1.36.2
  [
    'a paramRef to two, of which one selects by a key alone',
    { paramRef: { name: 'x', selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
    [
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
      "spec.paramRef.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.parameterNotFoundAction: Required value',
    ],
  ],
  [
    'an action that JSON escapes',
    { paramRef: { name: 'x', parameterNotFoundAction: 'a\u0000' } },
    ['spec.paramRef.parameterNotFoundAction: Unsupported value: "a\\u0000": supported values: "Deny", "Allow"'],
  ],
];

test.each(bindings)('a binding: %s', (_fact, spec, errors) => {
  expect(validatePolicyBinding(binding(spec)).map(fieldErrorText)).toEqual(errors);
});
