import { expect, test } from 'vitest';
import { validateResourceQuota } from '../../../src/api/validation/core/quota.ts';

const scopesOf = (count: number): string[] => Array.from({ length: count }, (_none, at) => `Scope${at}`);
const quotaOf = (scopes: string[], hard: Readonly<Record<string, string>> = {}) =>
  validateResourceQuota({ apiVersion: 'v1', kind: 'ResourceQuota', spec: { scopes, hard } });

// Source: kubernetes pkg/apis/core/validation validateResourceQuotaScopes, where each complaint prints all scopes. The bound is ours.
test.each([
  [2, 2],
  [20_000, 34],
])('of %i scopes that are none %i are told: each prints all of them', (count, told) => {
  const complaints = quotaOf(scopesOf(count));
  expect(complaints).toHaveLength(told);
  expect(complaints[0]).toMatchObject({ field: 'spec.scopes', detail: 'unsupported scope' });
});

test('a scope that says nothing of a resource is told for each of these', () => {
  const complaints = quotaOf(['BestEffort', 'Unknown'], { cpu: '1', memory: '1', pods: '1' });
  expect(complaints.map(({ detail }) => detail)).toEqual([
    'unsupported scope applied to resource',
    'unsupported scope applied to resource',
    'unsupported scope',
  ]);
});
