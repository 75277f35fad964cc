import { expect, test } from 'vitest';
import { findResetFields, findCustomResetFields } from '../../../src/api/apply/field-kinds.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';

const status = { 'f:status': {} };
const spec = { 'f:spec': {} };

// Source: GetResetFields in kubernetes pkg/registry and apiextensions-apiserver pkg/registry.
const rows: readonly [kind: string, group: string, subresource: string, reset: FieldSet][] = [
  ['Pod', '', '', status],
  ['Service', '', 'status', spec],
  ['Deployment', 'apps', 'scale', status],
  ['Deployment', 'apps', 'status', { 'f:metadata': { 'f:labels': {} }, ...spec }],
  ['CertificateSigningRequest', 'certificates.k8s.io', '', { ...spec, ...status }],
  ['ServiceCIDR', 'networking.k8s.io', 'status', { 'f:metadata': {}, ...spec }],
  ['VolumeAttachment', 'storage.k8s.io', 'status', { 'f:metadata': {}, ...spec }],
  ['ValidatingAdmissionPolicy', 'admissionregistration.k8s.io', 'status', { 'f:metadata': {}, ...spec }],
  ['ResourceClaim', 'resource.k8s.io', 'status', { 'f:metadata': {}, ...spec }],
  ['APIService', 'apiregistration.k8s.io', 'status', { 'f:metadata': {}, ...spec }],
  ['CustomResourceDefinition', 'apiextensions.k8s.io', 'status', spec],
];

test.each(rows)('%s.%s %s', (kind, group, subresource, reset) => {
  expect(findResetFields({ group, version: 'v1', kind }, subresource)).toEqual(reset);
});

// Source: apiextensions-apiserver pkg/registry/customresource/strategy.go, status_strategy.go.
test('custom resources keep metadata and spec from their status', () => {
  expect(findCustomResetFields('')).toEqual(status);
  expect(findCustomResetFields('status')).toEqual({ 'f:metadata': {}, ...spec });
});

// Source: the same files of release 1.35, where a status was reset by spec alone and that of definitions by metadata too.
test('before 1.36 the two were the other way round', () => {
  const crd = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
  expect(findResetFields(crd, 'status', 35)).toEqual({ 'f:metadata': {}, ...spec });
  expect(findResetFields(crd, 'status', 36)).toEqual(spec);
  expect(findCustomResetFields('status', 35)).toEqual(spec);
  expect(findCustomResetFields('status', 36)).toEqual({ 'f:metadata': {}, ...spec });
});

// Source: kubernetes 1.37 pkg/registry GetResetFields of these kinds.
test.each([
  ['CompositePodGroup', 'scheduling.k8s.io'],
  ['PodCertificateRequest', 'certificates.k8s.io'],
  ['CSINode', 'storage.k8s.io'],
  ['EvictionRequest', 'lifecycle.k8s.io'],
])('%s.%s keeps metadata and spec from its status', (kind, group) => {
  expect(findResetFields({ group, version: 'v1', kind }, 'status', 37)).toEqual({ 'f:metadata': {}, ...spec });
});

test('before 1.37 the metadata of PodCertificateRequests is owned through their status', () => {
  const request = { group: 'certificates.k8s.io', version: 'v1beta1', kind: 'PodCertificateRequest' };
  expect(findResetFields(request, 'status', 36)).toEqual(spec);
});
