import { certificateChecks } from '../../../src/analysis/lint/rules/certificates.ts';
import { expect, test } from 'vitest';
import { asKubernetesObject } from '../../../src/machinery/meta/object.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { lint } from '../../../src/analysis/lint/lint.ts';
import { createServedObject } from '../../../src/analysis/lint/model/lint-object.ts';
import { lintJson, lintTime } from '../../harness/lint-text.ts';
import { definitionOf, schemaOf } from '../../harness/custom-definition.ts';

const registration = 'admissionregistration.k8s.io/v1';
const policy = (change: JsonObject): JsonObject => ({
  apiVersion: registration,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'probes' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
    },
    validations: [{ expression: 'true' }],
    ...change,
  },
});
const binding = (validationActions: readonly string[]): JsonObject => ({
  apiVersion: registration,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'probes' },
  spec: { policyName: 'probes', validationActions },
});
const definition = (schema: JsonObject): JsonObject => definitionOf('things.example.com', 'Thing', schemaOf(schema));
const sizes: JsonObject = {
  type: 'object',
  properties: { size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1' }] } },
};
const pod = (change: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'app', image: 'nginx', ...change }] },
});

/** What kube-apiserver v1.36.2 says of each field. */
const rows: readonly [fact: string, objects: readonly JsonObject[], refusals: readonly (readonly string[])[]][] = [
  [
    'expressions and names of a policy',
    [
      policy({
        matchConditions: [{ name: 'first name', expression: 'nope > 1' }],
        variables: [{ name: 'a', expression: 'objekt.spec' }],
        validations: [{ expression: 'object,spec.replicas > 1' }, { expression: 'variables.b > 1' }],
      }),
      binding(['Deny']),
    ],
    [
      [
        'spec.matchConditions[0].expression',
        "spec.matchConditions[0].expression: Invalid value: \"nope > 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope > 1\n | ^",
      ],
      [
        'spec.matchConditions[0].name',
        "spec.matchConditions[0].name: Invalid value: \"first name\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        'spec.variables[0].expression',
        "spec.variables[0].expression: Invalid value: \"objekt.spec\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')\n | objekt.spec\n | ^",
      ],
      [
        'spec.validations[0].expression',
        'spec.validations[0].expression: Invalid value: "object,spec.replicas > 1": compilation failed: ERROR: <input>:1:7: Syntax error: mismatched input \',\' expecting <EOF>\n | object,spec.replicas > 1\n | ......^',
      ],
      [
        'spec.validations[1].expression',
        'spec.validations[1].expression: Invalid value: "variables.b > 1": compilation failed: ERROR: <input>:1:10: undefined field \'b\'\n | variables.b > 1\n | .........^',
      ],
    ],
  ],
  [
    'the actions of a binding',
    [policy({}), binding(['Deny', 'Warn'])],
    [
      [
        'spec.validationActions',
        'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
  ],
  [
    'a field that does not exist',
    [pod({ imagee: 'x' })],
    [['spec.containers[0].imagee', 'unknown field "spec.containers[0].imagee"']],
  ],
  [
    'a value of another type',
    [{ ...pod({}), spec: { containers: 'app' } }],
    [['', 'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container']],
  ],
  [
    'a definition that is not structural, whose objects are then of an unknown kind',
    [definition({}), { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, size: 'x' }],
    [
      [
        'spec.validation.openAPIV3Schema.type',
        'spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
      ],
    ],
  ],
  [
    'custom resources, by the definition beside them',
    [
      definition(sizes),
      { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'good' }, size: 2 },
      { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'small' }, size: 1 },
    ],
    [['size', 'size: Invalid value: 1: failed rule: self > 1']],
  ],
  [
    'nothing, of an object that was read from a server',
    [pod({}, { uid: 'a', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z', managedFields: [] })],
    [],
  ],
  ['nothing, of an object whose definition is elsewhere', [{ apiVersion: 'other.io/v1', kind: 'A', metadata: {} }], []],
  ['nothing, of generateName', [pod({}, { name: undefined, generateName: 'p-' })], []],
];

test.each(rows)('lint reports what the API server refuses: %s', (_fact, objects, refusals) => {
  const found = lintJson(objects).filter(({ rule }) => rule === 'refused');
  expect(found.map(({ field, title }) => [field, title])).toEqual(refusals);
  expect(found.every(({ severity }) => severity === 'error')).toBe(true);
});

test('an object of a server is not validated again, and a field that is refused has no second finding', () => {
  const object = asKubernetesObject({
    apiVersion: registration,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'gate' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://a.example.com/' },
        sideEffects: 'Unknown',
        admissionReviewVersions: ['v1'],
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
      },
    ],
  });
  if (object === undefined) throw new Error('no object');
  const ofServer = lint([createServedObject(object, 'https://127.0.0.1:6443')], {
    certificates: certificateChecks,
    isWhole: true,
    now: lintTime,
    ignores: () => false,
  });
  expect(ofServer.findings.map(({ rule }) => rule)).toEqual(['dead-selector']);
  expect(lintJson([object]).map(({ rule, field }) => [rule, field])).toEqual([
    ['refused', 'webhooks[0].sideEffects'],
    ['refused', 'webhooks[0].objectSelector.matchExpressions[0].operator'],
  ]);
});
