import { expect, test } from 'vitest';
import type { ClusterView } from '../../../src/machinery/meta/cluster-view.ts';
import { groupResourceText } from '../../../src/machinery/meta/gvk.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../src/machinery/meta/object.ts';
import { resolveService } from '../../../src/adapters/webhook-client/route.ts';
import { parseMappings } from '../../harness/parse-mappings.ts';

const resources: Readonly<Record<string, string>> = {
  Service: 'services',
  Endpoints: 'endpoints',
  EndpointSlice: 'endpointslices.discovery.k8s.io',
};

function clusterOf(...objects: readonly KubernetesObject[]): ClusterView {
  const of = (resource: string): readonly KubernetesObject[] =>
    objects.filter((object) => resources[object.kind] === resource);
  return {
    get: (resource, _namespace, name) => of(groupResourceText(resource)).find((one) => metadataOf(one).name === name),
    list: (resource) => of(groupResourceText(resource)),
  };
}

const service = (spec: JsonObject): KubernetesObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 'hook', namespace: 'ns' },
  spec: { type: 'ClusterIP', clusterIP: '10.0.0.9', ports: [{ name: 'web', port: 443 }], ...spec },
});

const slice = (endpoints: readonly JsonObject[], ports: readonly JsonObject[]): KubernetesObject => ({
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  metadata: { name: 'hook-x', namespace: 'ns', labels: { 'kubernetes.io/service-name': 'hook' } },
  endpoints,
  ports,
});

const endpoints: KubernetesObject = {
  kind: 'Endpoints',
  apiVersion: 'v1',
  metadata: { name: 'hook', namespace: 'ns' },
  subsets: [{ addresses: [{ ip: '192.168.0.3' }], ports: [{ name: 'web', port: 9443 }] }],
};

const webPort = [{ name: 'web', port: 8443 }];
const ready = { addresses: ['192.168.0.1'], conditions: { ready: true } };
const unready = { addresses: ['192.168.0.2'], conditions: { ready: false } };
const none = 'no endpoints available for service "hook"';

// Source: kube-aggregator pkg/apiserver/resolvers.go, apiserver pkg/util/proxy/proxy_test.go (rule HTTP-5).
const resolutions: readonly [fact: string, cluster: ClusterView, maps: readonly string[], found: string][] = [
  ['nothing is known', clusterOf(), [], 'service "hook" not found'],
  ['--map goes first', clusterOf(), ['ns/hook=https://127.0.0.1:9443'], '127.0.0.1:9443'],
  ['--map for the port goes before one for all', clusterOf(), ['ns/hook=https://a', 'ns/hook:443=https://b'], 'b:443'],
  ['--map to a plain process without a port', clusterOf(), ['ns/hook=http://a'], 'plain a:80'],
  ['--map for another port is not meant', clusterOf(), ['ns/hook:80=https://a'], 'service "hook" not found'],
  ['--map may name a plain process', clusterOf(), ['ns/hook=http://[::1]:8080/base/'], 'plain ::1:8080/base/'],
  ['a ready endpoint', clusterOf(service({}), slice([unready, ready], webPort)), [], '192.168.0.1:8443'],
  [
    'an endpoint that does not say',
    clusterOf(service({}), slice([{ addresses: ['192.168.0.4'] }], webPort)),
    [],
    '192.168.0.4:8443',
  ],
  ['no ready endpoint', clusterOf(service({}), slice([unready], webPort)), [], none],
  ['no endpoint for the port', clusterOf(service({}), slice([ready], [{ name: 'other', port: 1 }])), [], none],
  ['no endpoints at all', clusterOf(service({})), [], none],
  ['the older Endpoints', clusterOf(service({}), endpoints), [], '192.168.0.3:9443'],
  ['another port', clusterOf(service({ ports: [{ port: 80 }] })), [], 'no service port 443 found for service "hook"'],
  [
    'a headless service',
    clusterOf(service({ clusterIP: 'None' })),
    [],
    'cannot route to service with ClusterIP "None"',
  ],
  [
    'an external name',
    clusterOf(service({ type: 'ExternalName', externalName: 'hook.example.com' })),
    [],
    'hook.example.com:443',
  ],
  ['an unknown type', clusterOf(service({ type: 'Odd' })), [], 'unsupported service type "Odd"'],
];

test.each(resolutions)('%s', (_fact, cluster, maps, found) => {
  const resolution = resolveService({ namespace: 'ns', name: 'hook', port: 443 }, cluster, parseMappings(...maps));
  const text =
    resolution.outcome === 'unresolved'
      ? resolution.error
      : `${resolution.plain ? 'plain ' : ''}${resolution.host}:${resolution.port}${resolution.basePath}`;
  expect(text).toBe(found);
});
