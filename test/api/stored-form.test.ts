import { expect, test } from 'vitest';
import { recordedRelease } from '../harness/recorded-release.ts';

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
    'empty lists go from schemas that are items or additionalProperties, as from others',
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: {
        versions: [
          {
            schema: {
              openAPIV3Schema: {
                items: { enum: [], properties: { a: { additionalProperties: { required: [] } } } },
                additionalItems: true,
                dependencies: { b: ['c'] },
                required: [],
              },
            },
          },
        ],
      },
      status: { conditions: [] },
    },
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: {
        versions: [
          {
            schema: {
              openAPIV3Schema: {
                items: { properties: { a: { additionalProperties: {} } } },
                additionalItems: true,
                dependencies: { b: ['c'] },
              },
            },
          },
        ],
      },
      status: { conditions: [] },
    },
  ],
  [
    'a custom resource stays',
    { kind: 'Thing', apiVersion: 'a.io/v1', list: [] },
    { kind: 'Thing', apiVersion: 'a.io/v1', list: [] },
  ],
])('%s', (_sentence, object, expected) => {
  expect(recordedRelease.codec.stored(object)).toEqual(expected);
});

test('nothing to change is the same object', () => {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'b' } };
  expect(recordedRelease.codec.stored(object)).toBe(object);
});

// Source: encoding/json omitempty; generated.pb.go keeps empty bytes.
test('what is empty stays when it is decoded, and goes when it is printed or stored', () => {
  const { codec } = recordedRelease;
  const decoded = codec.decodeValue(
    { metadata: { labels: {} }, webhooks: [{ clientConfig: { caBundle: '', url: '' }, rules: [], sideEffects: null }] },
    { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration' },
  );
  if (decoded.outcome !== 'decoded') throw new Error(decoded.error);
  const { object } = decoded;
  const head = { kind: object.kind, apiVersion: object.apiVersion };
  const hook = { name: '', sideEffects: null };
  const url = { url: '' };
  expect([object, codec.printed(object), codec.stored(object)]).toEqual([
    {
      ...head,
      metadata: { labels: {} },
      webhooks: [{ ...hook, clientConfig: { ...url, caBundle: '' }, rules: [], admissionReviewVersions: null }],
    },
    { ...head, metadata: {}, webhooks: [{ ...hook, clientConfig: url, admissionReviewVersions: null }] },
    {
      ...head,
      metadata: {},
      webhooks: [{ ...hook, clientConfig: { ...url, caBundle: '' }, admissionReviewVersions: null }],
    },
  ]);
});

// Source: apimachinery third_party/forked/golang/reflect/deep_equal.go: nil and empty are equal, a nil pointer and an empty struct are not.
test('an old object is aligned to the empty lists and maps of a new one, not to its empty structs', () => {
  const { codec } = recordedRelease;
  const pod = (spec: object) => ({ kind: 'Pod', apiVersion: 'v1', spec: { containers: [{ name: 'c', ...spec }] } });
  const old = pod({});
  expect(codec.alignEmpty(old, pod({ args: [], securityContext: {} }))).toEqual(pod({ args: [] }));
  expect(codec.alignEmpty(old, pod({ args: ['a'] }))).toBe(old);
});
