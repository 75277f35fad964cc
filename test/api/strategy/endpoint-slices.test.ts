import { expect, test } from 'vitest';
import { asList, asObject, valueAt } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { dropTopology } from '../../../src/api/strategy/simple-rules.ts';

const slice = (...endpoints: readonly object[]): KubernetesObject =>
  JSON.parse(JSON.stringify({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', endpoints }));
const old = { addresses: ['1.2.3.4'], deprecatedTopology: { zone: 'z' } };

// Source: kubernetes pkg/registry/discovery/endpointslice/strategy.go dropTopologyOnV1, and a real kube-apiserver 1.36.2.
test.each<readonly [fact: string, sent: KubernetesObject, before: KubernetesObject | undefined, kept: boolean]>([
  ['a new slice loses it', slice(old), undefined, false],
  ['other endpoints lose it', slice({ ...old, addresses: ['1.2.3.5'] }), slice(old), false],
  ['endpoints that stay keep it', slice(old), slice(old), true],
])('deprecatedTopology: %s', (_fact, sent, before, kept) => {
  const prepared = dropTopology(sent, before);
  const first = prepared.ok ? asObject(asList(valueAt(prepared.value, 'endpoints'))[0]) : {};
  expect('deprecatedTopology' in first).toBe(kept);
});
