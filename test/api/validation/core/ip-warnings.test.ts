import { expect, test } from 'vitest';
import { canonicalCidr, canonicalIp } from '../../../../src/machinery/go/ip-address.ts';
import { cidrWarnings, ipWarnings } from '../../../../src/api/validation/core/ip-warnings.ts';
import { creating } from '../../strategy/write.ts';
import { readRelease } from '../../../../src/api/release/load-release.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';
import type { Release } from '../../../../src/api/release/release.ts';

/** As Go's net.IP.String and RFC 5952 have it. */
test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['010.000.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::ffff:0a00:1', '10.0.0.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['1:0:0:0:0:0:0:0', '1::'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['256.0.0.1', undefined],
  ['1:2:3:4:5:6:7:8:9', undefined],
  ['1::2::3', undefined],
  ['fe80::1%eth0', undefined],
  ['', undefined],
])('%s is %s', (text, canonical) => {
  expect(canonicalIp(text)?.text).toBe(canonical);
});

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['2001:0DB8::/32', '2001:db8::/32'],
  ['2001:db8::1/64', '2001:db8::/64'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['10.0.0.0/33', undefined],
  ['::/129', undefined],
])('the network %s is %s', (text, canonical) => {
  expect(canonicalCidr(text)?.text).toBe(canonical);
});

/** Follows apimachinery pkg/util/validation/ip_test.go TestGetWarningsForIP and its sister. */
test.each<readonly [string, readonly string[]]>([
  ['192.168.0.1', []],
  ['2001:db8::1', []],
  ['192.168.000.001', ['f: non-standard IP address "192.168.000.001" is invalid: use "192.168.0.1"']],
  ['::ffff:1.2.3.4', ['f: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"']],
  ['2001:db8:0:0::2', ['f: IPv6 address "2001:db8:0:0::2" should be in RFC 5952 canonical format ("2001:db8::2")']],
])('of the address %s is said', (ip, warnings) => {
  expect(ipWarnings('f', ip)).toEqual(warnings);
});

test.each<readonly [string, readonly string[]]>([
  ['10.0.0.0/8', []],
  [
    '192.168.0.8/24',
    ['f: CIDR value "192.168.0.8/24" is ambiguous in this context (should be "192.168.0.0/24" or "192.168.0.8/32"?)'],
  ],
  ['192.168.000.0/24', ['f: non-standard CIDR value "192.168.000.0/24" is invalid: use "192.168.0.0/24"']],
  ['::ffff:192.168.0.0/120', ['f: non-standard CIDR value "::ffff:192.168.0.0/120" is invalid: use "192.168.0.0/24"']],
  ['2001:DB8::/64', ['f: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")']],
])('of the network %s is said', (cidr, warnings) => {
  expect(cidrWarnings('f', cidr)).toEqual(warnings);
});

const parentRef = { resource: 'services', namespace: 'ns', name: 's' };
const address = (name: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { name },
  spec: { parentRef },
});
const range = (cidr: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: { name: 'r' },
  spec: { cidrs: [cidr] },
});

/** Follows kubernetes pkg/apis/networking/validation/validation.go ValidateIPAddressName and ValidateServiceCIDR. */
test.each([
  [address('10.0.0.9'), 'created'],
  [address('2001:db8::9'), 'created'],
  [
    address('2001:db8:0::9'),
    'IPAddress.networking.k8s.io "2001:db8:0::9" is invalid: metadata.name: Invalid value: "2001:db8:0::9": must be in canonical form ("2001:db8::9")',
  ],
  [
    address('nine'),
    'IPAddress.networking.k8s.io "nine" is invalid: metadata.name: Invalid value: "nine": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [range('2001:db8::/64'), 'created'],
  [
    range('2001:db8:0::/64'),
    'ServiceCIDR.networking.k8s.io "r" is invalid: spec.cidrs[0]: Invalid value: "2001:db8:0::/64": must be in canonical form ("2001:db8::/64")',
  ],
  [
    range('2001:db8::1/64'),
    'ServiceCIDR.networking.k8s.io "r" is invalid: spec.cidrs[0]: Invalid value: "2001:db8::1/64": must not have bits set beyond the prefix length',
  ],
])('%j', (manifest, answer) => {
  expect(creating(manifest)).toBe(answer);
});

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
  return reading.outcome === 'known' ? reading.load() : recordedRelease;
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
  ['a new network', '1.33', policies, policy('10.0.0.1/8'), policy('10.0.0.0/8'), []],
])('%s in an update of %s', async (...row) => {
  const [, name, resource, object, old, details] = row;
  const release = await releaseOf(name);
  const errors = release.strategyFor(resource).validateUpdate(object, old, '');
  expect(errors.map(({ detail }) => detail)).toEqual(details);
});
