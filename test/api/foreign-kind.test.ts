import { expect, test } from 'vitest';
import type { GroupVersionKind } from '../../src/machinery/meta/gvk.ts';
import { foreignKindError, foreignVersionError } from '../../src/api/codec/create-codec.ts';
import { recordedRelease } from '../harness/recorded-release.ts';

const codec = recordedRelease.codec;
const configMap: GroupVersionKind = { group: '', version: 'v1', kind: 'ConfigMap' };
const deployment: GroupVersionKind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const autoscaler: GroupVersionKind = { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' };
const scale: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const event: GroupVersionKind = { group: '', version: 'v1', kind: 'Event' };
const scheme = 'scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"';

// test/facts crud-wrong-kind and crud-wrong-version; spec/kubectl.md section 7.3.
test.each([
  ['its own', 'v1 ConfigMap', configMap, undefined],
  ['another kind', 'v1 Secret', configMap, 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
  ['options', 'v1 DeleteOptions', configMap, 'converting (v1.DeleteOptions) to (core.ConfigMap): unknown conversion'],
  ['another version', 'v2 ConfigMap', configMap, `no kind "ConfigMap" is registered for version "v2" in ${scheme}`],
  [
    'no kind of this world',
    'apps/v1 Foo',
    deployment,
    `no kind "Foo" is registered for version "apps/v1" in ${scheme}`,
  ],
  [
    'a kind of another scheme',
    'apiextensions.k8s.io/v1 CustomResourceDefinition',
    configMap,
    `no kind "CustomResourceDefinition" is registered for version "apiextensions.k8s.io/v1" in ${scheme}`,
  ],
  [
    'a custom kind',
    'example.com/v1 Thing',
    configMap,
    `no kind "Thing" is registered for version "example.com/v1" in ${scheme}`,
  ],
  ['another served version', 'autoscaling/v1 HorizontalPodAutoscaler', autoscaler, undefined],
  ['a version of long ago', 'apps/v1beta1 Deployment', deployment, undefined],
  ['a group of long ago', 'extensions/v1beta1 Deployment', deployment, undefined],
  ['a Scale of long ago', 'apps/v1beta1 Scale', scale, undefined],
  [
    'a Scale that never was',
    'apps/v1 Scale',
    scale,
    `no kind "Scale" is registered for version "apps/v1" in ${scheme}`,
  ],
  ['an event of the other group', 'events.k8s.io/v1 Event', event, undefined],
])('%s', (_sentence, sent, endpoint, expected) => {
  const [apiVersion = '', kind = ''] = sent.split(' ');
  expect(foreignKindError(recordedRelease.types, { apiVersion, kind }, endpoint)).toBe(expected);
});

test.each([
  ['v1', configMap, undefined],
  [
    'extensions/v1beta1',
    deployment,
    'the API version in the data (extensions/v1beta1) does not match the expected API version (apps/v1)',
  ],
])('a body of %s', (apiVersion, endpoint, expected) => {
  expect(foreignVersionError({ apiVersion, kind: endpoint.kind }, endpoint)).toBe(expected);
});

test('a kind that is not served decodes to its name', () => {
  const kind = { group: 'apps', version: 'v1beta1', kind: 'Deployment' };
  expect(codec.decodeValue({ spec: {} }, kind)).toEqual({
    outcome: 'decoded',
    object: { kind: 'Deployment', apiVersion: 'apps/v1beta1' },
    strict: [],
  });
});
