import { expect, test } from 'vitest';
import { asList, asObject, asString, type JsonObject } from '../../../src/machinery/json/json.ts';
import { withMetadata, type KubernetesObject } from '../../../src/machinery/meta/object.ts';
import type { LoopbackClient } from '../../../src/machinery/meta/cluster-view.ts';
import { ok, refuse } from '../../../src/machinery/meta/result.ts';
import { alreadyExists, failure, type Status } from '../../../src/machinery/meta/status.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { serviceRange } from '../../../src/controllers/seed-objects.ts';
import { accepted, begun, contextWith, create, decoded, update, type Manifest } from './write.ts';
import { serviceWarnings } from '../../../src/api/strategy/services.ts';
import { object } from '../../harness/builtin-plugin.ts';

const service = (spec: Manifest): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { ports: [{ port: 80 }], selector: { a: 'b' }, ...spec },
});

const stored = (object: KubernetesObject): KubernetesObject =>
  withMetadata(accepted(create(object)), { resourceVersion: '7' });
const sentAgain = (spec: Manifest): KubernetesObject => withMetadata(decoded(service(spec)), { resourceVersion: '7' });

const takenSpec = { clusterIP: '10.0.0.9', type: 'NodePort', ports: [{ port: 1, nodePort: 30100 }] };
const taken = accepted(create(await begun(decoded(service(takenSpec)))));

/** Follows kubernetes pkg/registry/core/service/storage/alloc.go; the texts are those of its allocators. */
test.each<readonly [string, Manifest, unknown]>([
  ['the first free address above the band of requested ones', {}, '10.0.0.17'],
  ['the address asked for', { clusterIP: '10.0.0.33' }, '10.0.0.33'],
  [
    'an address that is taken',
    { clusterIP: '10.0.0.9' },
    'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.9"]: failed to allocate IP 10.0.0.9: provided IP is already allocated',
  ],
  [
    'an address of another network',
    { clusterIP: '10.1.0.9' },
    'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.1.0.9"]: failed to allocate IP 10.1.0.9: the provided IP (10.1.0.9) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
  ],
  [
    'a node port that is taken',
    { type: 'NodePort', ports: [{ port: 80, nodePort: 30100 }] },
    'Service "s" is invalid: spec.ports[0].nodePort: Invalid value: 30100: provided port is already allocated',
  ],
  [
    'a node port out of range',
    { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
    'Service "s" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    'two families on a cluster with one',
    { ipFamilyPolicy: 'RequireDualStack' },
    'Service "s" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
])('a service gets %s', async (_sentence, spec, expected) => {
  const result = begun(decoded(service(spec)), undefined, contextWith([taken]));
  expect(await result.then(clusterIpOf, (error: unknown) => (error instanceof Error ? error.message : error))).toBe(
    expected,
  );
});

/** Follows kubernetes pkg/registry/core/service/portallocator/operation.go; compared with kube-apiserver v1.36.2. */
test.each<readonly [string, Manifest, unknown]>([
  ['counts from 32769', { ports: [{ port: 1 }, { port: 2 }] }, [32769, 32770]],
  ['takes any number', { ports: [{ port: 1, nodePort: 80 }] }, [80]],
  [
    'counts on from the highest that was asked for',
    { ports: [{ port: 1, nodePort: 40000 }, { port: 2 }] },
    [40000, 40001],
  ],
  ['looks for a free one below 100', { ports: [{ port: 1, nodePort: 80 }, { port: 2 }] }, [80, 81]],
  [
    'counts on for the health check',
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 1 }] },
    [32769, 32770],
  ],
  [
    'takes none that a Service has',
    { ports: [{ port: 1, nodePort: 30100 }] },
    'Service "s" is invalid: spec.ports[0].nodePort: Invalid value: 30100: provided port is already allocated',
  ],
])('for its node ports a dry run %s', async (_sentence, spec, expected) => {
  const context = { ...contextWith([taken]), dryRun: true };
  const result = begun(decoded(service({ type: 'NodePort', ...spec })), undefined, context);
  expect(await result.then(nodePortsOf, (error: unknown) => (error instanceof Error ? error.message : error))).toEqual(
    expected,
  );
});

