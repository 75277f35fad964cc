import { expect, test } from 'vitest';
import { validatePolicyBinding } from '../../../../src/apiserver/admission/validation/validate-binding.ts';
import { validateMutatingPolicy } from '../../../../src/apiserver/admission/validation/validate-mutating-policy.ts';
import { validateValidatingPolicy } from '../../../../src/apiserver/admission/validation/validate-validating-policy.ts';
import { fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import * as cel from '../../../../src/cel/index.ts';
import { currentRelease } from '../../../../src/api/release/load-release.ts';

const { applyDefaults } = currentRelease.codec;

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

// Source: recorded conversations of group vap with kube-apiserver v1.36.2; spec rules CFG-70 to CFG-77
const policies: readonly [fact: string, spec: JsonObject, errors: readonly string[]][] = [
  ['a plain one is fine', {}, []],
  ['no constraints', { matchConstraints: null }, ['spec.matchConstraints: Required value']],
  ['no rules', { matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
  [
    'neither validations nor auditAnnotations',
    { validations: [] },
    [`spec.validations: Required value: ${none}`, `spec.auditAnnotations: Required value: ${none}`],
  ],
  [
    'a result that is no bool',
    validation({ expression: '1' }),
    ['spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int'],
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
    'a variable of a bad name',
    { variables: [{ name: 'a b', expression: '1' }] },
    ['spec.variables[0].name: Invalid value: "a b": must be a valid CEL identifier'],
  ],
  [
    'an unknown reason',
    validation({ reason: 'Because' }),
    [
      'spec.validations[0].reason: Unsupported value: "Because": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
  ],
  [
    'a message of two lines',
    validation({ message: 'a\nb' }),
    ['spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks'],
  ],
  [
    'a blank messageExpression',
    validation({ messageExpression: ' ' }),
    ['spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified'],
  ],
  [
    'an annotation that is a number',
    { auditAnnotations: [{ key: 'k', valueExpression: '5' }] },
    [
      'spec.auditAnnotations[0].valueExpression: Invalid value: "5": must evaluate to one of [string null_type] but got int',
    ],
  ],
  [
    'a key twice, told at its annotation',
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
  [
    'a paramKind of a bad version',
    { paramKind: { apiVersion: 'a/b/c', kind: 'X' } },
    ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
  ],
];

test.each(policies)('a validating policy: %s', (_fact, spec, errors) => {
  expect(validateValidatingPolicy(validating(spec), cel.compileAdmission).map(fieldErrorText)).toEqual(errors);
});

const jsonPatch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

// Source: recorded conversations of group map; spec rules CFG-81, CFG-82
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
  ['no mutations', { mutations: [] }, ['spec.mutations: Required value: mutations must contain at least one item']],
  [
    'an unknown patchType',
    { mutations: [{ patchType: 'Merge' }] },
    ['spec.mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"'],
  ],
  [
    'a patch that is a text',
    { mutations: [jsonPatch('"text"')] },
    [
      'spec.mutations[0].jsonPatch.expression: Invalid value: "\\"text\\"": must evaluate to list(JSONPatch) but got string',
    ],
  ],
  [
    'both members',
    { mutations: [{ ...jsonPatch('[JSONPatch{op: "test"}]'), applyConfiguration: { expression: 'Object{}' } }] },
    [
      'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
    ],
  ],
  [
    'no member',
    { mutations: [{ patchType: 'JSONPatch' }] },
    ['spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch'],
  ],
  ['no reinvocationPolicy', { reinvocationPolicy: '' }, ['spec.reinvocationPolicy: Required value']],
  [
    'DELETE, told before variables',
    {
      matchConstraints: { resourceRules: [{ ...rule, operations: ['DELETE'] }] },
      variables: [{ name: '', expression: '1' }],
    },
    [
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      'spec.variables[0].name: Required value: name is not specified',
    ],
  ],
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
  [
    'no actions',
    { validationActions: [] },
    ['spec.validationActions: Required value: at least one validation action is required'],
  ],
  [
    'Deny and Warn',
    { validationActions: ['Deny', 'Warn'] },
    [
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
  ],
  [
    'an unknown action',
    { validationActions: ['Shout'] },
    ['spec.validationActions[0]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"'],
  ],
  [
    'a paramRef to nothing',
    { paramRef: { parameterNotFoundAction: 'Deny' } },
    ['spec.paramRef: Required value: one of name or selector must be specified'],
  ],
  [
    'a paramRef to two',
    { paramRef: { name: 'x', selector: {}, parameterNotFoundAction: 'Deny' } },
    [
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
    ],
  ],
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
    'an empty action',
    { paramRef: { name: 'x', parameterNotFoundAction: '' } },
    ['spec.paramRef.parameterNotFoundAction: Required value'],
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
