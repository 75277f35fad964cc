import { expect, test } from 'vitest';
import { type JsonObject, valueAt } from '../../../../src/machinery/json/json.ts';
import { createTestWorld } from '../../../harness/world.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

const service = (spec: JsonObject): JsonObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 's', namespace: 'default' },
  spec: { ports: [{ port: 80 }], ...spec },
});

const externalIPs = ['192.0.2.1'];

// Source: kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Service, pkg/api/service/util.go ExternallyAccessible
test.each<[what: string, spec: JsonObject, policy: unknown]>([
  ['a cluster IP alone', { type: 'ClusterIP' }, undefined],
  ['a cluster IP with external IPs', { type: 'ClusterIP', externalIPs }, 'Cluster'],
  ['a node port', { type: 'NodePort' }, 'Cluster'],
  ['a load balancer', { type: 'LoadBalancer' }, 'Cluster'],
  ['an external name', { type: 'ExternalName', externalName: 'a.b' }, undefined],
  ['an external name with external IPs', { type: 'ExternalName', externalName: 'a.b', externalIPs }, undefined],
])('%s: externalTrafficPolicy', (_what, spec, policy) => {
  const made = recordedRelease.codec.applyDefaults({ ...service(spec), kind: 'Service', apiVersion: 'v1' });
  expect(valueAt(made, 'spec', 'externalTrafficPolicy')).toBe(policy);
});

// Source: kubernetes pkg/apis/core/validation/validation.go validateServiceExternalTrafficPolicy
test('externalTrafficPolicy is invalid for a service without external traffic', async () => {
  const world = await createTestWorld();
  const spec = { type: 'ExternalName', externalName: 'a.b', externalIPs, externalTrafficPolicy: 'Cluster' };
  const { code, message } = await world.send('POST', '/api/v1/namespaces/default/services', service(spec));
  expect([code, message]).toEqual([
    422,
    'Service "s" is invalid: spec.externalTrafficPolicy: Invalid value: "Cluster": may only be set for externally-accessible services',
  ]);
});
