import { expect, test } from 'vitest';
import { loadRelease } from '../../../src/api/release/load-release.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';

const resource = { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' };

async function warnings(release: string, ...rules: readonly JsonObject[]): Promise<readonly string[]> {
  const { warningsOnCreate, warningsOnUpdate } = (await loadRelease(release)).strategyFor(resource);
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'x' },
    webhooks: [{ name: 'a.example.com' }, { name: 'b.example.com', rules }],
  };
  expect(warningsOnUpdate(object, object, '')).toEqual(warningsOnCreate(object));
  return warningsOnCreate(object);
}

const rule = (apiGroups: readonly string[], resources: readonly string[]): JsonObject => ({
  apiGroups,
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources,
});
const about = (name: string, index = 0): string =>
  `webhooks[1].rules[${index}]: ${name} is excluded from admission webhooks; this rule will have no effect`;

// Source: kubernetes v1.37.2 pkg/apis/admissionregistration/validation/warnings_test.go.
test.each<readonly [fact: string, rule: JsonObject, named: readonly string[]]>([
  ['one review', rule(['authentication.k8s.io'], ['tokenreviews']), ['tokenreviews.authentication.k8s.io']],
  [
    'two reviews and something else',
    rule(['', 'authorization.k8s.io'], ['pods', 'subjectaccessreviews', 'selfsubjectrulesreviews']),
    ['subjectaccessreviews.authorization.k8s.io', 'selfsubjectrulesreviews.authorization.k8s.io'],
  ],
  [
    'a review named twice',
    rule(['authentication.k8s.io'], Array(2).fill('tokenreviews')),
    ['tokenreviews.authentication.k8s.io'],
  ],
  ['a review of another group', rule(['authorization.k8s.io'], ['tokenreviews']), []],
  ['every resource', rule(['authentication.k8s.io'], ['*', 'tokenreviews']), []],
  ['every group', rule(['*'], ['tokenreviews']), []],
  ['a subresource', rule(['authentication.k8s.io'], ['tokenreviews/status']), []],
  ['tokens', rule([''], ['serviceaccounts/token']), []],
])('%s in a rule', async (_fact, one, named) => {
  expect(await warnings('1.37', one)).toEqual(named.map((name) => about(name)));
  expect(await warnings('1.36', one)).toEqual([]);
});

test('the warning names the rule', async () => {
  const reviews = rule(['authentication.k8s.io'], ['selfsubjectreviews']);
  expect(await warnings('1.37', rule([''], ['pods']), reviews)).toEqual([
    about('selfsubjectreviews.authentication.k8s.io', 1),
  ]);
});
