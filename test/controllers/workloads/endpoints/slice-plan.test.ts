import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { podToEndpoint, podPorts } from '../../../../src/controllers/workloads/endpoints/service-endpoint.ts';
import { planSlices } from '../../../../src/controllers/workloads/endpoints/slice-plan.ts';
import { createTriggerTimes } from '../../../../src/controllers/workloads/endpoints/trigger-times.ts';
import {
  type EndpointCandidate,
  packSubsets,
  computeSubsets,
} from '../../../../src/controllers/workloads/endpoints/endpoints.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';
import { going, pod, ready } from '../pods.ts';

const ports = [{ name: 'http', protocol: 'TCP', port: 80 }];
const endpoint = (address: string, ready = true): JsonObject => ({ addresses: [address], conditions: { ready } });
const slice = (name: string, ...endpoints: readonly JsonObject[]): KubernetesObject => ({
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  metadata: { name, labels: { a: 'b' } },
  addressType: 'IPv4',
  endpoints,
  ports: endpoints.length === 0 ? [] : ports,
});

const counted = (slices: readonly KubernetesObject[]): readonly string[] =>
  slices.map(
    ({ metadata, endpoints }) => `${metadata?.name ?? 'new'} ${Array.isArray(endpoints) ? endpoints.length : 0}`,
  );

function planned(existing: readonly KubernetesObject[], endpoints: readonly JsonObject[]): unknown {
  const plan = planSlices(existing, {
    groups: [{ addressType: 'IPv4', ports, endpoints }],
    addressTypes: ['IPv4'],
    labels: { a: 'b' },
    owner: { kind: 'Service', apiVersion: 'v1', metadata: { name: 's' } },
    max: 2,
  });
  return [counted(plan.create), counted(plan.update), counted(plan.delete)];
}

const [a, b, c, d] = ['1', '2', '3', '4'].map((address) => endpoint(address));

// Upstream: k8s.io/endpointslice reconciler_test.go.
test.each<readonly [string, readonly KubernetesObject[], readonly (JsonObject | undefined)[], unknown]>([
  ['nothing yet: an empty one', [], [], [['new 0'], [], []]],
  ['which is enough', [slice('s')], [], [[], [], []]],
  ['more than fit into one', [], [a, b, c], [['new 2', 'new 1'], [], []]],
  ['the empty one is filled', [slice('s')], [a], [[], ['s 1'], []]],
  ['as it is', [slice('s', endpoint('1'))], [a], [[], [], []]],
  ['one goes', [slice('s', endpoint('1'), endpoint('2'))], [a], [[], ['s 1'], []]],
  ['the last goes', [slice('s', endpoint('1'))], [], [[], ['s 0'], []]],
  ['one is not ready any more', [slice('s', endpoint('1'))], [endpoint('1', false)], [[], ['s 1'], []]],
  ['room is used', [slice('s', endpoint('1'))], [a, b], [[], ['s 2'], []]],
  ['there is no room', [slice('s', endpoint('1'), endpoint('2'))], [a, b, d], [['new 1'], [], []]],
  ['one too many', [slice('s', endpoint('1')), slice('t', endpoint('3'))], [a], [[], [], ['t 1']]],
])('%s', (_fact, existing, endpoints, wanted) => {
  expect(
    planned(
      existing,
      endpoints.filter((one) => one !== undefined),
    ),
  ).toEqual(wanted);
});

const service = (spec: JsonObject): KubernetesObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 's', creationTimestamp: '2025-12-31T00:00:00Z' },
  spec,
});

test.each<readonly [string, JsonObject, number | undefined]>([
  ['a number', { port: 80, targetPort: 8080 }, 8080],
  ['a name', { port: 80, targetPort: 'web', protocol: 'TCP' }, 9090],
  ['a name that the Pod does not have', { port: 80, targetPort: 'db', protocol: 'TCP' }, undefined],
])('the target port is %s', (_fact, port, wanted) => {
  const one = {
    ...pod('p'),
    spec: { containers: [{ ports: [{ name: 'web', protocol: 'TCP', containerPort: 9090 }] }] },
  };
  expect(podPorts(service({ ports: [port] }), one)[0]?.['port']).toBe(wanted);
});

test('one that is going still serves', () => {
  const made = podToEndpoint(service({}), pod('p', going), { node: undefined, type: 'IPv4' });
  expect(made['conditions']).toEqual({ ready: false, serving: true, terminating: true });
});

test('Endpoints hold the same, in subsets', () => {
  const at = (ip: string): KubernetesObject => pod(ip, {}, { ...ready, podIPs: [{ ip }] });
  const one = { ...at('10.0.0.2'), status: { phase: 'Running', podIPs: [{ ip: '10.0.0.2' }] } };
  const ports = [{ port: 80, targetPort: 81, protocol: 'TCP' }];
  const pods = [at('10.0.0.3'), at('10.0.0.1'), one];
  const made = computeSubsets(recordedRelease.types, service({ clusterIP: '1', ports }), pods);
  expect(made).toMatchObject([
    {
      addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.3' }],
      notReadyAddresses: [{ ip: '10.0.0.2', nodeName: '', targetRef: { name: '10.0.0.2' } }],
      ports: [{ port: 81, protocol: 'TCP' }],
    },
  ]);
});

test.each([
  ['PreferClose', { forZones: [{ name: 'z' }] }],
  ['PreferSameNode', { forZones: [{ name: 'z' }], forNodes: [{ name: 'n' }] }],
  [undefined, undefined],
])('with trafficDistribution %s an endpoint that is ready is meant for %j', (trafficDistribution, hints) => {
  const one = { ...pod('p', {}, ready), spec: { nodeName: 'n' } };
  const metadata = { name: 'n', labels: { 'topology.kubernetes.io/zone': 'z' } };
  const node = { kind: 'Node', apiVersion: 'v1', metadata };
  const spec = trafficDistribution === undefined ? {} : { trafficDistribution };
  expect(podToEndpoint(service(spec), one, { node, type: 'IPv4' })['hints']).toEqual(hints);
});

// As kube-controller-manager v1.36.2 orders them: by a hash.
test('ports that other addresses offer are of another subset; those of one are in order of their hashes', () => {
  const http = { name: 'http', port: 8080, protocol: 'TCP', appProtocol: 'h2c' };
  const dns = { name: 'dns', port: 53, protocol: 'UDP' };
  const offer = (ip: string, port: JsonObject, isReady = true): EndpointCandidate => ({
    address: { ip },
    isReady,
    port,
  });
  const shared = packSubsets(recordedRelease.types, [offer('1.1.1.1', http), offer('1.1.1.1', dns)]);
  expect(shared).toEqual([{ addresses: [{ ip: '1.1.1.1' }], ports: [dns, http] }]);
  const apart = packSubsets(recordedRelease.types, [offer('1.1.1.1', http), offer('1.1.1.1', dns, false)]);
  expect(apart).toHaveLength(2);
});

test('a change has the time of what began it', () => {
  const times = createTriggerTimes();
  expect(times.next('s', service({}), [])).toBe('2025-12-31T00:00:00Z');
  expect(times.next('s', service({}), [pod('p')])).toBe('2026-01-01T00:00:00Z');
  expect(times.next('s', service({}), [pod('p')])).toBeUndefined();
});
