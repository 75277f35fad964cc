import { expect, test } from 'vitest';
import type { CompileCondition } from '../../../../src/apiserver/admission/validation/validate-match-conditions.ts';
import {
  compileMatchConditions,
  validateWebhookConfiguration,
  validateWebhookConfigurationUpdate,
  configurationWarnings,
  reservedNameErrors,
} from '../../../../src/apiserver/admission/validation/validate-webhook-configuration.ts';
import { fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { webhookConfiguration } from '../../../harness/admission.ts';

const configuration = (...webhooks: readonly JsonObject[]): KubernetesObject =>
  webhookConfiguration(
    'MutatingWebhookConfiguration',
    'c',
    webhooks.map((webhook) => ({ name: 'a.b.c', ...webhook })),
  );

const compile: CompileCondition = (expression) =>
  expression === 'bad'
    ? { error: 'must evaluate to bool but got int' }
    : expression === "int('x')"
      ? { error: 'program instantiation failed: x', isInternal: true }
      : undefined;

const rules = (fields: JsonObject): JsonObject => ({
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], ...fields }],
});
const url = (text: string): JsonObject => ({ clientConfig: { url: text } });
const service = (fields: JsonObject): JsonObject => ({
  clientConfig: { service: { name: 's', namespace: 'n', ...fields } },
});
const conditions = (...matchConditions: readonly JsonObject[]): JsonObject => ({ matchConditions });

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const form = 'desired format: https://host[/path]';

