import { expect, test } from 'vitest';
import type { GroupVersionKind } from '../../../../src/machinery/meta/gvk.ts';
import type { PolicyMatch } from '../../../../src/apiserver/admission/policies/select.ts';
import { policyNamespace } from '../../../../src/apiserver/admission/policies/validate-with-policies.ts';

const stored = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'ns' } };
const [pod, own] = [
  { group: '', version: 'v1', kind: 'Pod' },
  { group: '', version: 'v1', kind: 'Namespace' },
];

// Source: apiserver pkg/admission/plugin/policy/validating/dispatcher.go: `attr.GetKind() == (Namespace, v1, "")` sees none.
test.each<[string, GroupVersionKind, string, PolicyMatch['outcome'], unknown]>([
  ['of a Pod', pod, 'ns', 'selected', stored],
  ['of a Namespace itself', own, 'ns', 'selected', null],
  ["of another group's Namespace", { ...own, group: 'example.com' }, 'ns', 'selected', stored],
  ["of another version's", { ...own, version: 'v2' }, 'ns', 'selected', stored],
  ['of what has none', pod, '', 'selected', null],
  ['where no policy is asked', pod, 'ns', 'skipped', null],
  ['that is not there', pod, 'gone', 'selected', undefined],
])('the Namespace that expressions see, %s', (_fact, ...[kind, namespace, outcome, seen]) => {
  const getNamespace = (name: string) => (name === 'ns' ? stored : undefined);
  expect(policyNamespace([{ outcome }], { namespace, kind }, { getNamespace })).toEqual(seen);
});
