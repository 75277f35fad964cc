import { isIP } from 'node:net';

interface ServingAddress {
  readonly bindAddress: string;
  /** `10.0.0.0/24`, or two ranges joined by a comma. */
  readonly serviceClusterIpRange: string;
  /** '' for none. */
  readonly externalHostname: string;
}

const always = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
];

/** Names and addresses of the API server. Follows kubeadm cmd/kubeadm/app/util/pkiutil/pki_helpers.go. */
export function servingNames({
  bindAddress,
  serviceClusterIpRange,
  externalHostname,
}: ServingAddress): readonly string[] {
  const own = isUnspecified(bindAddress) ? [] : [bindAddress];
  const service = serviceClusterIpRange.split(',').map((range) => firstAddress(range.trim()));
  return [...new Set([...always, ...service, ...own, externalHostname])].filter((name) => name !== '');
}

const isUnspecified = (address: string): boolean => address === '' || address === '0.0.0.0' || address === '::';

/** The address of the Service `kubernetes`: the first of the range. '' for an invalid range. */
export function firstAddress(range: string): string {
  const [network = '', length = ''] = range.split('/');
  if (isIP(network) === 4) {
    const bits = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const size = 2 ** (32 - Number(length));
    const first = Math.floor(bits / size) * size + 1;
    return [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.');
  }
  return isIP(network) === 6 ? new URL(`http://[${network.replace(/::$/, '::1')}]`).hostname.slice(1, -1) : '';
}