// Source: spec rules CFG-21 to CFG-43; the recorded conversations of group config state others.
const facts: readonly [fact: string, webhook: JsonObject, errors: readonly string[]][] = [
  ['a plain one is fine', {}, []],
  ['no rules are fine', { rules: [] }, []],
  ['an empty name', { name: '' }, ['name: Required value']],
  [
    '* beside operations',
    rules({ operations: ['*', 'CREATE'] }),
    [`rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`],
  ],
  [
    'an operation in lower case',
    rules({ operations: ['create'] }),
    [
      'rules[0].operations[0]: Unsupported value: "create": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    ],
  ],
  [
    '* beside groups',
    rules({ apiGroups: ['', '*'] }),
    [`rules[0].apiGroups: Invalid value: ["","*"]: if '*' is present, must not specify other API groups`],
  ],
  ['a subresource before R/*', rules({ resources: ['pods/status', 'pods/*'] }), []],
  [
    '* before a plain resource',
    rules({ resources: ['*', 'pods'] }),
    [
      `rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
    ],
  ],
  ['* after a plain resource passes', rules({ resources: ['pods', '*'] }), []],
  [
    'an unknown scope',
    rules({ scope: 'Any' }),
    ['rules[0].scope: Unsupported value: "Any": supported values: "*", "Cluster", "Namespaced"'],
  ],
  [
    'sideEffects Unknown',
    { sideEffects: 'Unknown' },
    ['sideEffects: Unsupported value: "Unknown": supported values: "None", "NoneOnDryRun"'],
  ],
  [
    'http without a host',
    url('http:///x'),
    [
      `clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; ${form}`,
      `clientConfig.url: Invalid value: "": host must be specified; ${form}`,
    ],
  ],
  [
    'port 0',
    service({ port: 0 }),
    ['clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive'],
  ],
  [
    'a path of two slashes',
    service({ path: '//' }),
    ['clientConfig.service.path: Invalid value: "//": segment[0] may not be empty'],
  ],
  [
    'a path in upper case',
    service({ path: '/a/B/' }),
    [`clientConfig.service.path: Invalid value: "/a/B/": segment[1]: ${subdomain}`],
  ],
  [
    'a path without a slash',
    service({ path: 'ab' }),
    [`clientConfig.service.path: Invalid value: "ab": must start with a '/'`],
  ],
  [
    'a condition that does not compile',
    conditions({ expression: ' bad ', name: 'a' }),
    ['matchConditions[0].expression: Invalid value: "bad": must evaluate to bool but got int'],
  ],
  // kube-apiserver v1.36.2, of a matchCondition int('x') == 1: no fault of the value.
  [
    'a condition of which no program can be made',
    conditions({ expression: "int('x')", name: 'a' }),
    ['matchConditions[0].expression: Internal error: program instantiation failed: x'],
  ],
];

test.each(facts)('%s', (_fact, webhook, errors) => {
  const found = validateWebhookConfiguration(configuration(webhook), compile).map(fieldErrorText);
  expect(found).toEqual(errors.map((error) => `webhooks[0].${error}`));
});

test('without CEL a condition is refused', () => {
  const errors = validateWebhookConfiguration(configuration(conditions({ expression: 'true', name: 'a' })));
  expect(errors.map(fieldErrorText)).toEqual([
    'webhooks[0].matchConditions[0].expression: Invalid value: "true": compilation failed: CEL is not available',
  ]);
});

test('a repeated webhook name is found at the second', () => {
  const errors = validateWebhookConfiguration(configuration({}, {}), compile);
  expect(errors.map(fieldErrorText)).toEqual(['webhooks[1].name: Duplicate value: "a.b.c"']);
});

const badSelector = { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['!'] }] } };

// Source: spec rules CFG-50 to CFG-55
const leniency: readonly [
  fact: string,
  old: readonly JsonObject[],
  now: readonly JsonObject[],
  errors: readonly string[],
][] = [
  [
    'unchanged conditions are not compiled again',
    [conditions({ expression: 'bad', name: 'a' })],
    [conditions({ expression: 'bad', name: 'a' })],
    [],
  ],
  [
    'changed ones are',
    [conditions({ expression: 'bad', name: 'a' })],
    [conditions({ expression: 'bad', name: 'b' })],
    ['webhooks[0].matchConditions[0].expression: Invalid value: "bad": must evaluate to bool but got int'],
  ],
  ['old side effects may stay', [{ sideEffects: 'Some' }], [{ sideEffects: 'Unknown' }], []],
  [
    'and then all four are listed',
    [{ sideEffects: 'Some' }],
    [{ sideEffects: 'Odd' }],
    ['webhooks[0].sideEffects: Unsupported value: "Odd": supported values: "None", "NoneOnDryRun", "Some", "Unknown"'],
  ],
  [
    'side effects may not come in',
    [{}],
    [{ sideEffects: 'Some' }],
    ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
  ],
  [
    'unknown review versions may stay',
    [{ admissionReviewVersions: ['v9'] }],
    [{ admissionReviewVersions: ['v8'] }],
    [],
  ],
  ['repeated names may stay', [{}, {}], [{}, {}], []],
  ['a bad selector value may stay', [badSelector], [badSelector], []],
];

test.each(leniency)('an update: %s', (_fact, old, now, errors) => {
  const found = validateWebhookConfigurationUpdate(configuration(...now), configuration(...old), compile);
  expect(found.map(fieldErrorText)).toEqual(errors);
});

// Ours: a request yields between two expressions, and the engine keeps what it compiled for the validation that follows.
test('conditions are compiled one by one, those of the old object as stored ones, and unchanged ones not at all', async () => {
  const [old, now] = [
    configuration(conditions({ expression: 'old', name: 'a' })),
    configuration(conditions({ expression: 'old', name: 'a' }, { expression: ' new ', name: 'b' })),
  ];
  const acts: string[] = [];
  const compileNow: CompileCondition = (expression, { stored }) => {
    acts.push(`${expression} ${stored}`);
    return undefined;
  };
  const yields = async (): Promise<void> => void acts.push('yield');
  await compileMatchConditions(now, undefined, compileNow, yields);
  await compileMatchConditions(now, old, compileNow, yields);
  await compileMatchConditions(now, now, compileNow, yields);
  expect(acts).toEqual(['old false', 'yield', 'new false', 'yield', 'old true', 'yield', 'new false', 'yield']);
});

// Source: kubernetes v1.36.2 pkg/apis/admissionregistration/validation/static_suffix.go (rules CFG-65, CFG-66)
test('a name that belongs to files is warned about, and refused where files are read', () => {
  const named = webhookConfiguration('MutatingWebhookConfiguration', 'x.static.k8s.io', []);
  expect(configurationWarnings(named)).toEqual([
    'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
  ]);
  expect(reservedNameErrors(named).map(fieldErrorText)).toEqual([
    'metadata.name: Invalid value: "x.static.k8s.io": names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
  ]);
  expect(reservedNameErrors(configuration())).toEqual([]);
  expect(configurationWarnings(configuration())).toEqual([]);
});
