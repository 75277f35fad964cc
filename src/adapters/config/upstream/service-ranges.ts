import { isIPv4, isIPv6 } from 'node:net';

interface Range {
  readonly isV4: boolean;
  readonly bits: number;
}

function rangeOf(text: string): Range | undefined {
  const [address = '', bits = ''] = text.split('/');
  const isV4 = isIPv4(address);
  const most = isV4 ? 32 : isIPv6(address) ? 128 : -1;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { isV4, bits: Number(bits) } : undefined;
}

const entriesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

/** Which of the ranges of Services is none. Follows cmd/kube-apiserver/app/options/completion.go getServiceIPAndRanges. */
export function rangeFault(text: string): string | undefined {
  const ranges = entriesOf(text).slice(0, 2).map(rangeOf);
  const wrong = ranges.indexOf(undefined);
  const [first] = ranges;
  if (wrong >= 0) return `service-cluster-ip-range[${wrong}] is not a valid cidr`;
  if (!first || (first.isV4 ? 32 : 128) - first.bits >= 3) return undefined;
  return 'error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses';
}

/** Follows cmd/kube-apiserver/app/options/validation.go validateClusterIPFlags. */
export function rangeProblems(text: string): readonly string[] {
  const entries = entriesOf(text);
  const [first, second] = entries.map(rangeOf);
  return [
    ...(entries.length > 2 ? ['--service-cluster-ip-range must not contain more than two entries'] : []),
    ...(first && second && first.isV4 === second.isV4
      ? ['--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family']
      : []),
  ];
}
