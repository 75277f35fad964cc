import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { asDefinitionV1 } from '../../../src/adapters/storage/etcd/layout.ts';

const definition = (version: string, spec: JsonObject) => ({
  kind: 'CustomResourceDefinition',
  apiVersion: `apiextensions.k8s.io/${version}`,
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', ...spec },
});
const schema = { openAPIV3Schema: { type: 'object' } };
const v1 = { name: 'v1', served: true, storage: true };
const v2 = { name: 'v2', served: true, storage: false };

// Source: kube-apiserver v1.36.2 stores definitions so; apiextensions-apiserver pkg/apis/apiextensions/v1/conversion.go
test.each<[fact: string, stored: JsonObject, spec: JsonObject]>([
  [
    'what all versions share goes to each of them',
    {
      version: 'v1',
      versions: [v1, v2],
      validation: schema,
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'N', type: 'string', JSONPath: '.spec.n' }],
      selectableFields: [{ jsonPath: '.spec.n' }],
      preserveUnknownFields: false,
    },
    {
      versions: [v1, v2].map((version) => ({
        ...version,
        schema,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.n' }],
        additionalPrinterColumns: [{ name: 'N', type: 'string', jsonPath: '.spec.n' }],
      })),
    },
  ],
  [
    'what they do not share stays where it is',
    { version: 'v1', versions: [{ ...v1, schema }, v2], preserveUnknownFields: false },
    { versions: [{ ...v1, schema }, v2] },
  ],
  [
    'a version alone',
    { version: 'v1', validation: schema, preserveUnknownFields: false },
    { versions: [{ ...v1, schema }] },
  ],
  [
    'a converter',
    {
      versions: [v1],
      preserveUnknownFields: false,
      conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
    },
    {
      versions: [v1],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
      },
    },
  ],
  [
    'no converter',
    { versions: [v1], conversion: { strategy: 'None' }, preserveUnknownFields: false },
    { versions: [v1], conversion: { strategy: 'None' } },
  ],
  [
    'unknown fields that are kept',
    { versions: [v1], preserveUnknownFields: true },
    { versions: [v1], preserveUnknownFields: true },
  ],
  [
    'unknown fields are kept unless it says otherwise',
    { versions: [v1] },
    { versions: [v1], preserveUnknownFields: true },
  ],
])('%s', (_fact, stored, spec) => {
  expect(asDefinitionV1(definition('v1beta1', stored))).toEqual(definition('v1', spec));
});

test('everything else is as it is', () => {
  for (const object of [definition('v1', { versions: [v1] }), { ...definition('v1beta1', {}), kind: 'Widget' }]) {
    expect(asDefinitionV1(object)).toBe(object);
  }
});