const nodePortsOf = ({ spec }: KubernetesObject): unknown => {
  const { ports, healthCheckNodePort } = asObject(spec);
  const own = asList(ports).map((port) => asObject(port)['nodePort']);
  return healthCheckNodePort === undefined ? own : [...own, healthCheckNodePort];
};

const clusterIpOf = ({ spec }: KubernetesObject): unknown =>
  typeof spec === 'object' && spec !== null && 'clusterIP' in spec ? spec['clusterIP'] : undefined;

test('a service that is put without its addresses keeps them', async () => {
  const before = stored(await begun(decoded(service({ type: 'NodePort' }))));
  const sent = await begun(sentAgain({ type: 'NodePort' }), before);
  expect(accepted(update(sent, before))['spec']).toEqual(before['spec']);
});

test('a service that becomes an ExternalName has no address any more', async () => {
  const before = stored(await begun(decoded(service({}))));
  const sent = await begun(sentAgain({ type: 'ExternalName', externalName: 'example.com' }), before);
  expect(clusterIpOf(accepted(update(sent, before)))).toBeUndefined();
});

/** What is asked of the server for IPAddresses when a write begins and ends, as `POST 10.0.0.17` and `DELETE 10.0.0.17`. */
async function asked(
  write: {
    readonly spec: Manifest;
    readonly old?: KubernetesObject;
    readonly dryRun?: boolean;
    readonly stored: boolean;
  },
  answers: Readonly<Record<string, Status>> = {},
  ranges: readonly KubernetesObject[] = [serviceRange('10.0.0.0/24', '2026-01-02T03:04:05Z')],
): Promise<{ readonly calls: readonly string[]; readonly outcome: unknown }> {
  const calls: string[] = [];
  const api: LoopbackClient = ({ method, path, body = {} }) => {
    const ip = asString(asObject(body['metadata'])['name']) || (path.split('/').at(-1) ?? '');
    calls.push(`${method} ${ip}`);
    const refusal = answers[ip];
    return Promise.resolve(refusal && method === 'POST' ? refuse(refusal) : ok({}));
  };
  const context = { ...contextWith(ranges), dryRun: write.dryRun ?? false };
  const { begin } = recordedRelease.strategyFor({ group: '', resource: 'services' });
  const begins = await begin?.(decoded(service(write.spec)), write.old, context, { api, hasIpAddresses: true });
  if (!begins?.ok) return { calls, outcome: begins?.status.message };
  await begins.value.finish(write.stored);
  return { calls, outcome: clusterIpOf(begins.value.object) };
}

const exists = alreadyExists({ group: 'networking.k8s.io', resource: 'ipaddresses' }, '10.0.0.17');
const denied = failure({ code: 403, reason: 'Forbidden', message: 'no addresses today' });
const notReady = { ...serviceRange('10.9.0.0/24', ''), status: {} };
const external = accepted(create(decoded(service({ type: 'ExternalName', externalName: 'example.com' }))));
const withAddress = accepted(create(await begun(decoded(service({})))));

