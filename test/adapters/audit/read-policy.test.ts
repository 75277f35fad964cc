import { expect, test } from 'vitest';
import type { JsonDocument } from '../../../src/machinery/json/json.ts';
import { readPolicy } from '../../../src/adapters/audit/policy.ts';

const policyOf = (rules: JsonDocument, more: Readonly<Record<string, JsonDocument>> = {}): JsonDocument => ({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules,
  ...more,
});

// Source: apiserver pkg/audit/policy/reader.go and pkg/apis/audit/validation/validation.go.
const wrong: readonly [document: JsonDocument, error: string][] = [
  [policyOf([]), 'loaded illegal policy with 0 rules'],
  [policyOf([{}]), 'rules[0].level: Required value'],
  [
    policyOf([{ level: 'All' }]),
    'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  [
    policyOf([{ level: 'None', nonResourceURLs: ['healthz'] }]),
    `rules[0].nonResourceURLs[0]: Invalid value: "healthz": non-resource URL rules must begin with a '/' character`,
  ],
  [
    policyOf([{ level: 'None', nonResourceURLs: ['/a*b'] }]),
    `rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule`,
  ],
  [
    policyOf([{ level: 'None' }, { level: 'None', nonResourceURLs: ['/a'], namespaces: ['b'] }]),
    'rules[1].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    policyOf([{ level: 'None', resources: [{ group: 'a/v1' }] }]),
    `rules[0].resources.group: Invalid value: "a/v1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    policyOf([{ level: 'None', resources: [{ resourceNames: ['a'] }] }]),
    'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
  ],
  [
    policyOf([{ level: 'None', omitStages: ['Never'] }]),
    'rules[0].omitStages[0]: Invalid value: "Never": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
  [policyOf([{}, { level: 'x' }].slice(0, 1)), 'rules[0].level: Required value'],
  [
    policyOf('x'),
    'failed decoding: json: cannot unmarshal string into Go struct field Policy.rules of type []v1.PolicyRule',
  ],
  [
    policyOf([{ level: 1 }]),
    'failed decoding: json: cannot unmarshal number into Go struct field PolicyRule.rules.level of type v1.Level',
  ],
  [
    { apiVersion: 'audit.k8s.io/v2', kind: 'Policy' },
    'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v2" in scheme "k8s.io/apiserver/pkg/audit/scheme.go:30"',
  ],
  [{ rules: [] }, `failed decoding: Object 'Kind' is missing in '{"rules":[]}'`],
];

test.each(wrong)('%j is refused', (document, error) => {
  expect(readPolicy(document)).toEqual({ outcome: 'unreadable', error });
});

test('several problems are one text', () => {
  const reading = readPolicy(policyOf([{}, { level: 'None', omitStages: ['x'] }]));
  expect(reading).toMatchObject({ error: expect.stringMatching(/^\[rules\[0\]\.level: Required value, rules\[1\]/) });
});

test('a policy is read completely; unknown fields are reported, not refused', () => {
  const rule = {
    level: 'Request',
    users: ['a'],
    resources: [{ group: 'apps', resources: ['*'], kinds: [] }],
    colour: 1,
  };
  const reading = readPolicy(policyOf([rule], { omitStages: ['RequestReceived'], omitManagedFields: true }));
  expect(reading).toEqual({
    outcome: 'read',
    strict: 'strict decoding error: unknown field "rules[0].colour", unknown field "rules[0].resources[0].kinds"',
    policy: {
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        {
          level: 'Request',
          users: ['a'],
          userGroups: [],
          verbs: [],
          resources: [{ group: 'apps', resources: ['*'], resourceNames: [] }],
          namespaces: [],
          nonResourceURLs: [],
          omitStages: [],
          omitManagedFields: undefined,
        },
      ],
    },
  });
});
