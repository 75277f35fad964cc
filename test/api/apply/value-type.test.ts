import { expect, test } from 'vitest';
import { createCustomValueType } from '../../../src/api/apply/custom-value-type.ts';
import { getValueTypes } from '../../../src/api/apply/value-type.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

// Source: the OpenAPI of kube-apiserver v1.36.2: what is always printed has the zero of its type as its default.
test.each<[type: string, field: string, missing: unknown]>([
  ['core.v1.ContainerPort', 'protocol', 'TCP'],
  ['core.v1.ContainerPort', 'containerPort', 0],
  ['core.v1.ContainerPort', 'hostPort', undefined],
  ['core.v1.ContainerPort', 'unheardOf', undefined],
  ['core.v1.TopologySpreadConstraint', 'topologyKey', ''],
  ['core.v1.NodeAddress', 'type', ''],
  ['core.v1.NodeAddress', 'unheardOf', undefined],
  // Not always printed, but declared.
  ['core.v1.LocalObjectReference', 'name', ''],
  ['core.v1.ObjectReference', 'name', undefined],
  ['core.v1.TopologySpreadConstraint', 'minDomains', undefined],
  ['core.v1.TopologySpreadConstraint', 'labelSelector', undefined],
])('in the key of a list, %s without %s counts as having %j', (type, field, missing) => {
  const made = getValueTypes(recordedRelease.types)(type);
  expect(made.is === 'map' && made.keyDefault(field)).toBe(missing);
});

// Source: structured-merge-diff schema of apiextensions-apiserver pkg/controller/openapi/builder for x-kubernetes-embedded-resource.
test.each([
  [true, 'list'],
  [false, undefined],
])('the metadata of an embedded resource (%s) has the types of any metadata', (embedded, is) => {
  const schema = { type: 'object', 'x-kubernetes-embedded-resource': embedded, properties: {} };
  const holder = createCustomValueType({ type: 'object', properties: { template: schema } });
  const template = holder.is === 'map' ? holder.field('template') : undefined;
  const metadata = template?.is === 'map' ? template.field('metadata') : undefined;
  expect(metadata?.is === 'map' ? metadata.field('ownerReferences')?.is : undefined).toBe(is);
});
