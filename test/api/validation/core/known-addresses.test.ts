import { expect, test } from 'vitest';
import { currentRelease } from '../../../../src/api/release/current-release.ts';
import { readRelease } from '../../../../src/api/release/load-release.ts';
import type { Release } from '../../../../src/api/release/release.ts';

const service = (externalIPs: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'x', namespace: 'n', resourceVersion: '1' },
  spec: {
    type: 'ClusterIP',
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    sessionAffinity: 'None',
    externalTrafficPolicy: 'Cluster',
    internalTrafficPolicy: 'Cluster',
    externalIPs: [...externalIPs],
  },
});
const policy = (cidr: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'x', namespace: 'n', resourceVersion: '1' },
  spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [{ ipBlock: { cidr } }] }] },
});
const services = { group: '', resource: 'services' };
const policies = { group: 'networking.k8s.io', resource: 'networkpolicies' };

const mapped = 'must not be an IPv4-mapped IPv6 address';

async function releaseOf(name: string): Promise<Release> {
  const reading = readRelease(name);
  return reading.outcome === 'known' ? reading.load() : currentRelease;
}

// kubernetes pkg/apis/core/validation/validation.go validateService and pkg/apis/networking/validation/validation.go of 1.36: only new
// values are held to StrictIPCIDRValidation; 1.35 has it off.
test.each([
  ['a new address', '1.36', services, service(['010.1.2.3']), service([]), ['must not have leading 0s']],
  ['a mapped address', '1.36', services, service(['::FFFF:0a00:1']), service([]), [mapped]],
  ['one that was there', '1.36', services, service(['010.1.2.3', '10.1.2.4']), service(['010.1.2.3']), []],
  [
    'two new ones',
    '1.36',
    services,
    service(['010.0.0.1', '010.0.0.2']),
    service([]),
    Array(2).fill('must not have leading 0s'),
  ],
  ['a new address', '1.35', services, service(['010.1.2.3']), service([]), []],
  [
    'no address',
    '1.35',
    services,
    service(['10.1.2']),
    service([]),
    ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'a new network',
    '1.36',
    policies,
    policy('10.0.0.1/8'),
    policy('10.0.0.0/8'),
    ['must not have bits set beyond the prefix length'],
  ],
  [
    'a mapped network',
    '1.36',
    policies,
    policy('::ffff:a00:0/104'),
    policy('10.0.0.0/8'),
    ['must not have an IPv4-mapped IPv6 address'],
  ],
  ['one that was there', '1.36', policies, policy('10.0.0.1/8'), policy('10.0.0.1/8'), []],
  ['a new network', '1.32', policies, policy('10.0.0.1/8'), policy('10.0.0.0/8'), []],
])('%s in an update of %s', async (...row) => {
  const [, name, resource, object, old, details] = row;
  const release = await releaseOf(name);
  const errors = release.strategyFor(resource).validateUpdate(object, old, '');
  expect(errors.map(({ detail }) => detail)).toEqual(details);
});
