import { expect, test } from 'vitest';
import { currentRelease } from '../../src/schema/release/current-release.ts';

// test/facts selectors-cluster-scoped-ignores-namespace-selector: the webhook sees [], the answer has null.
test.each([
  [
    'rules of a role',
    { kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1', rules: [] },
    { kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1', rules: null },
  ],
  [
    'a list further down',
    { kind: 'Role', apiVersion: 'rbac.authorization.k8s.io/v1', rules: [{ verbs: [] }] },
    { kind: 'Role', apiVersion: 'rbac.authorization.k8s.io/v1', rules: [{ verbs: null }] },
  ],
  [
    'raw data stays',
    { kind: 'ControllerRevision', apiVersion: 'apps/v1', data: { a: [] }, revision: 0 },
    { kind: 'ControllerRevision', apiVersion: 'apps/v1', data: { a: [] }, revision: 0 },
  ],
  [
    'a schema stays',
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: { versions: [{ schema: { openAPIV3Schema: { default: [] } } }] },
      status: { conditions: [] },
    },
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: { versions: [{ schema: { openAPIV3Schema: { default: [] } } }] },
      status: { conditions: [] },
    },
  ],
  [
    'a custom resource stays',
    { kind: 'Thing', apiVersion: 'a.io/v1', list: [] },
    { kind: 'Thing', apiVersion: 'a.io/v1', list: [] },
  ],
])('%s', (_sentence, object, expected) => {
  expect(currentRelease.codec.stored(object)).toEqual(expected);
});

test('nothing to change is the same object', () => {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'b' } };
  expect(currentRelease.codec.stored(object)).toBe(object);
});
