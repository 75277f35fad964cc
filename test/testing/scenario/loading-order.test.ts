import { expect, test } from 'vitest';
import { inLoadingOrder } from '../../../src/testing/scenario/loading-order.ts';

const manifest = (apiVersion: string, kind: string, name: string) => ({
  object: { apiVersion, kind, metadata: { name } },
  place: { file: 'a.yaml', line: 1, column: 1 },
});

const admission = 'admissionregistration.k8s.io/v1';

// A policy or webhook would intercept the objects that are stored after it; a custom resource needs its definition.
test('namespaces, definitions, objects as given, webhook configurations, policies', () => {
  const given = [
    manifest(admission, 'ValidatingAdmissionPolicyBinding', 'binding'),
    manifest(admission, 'ValidatingAdmissionPolicy', 'policy'),
    manifest(admission, 'MutatingWebhookConfiguration', 'hooks'),
    manifest('v1', 'Pod', 'b'),
    manifest('example.com/v1', 'Namespace', 'a'),
    manifest('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.com'),
    manifest('v1', 'Namespace', 'shop'),
  ];
  expect(inLoadingOrder(given).map(({ object }) => object['metadata'])).toEqual(
    ['shop', 'things.example.com', 'b', 'a', 'hooks', 'binding', 'policy'].map((name) => ({ name })),
  );
});
