import { expect, test } from 'vitest';
import { fieldErrorText } from '../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { kindValidations } from '../../../src/api/validation/kinds.ts';

const faults = (kind: string, spec: JsonObject, status: JsonObject, old: JsonObject = {}): readonly string[] => {
  const object = (content: JsonObject) => ({
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name: 'n' },
    spec,
    status: content,
  });
  return (kindValidations[kind]?.validateUpdate?.(object(status), object(old), 'status') ?? []).map(fieldErrorText);
};
const ingress = (...points: readonly JsonObject[]): JsonObject => ({ loadBalancer: { ingress: points } });
const balanced = { type: 'LoadBalancer' };
const ips = (...addresses: readonly string[]) => addresses.map((ip) => ({ ip }));

// Source: kubernetes pkg/apis/{apps,core}/validation ValidateStatefulSetStatus, ValidateLoadBalancerStatus, ValidatePodStatusUpdate; kube-apiserver v1.36.2.
test.each<readonly [what: string, found: readonly string[], wanted: readonly string[]]>([
  ['sound counts', faults('apps/statefulsets', {}, { replicas: 2, readyReplicas: 2, availableReplicas: 1 }), []],
  [
    'more than there are',
    faults('apps/statefulsets', {}, { replicas: 0, readyReplicas: 1 }),
    ['status.readyReplicas: Invalid value: 1: cannot be greater than status.replicas'],
  ],
  [
    'more available than ready',
    faults('apps/statefulsets', {}, { replicas: 2, availableReplicas: 1 }),
    ['status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas'],
  ],
  [
    'a negative count, and fewer collisions',
    faults('apps/statefulsets', {}, { replicas: -1, readyReplicas: -1, collisionCount: 1 }, { collisionCount: 2 }),
    [
      'status.replicas: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.currentReplicas: Invalid value: 0: cannot be greater than status.replicas',
      'status.updatedReplicas: Invalid value: 0: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 0: cannot be greater than status.readyReplicas',
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ],
  ],
  ['no load balancer, no address', faults('/services', { type: 'ClusterIP' }, ingress()), []],
  [
    'an address without load balancer',
    faults('/services', { type: 'ClusterIP' }, ingress({ ip: '1.2.3.4' })),
    ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
  ],
  [
    'a sound address',
    faults('/services', balanced, ingress({ ip: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'a.b' })),
    [],
  ],
  [
    'unsound ones',
    faults(
      '/services',
      balanced,
      ingress(
        { ip: 'x', ipMode: 'VIP' },
        { ip: '1.1.1.1' },
        { ipMode: 'Proxy' },
        { hostname: '1.1.1.1' },
        { ip: '1.1.1.1', ipMode: 'X' },
      ),
    ),
    [
      'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'status.loadBalancer.ingress[1].ipMode: Required value: must be specified when `ip` is set',
      'status.loadBalancer.ingress[2].ipMode: Forbidden: may not be specified when `ip` is not set',
      'status.loadBalancer.ingress[3].hostname: Invalid value: "1.1.1.1": must be a DNS name, not an IP address',
      'status.loadBalancer.ingress[4].ipMode: Unsupported value: "X": supported values: "Proxy", "VIP"',
    ],
  ],
  [
    'an old address',
    faults('/services', balanced, ingress({ ip: '01.1.1.1', ipMode: 'VIP' }), ingress({ ip: '01.1.1.1' })),
    [],
  ],
  ['an address of each family', faults('/pods', {}, { podIPs: ips('1.1.1.1', '::1') }), []],
  [
    'two of one',
    faults('/pods', {}, { podIPs: ips('1.1.1.1', '1.1.1.2') }),
    [
      'status.podIPs: Invalid value: [{"IP":"1.1.1.1"},{"IP":"1.1.1.2"}]: may specify no more than one IP for each IP family',
    ],
  ],
  [
    'another address of the host',
    faults('/pods', {}, { hostIP: '1.1.1.1', hostIPs: ips('1.1.1.2') }),
    ['status.hostIPs[0].ip: Invalid value: "1.1.1.2": must be equal to `hostIP`'],
  ],
  [
    'a nomination that comes too late',
    faults('/pods', { nodeName: 'a' }, { nominatedNodeName: 'b' }),
    ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'],
  ],
])('%s', (_what, found, wanted) => {
  expect(found).toEqual(wanted);
});
