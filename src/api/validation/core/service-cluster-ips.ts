import { duplicate, type FieldError, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import { eachOf, validateEnum, validateOptionalEnum } from '../field-rules.ts';
import { isIpAddress, validateIp } from './ip-address.ts';

interface ClusterIpFields {
  readonly type: string;
  readonly clusterIP: string;
  readonly clusterIPs: readonly string[];
  readonly ipFamilies: readonly string[];
  readonly ipFamilyPolicy: string | undefined;
  /** Before allocation, addresses only need to parse. */
  readonly isAhead?: true;
}

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Follows kubernetes pkg/apis/core/validation ValidateServiceClusterIPsRelatedFields. */
export function validateClusterIps(spec: ClusterIpFields): readonly FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const { clusterIPs, ipFamilies, ipFamilyPolicy } = spec;
  const malformed = eachOf(clusterIPs, (ip, index) => validateClusterIp(ip, index, spec));
  const repeats = duplicateIndexes(ipFamilies);
  const errors = [
    ...validateClusterIpSync(spec),
    ...eachOf(ipFamilies, (family, index) => [
      ...validateEnum(`spec.ipFamilies[${index}]`, family, families),
      ...(repeats.has(index) ? [duplicate(`spec.ipFamilies[${index}]`, family)] : []),
    ]),
    ...validateOptionalEnum('spec.ipFamilyPolicy', ipFamilyPolicy, policies),
    ...malformed,
    ...(clusterIPs.length > 2 ? [invalidValue('spec.clusterIPs', clusterIPs, 'may only hold up to 2 values')] : []),
  ];
  return malformed.length > 0 ? errors : [...errors, ...validateIpFamilies(spec)];
}

function validateClusterIpSync({ clusterIP, clusterIPs }: ClusterIpFields): readonly FieldError[] {
  if (clusterIP === '') {
    return clusterIPs.length === 0
      ? []
      : [invalidValue('spec.clusterIPs', clusterIPs, 'must be empty when `clusterIP` is not specified')];
  }
  if (clusterIPs.length === 0) return [required('spec.clusterIPs', '')];
  return clusterIPs[0] === clusterIP
    ? []
    : [invalidValue('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`')];
}

function validateClusterIp(ip: string, index: number, { clusterIPs, isAhead }: ClusterIpFields): readonly FieldError[] {
  if (index === 0 && ip === 'None') {
    return clusterIPs.length > 1
      ? [invalidValue('spec.clusterIPs', clusterIPs, "'None' must be the first and only value")]
      : [];
  }
  return isAhead && isIpAddress(ip) ? [] : validateIp(`spec.clusterIPs[${index}]`, ip);
}

const ipFamily = (ip: string): string => (ip.includes(':') ? 'IPv6' : 'IPv4');

function validateIpFamilies({ clusterIPs, ipFamilies }: ClusterIpFields): readonly FieldError[] {
  const [first, second] = clusterIPs;
  const bothOne = first !== undefined && second !== undefined && ipFamily(first) === ipFamily(second);
  const mismatches = clusterIPs.flatMap((ip, index) => {
    const family = ipFamilies[index];
    return ip === 'None' || family === undefined || !families.includes(family) || ipFamily(ip) === family
      ? []
      : [
          invalidValue(
            `spec.clusterIPs[${index}]`,
            ip,
            `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
          ),
        ];
  });
  return [
    ...(bothOne
      ? [invalidValue('spec.clusterIPs', clusterIPs, 'may specify no more than one IP for each IP family')]
      : []),
    ...mismatches,
  ];
}