/** Seen at a kube-apiserver v1.36.2 in its audit log. Follows pkg/registry/core/service/storage/alloc.go. */
test.each<readonly [string, Parameters<typeof asked>, readonly string[], unknown]>([
  ['is stored: its address stays', [{ spec: {}, stored: true }], ['POST 10.0.0.17'], '10.0.0.17'],
  [
    'is refused: its address is given back',
    [{ spec: {}, stored: false }],
    ['POST 10.0.0.17', 'DELETE 10.0.0.17'],
    '10.0.0.17',
  ],
  ['is a dry run: it sees the address of the network', [{ spec: {}, stored: true, dryRun: true }], [], '10.0.0.0'],
  [
    'is a dry run that asks for an address',
    [{ spec: { clusterIP: '10.0.0.1' }, stored: true, dryRun: true }],
    [],
    '10.0.0.1',
  ],
  [
    'is a dry run that asks for an address of another network',
    [{ spec: { clusterIP: '10.96.24.18' }, stored: true, dryRun: true }],
    [],
    'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.96.24.18"]: failed to allocate IP 10.96.24.18: the provided IP (10.96.24.18) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
  ],
  [
    'is a dry run that asks for the network itself',
    [{ spec: { clusterIP: '10.0.0.0' }, stored: true, dryRun: true }],
    [],
    'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.0"]: failed to allocate IP 10.0.0.0: the provided IP (10.0.0.0) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
  ],
  [
    'asks for an address of another network',
    [{ spec: { clusterIP: '10.96.24.18' }, stored: true }],
    [],
    'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.96.24.18"]: failed to allocate IP 10.96.24.18: the provided network does not match the current range',
  ],
  ['is headless', [{ spec: { clusterIP: 'None' }, stored: true }], [], 'None'],
  [
    'loses a race for an address: it takes the next',
    [{ spec: {}, stored: true }, { '10.0.0.17': exists }],
    ['POST 10.0.0.17', 'POST 10.0.0.18'],
    '10.0.0.18',
  ],
  [
    'may have no address, as a webhook says',
    [{ spec: {}, stored: true }, { '10.0.0.17': denied }],
    ['POST 10.0.0.17'],
    'Service "s" is invalid: spec.clusterIPs: Invalid value: [""]: failed to allocate IP: no addresses today',
  ],
  [
    'asks for an address that is taken',
    [{ spec: { clusterIP: '10.0.0.17' }, stored: true }, { '10.0.0.17': exists }],
    ['POST 10.0.0.17'],
    'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.17"]: failed to allocate IP 10.0.0.17: provided IP is already allocated',
  ],
  [
    'finds no range that is ready',
    [{ spec: {}, stored: true }, {}, [notReady]],
    [],
    'Internal error occurred: failed to allocate a serviceIP for Service "s": range is full',
  ],
  ['was an ExternalName', [{ spec: {}, old: external, stored: true }], ['POST 10.0.0.17'], '10.0.0.17'],
  [
    'becomes an ExternalName: its address is given back when that is stored',
    [{ spec: { type: 'ExternalName', externalName: 'example.com' }, old: withAddress, stored: true }],
    ['DELETE 10.0.0.17'],
    undefined,
  ],
  [
    'does not become an ExternalName after all: it keeps its address',
    [{ spec: { type: 'ExternalName', externalName: 'example.com' }, old: withAddress, stored: false }],
    [],
    undefined,
  ],
  ['is written once more', [{ spec: {}, old: withAddress, stored: true }], [], '10.0.0.17'],
])('a service that %s', async (_sentence, input, calls, outcome) => {
  expect(await asked(...input)).toEqual({ calls, outcome });
});

const headless = { type: 'ClusterIP', clusterIP: 'None', sessionAffinity: 'None' };

// Source: kubernetes pkg/api/service/warnings_test.go
const facts: readonly [spec: JsonObject, warnings: readonly string[]][] = [
  [{ type: 'ClusterIP', sessionAffinity: 'None' }, []],
  [{ externalIPs: ['1.2.3.4'] }, ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']],
  [headless, []],
  [
    { ...headless, loadBalancerIP: '1.2.3.4', externalIPs: ['1.2.3.4'], sessionAffinity: 'ClientIP' },
    [
      'spec.loadBalancerIP is ignored for headless services',
      'spec.externalIPs is ignored for headless services',
      'spec.SessionAffinity is ignored for headless services',
    ],
  ],
  [
    { type: 'ExternalName', externalName: 'a.example.com', externalIPs: ['1.2.3.4'] },
    ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
  ],
  [{ externalName: 'a.example.com' }, ['spec.externalName is ignored when spec.type is not "ExternalName"']],
  [
    { trafficDistribution: 'PreferClose' },
    ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
  ],
];
test.each(facts)('a Service with %j warns of %j', (spec, warnings) => {
  expect(serviceWarnings(object('v1', 'Service', 's', { spec }))).toEqual(warnings);
});
