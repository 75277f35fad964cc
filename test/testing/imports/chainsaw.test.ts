import { expect, test } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { importChainsawTest } from '../../../src/testing/imports/import-files.ts';
import type { ImportedTest } from '../../../src/testing/imports/imported-test.ts';

function imported(...operations: readonly JsonObject[]): ImportedTest {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-chainsaw-'));
  try {
    const file = join(folder, 'chainsaw-test.yaml');
    writeFileSync(file, '');
    const steps = [{ name: 'step', try: operations }];
    const chainsaw = { apiVersion: 'chainsaw.kyverno.io/v1alpha1', kind: 'Test', metadata: { name: 'one' } };
    return importChainsawTest(file, { ...chainsaw, spec: { steps } }, []);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const policy = { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata: { name: 'p' }, spec: { a: '(b)' } };
const missing = 'step: ClusterPolicy p needs the CustomResourceDefinition of kyverno.io, give it with --load: left out';
const configMap = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
});
const fails = { expect: [{ check: { '($error != null)': true } }] };
const pod = (spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'w' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

// What a cluster without the policy engine does: nothing that is expected of the engine is a fault of the server.
test.each<[fact: string, operations: readonly JsonObject[], steps: readonly unknown[], notes: readonly string[]]>([
  [
    'a refusal that a left out policy decides',
    [
      { apply: { resource: policy } },
      { create: { resource: configMap('a') } },
      { create: { resource: configMap('b'), ...fails } },
    ],
    [{ create: configMap('a') }],
    [missing, 'step: create of ConfigMap b with expect depends on ClusterPolicy p: left out'],
  ],
  [
    'what a left out policy changes, makes and removes',
    [
      { apply: { resource: policy } },
      { apply: { resource: configMap('a') } },
      { assert: { resource: configMap('a') } },
      { assert: { resource: configMap('a', { labels: { made: 'yes' } }) } },
      { patch: { resource: configMap('made', { labels: { a: 'b' } }) } },
      { error: { resource: configMap('a') } },
    ],
    [{ create: configMap('a') }, { wait: 'configmap/a', until: 'exists' }],
    [
      missing,
      'step: assert of ConfigMap a depends on ClusterPolicy p: left out',
      'step: patch of ConfigMap made depends on ClusterPolicy p: left out',
      'step: error of ConfigMap a depends on ClusterPolicy p: left out',
    ],
  ],
  [
    'a refusal of the server itself is played',
    [{ create: { resource: configMap('a') } }, { create: { resource: configMap('a'), ...fails } }],
    [{ create: configMap('a') }, { create: configMap('a'), expect: 'refused' }],
    [],
  ],
  [
    'a definition that the cluster of the test has',
    [
      {
        assert: {
          resource: {
            apiVersion: 'apiextensions.k8s.io/v1',
            kind: 'CustomResourceDefinition',
            metadata: { name: 'things.example.com' },
          },
        },
      },
    ],
    [],
    ['step: CustomResourceDefinition things.example.com is not of this test, give it with --load: left out'],
  ],
  [
    'a kind of a group that ends with k8s.io and is not the server’s',
    [
      {
        create: {
          resource: { apiVersion: 'autoscaling.k8s.io/v1', kind: 'VerticalPodAutoscaler', metadata: { name: 'v' } },
        },
      },
    ],
    [],
    [
      'step: VerticalPodAutoscaler v needs the CustomResourceDefinition of autoscaling.k8s.io, give it with --load: left out',
    ],
  ],
  [
    'an object that no API server accepts',
    [{ create: { resource: pod({ dnsPolicy: 'None' }) } }],
    [],
    [
      'step: Pod w: an API server refuses this object: spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None: left out',
    ],
  ],
])('chainsaw: %s', (_fact, operations, steps, notes) => {
  const { cases, notes: importNotes } = imported(...operations);
  expect([cases.flatMap((one) => one.steps), importNotes]).toEqual([steps, notes]);
});

test('chainsaw: a namespace that the test does not make is there before it', () => {
  const { cases, notes } = imported({ create: { resource: configMap('a', { namespace: 'kyverno' }) } });
  expect(cases.map(({ before }) => before)).toEqual([
    [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kyverno' } }],
  ]);
  expect(notes).toEqual(['namespace kyverno is not made by the test: made before it']);
});
