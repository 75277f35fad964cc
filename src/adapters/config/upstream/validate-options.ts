import { isIPv4, isIPv6 } from 'node:net';
import { parseGoUrl } from '../../../machinery/go/go-url.ts';
import { fieldErrorText, goQuote, invalidValue } from '../../../machinery/meta/field-error.ts';
import type { ServerConfig } from '../server-config.ts';
import type { GivenFlags } from './flag-values.ts';
import { emulationProblems, unreadableVersion } from './versions.ts';

/** Joins errors and drops repeated ones. Follows apimachinery pkg/util/errors/errors.go. */
export function aggregated(problems: readonly string[]): string | undefined {
  const different = [...new Set(problems)];
  return different.length > 1 ? `[${different.join(', ')}]` : different[0];
}

/**
 * All errors in kube-apiserver's words and order; `plugins` are the errors of admission plugin names. Follows
 * pkg/controlplane/apiserver/options/validation.go and cmd/kube-apiserver/app/options.
 */
const optionProblems = (config: ServerConfig, plugins: readonly string[], given: GivenFlags): readonly string[] => [
  ...timeoutProblems(config),
  ...emulationProblems(config.emulatedVersion),
  ...issuerProblems(config.serviceAccountIssuer),
  ...headerProblems(config, given),
  ...plugins,
  ...tokenProblems(config),
  ...rangeProblems(config.serviceClusterIpRange),
];

/** kube-apiserver's last line; undefined when it would start. */
export const optionsProblem = (
  config: ServerConfig,
  plugins: readonly string[],
  given: GivenFlags = new Map(),
): string | undefined =>
  unreadableVersion(config.emulatedVersion) ??
  rangeFault(config.serviceClusterIpRange) ??
  aggregated(optionProblems(config, plugins, given)) ??
  expirationProblem(config);

/** Reported before all others. Follows component-base logs/api/v1/options.go. */
export function logFormatProblem(given: GivenFlags): string | undefined {
  const format = given.get('logging-format')?.at(-1) ?? 'text';
  return format === 'text' || format === 'json'
    ? undefined
    : fieldErrorText(invalidValue('format', format, 'Unsupported log format'));
}

/** Follows apiserver pkg/server/options/server_run_options.go Validate. */
const timeoutProblems = ({ requestTimeout, minRequestTimeout }: ServerConfig): readonly string[] => [
  ...(requestTimeout < 0 ? ['--request-timeout can not be negative value'] : []),
  ...(minRequestTimeout < 0 ? ['--min-request-timeout can not be negative value'] : []),
];

/** Follows kubernetes pkg/kubeapiserver/options/authentication.go Validate. */
function issuerProblems(issuers: readonly string[]): readonly string[] {
  return issuers.flatMap((issuer, index) => {
    const parsed = issuer.includes(':') ? parseGoUrl(issuer) : undefined;
    if (parsed?.outcome === 'unparsable') {
      return [`service-account-issuer ${goQuote(issuer)} contained a ':' but was not a valid URL: ${parsed.error}`];
    }
    if (issuer === '') return ['service-account-issuer should not be an empty string'];
    return issuers.indexOf(issuer) < index ? [`service-account-issuer ${goQuote(issuer)} is already specified`] : [];
  });
}

const headerFlags = [
  'requestheader-username-headers',
  'requestheader-group-headers',
  'requestheader-extra-headers-prefix',
  'requestheader-allowed-names',
  'requestheader-uid-headers',
] as const;

/** Follows apiserver pkg/server/options/authentication.go RequestHeaderAuthenticationOptions Validate. */
function headerProblems({ requestheaderUidHeaders: uids }: ServerConfig, given: GivenFlags): readonly string[] {
  const empty = headerFlags.filter((name) => {
    const values = given.get(name)?.filter((text) => text !== '') ?? [];
    return values.some((text) => text.split(',').some((part) => part.trim() === ''));
  });
  return [
    ...empty.map((name) => `empty value in ${goQuote(name)}`),
    ...(uids.length > 0 && !uids.some((header) => header.toLowerCase() === 'x-remote-uid')
      ? [
          '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
        ]
      : []),
  ];
}

/** Follows validateTokenRequest; the default issuer is kadmit's. */
const tokenProblems = ({ serviceAccountIssuer: [first] }: ServerConfig): readonly string[] =>
  first === ''
    ? ['--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together']
    : [];

/** Reported after all others. Follows kubernetes pkg/controlplane/apiserver/options/options.go. */
function expirationProblem({ serviceAccountMaxTokenExpiration: ms }: ServerConfig): string | undefined {
  return ms !== 0 && (ms < 3_600_000 || ms > 2 ** 32 * 1000)
    ? 'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds'
    : undefined;
}

interface Range {
  readonly isV4: boolean;
  readonly bits: number;
}

function rangeOf(text: string): Range | undefined {
  const [address = '', bits = ''] = text.split('/');
  const isV4 = isIPv4(address);
  const maxPrefix = isV4 ? 32 : isIPv6(address) ? 128 : -1;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxPrefix ? { isV4, bits: Number(bits) } : undefined;
}

const entriesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

/**
 * The invalid one of the Service ranges. Follows cmd/kube-apiserver/app/options/completion.go getServiceIPAndRanges.
 */
function rangeFault(text: string): string | undefined {
  const ranges = entriesOf(text).slice(0, 2).map(rangeOf);
  const wrong = ranges.indexOf(undefined);
  const [first] = ranges;
  if (wrong >= 0) return `service-cluster-ip-range[${wrong}] is not a valid cidr`;
  if (!first || (first.isV4 ? 32 : 128) - first.bits >= 3) return undefined;
  return 'error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses';
}

/** Follows cmd/kube-apiserver/app/options/validation.go validateClusterIPFlags. */
function rangeProblems(text: string): readonly string[] {
  const entries = entriesOf(text);
  const [first, second] = entries.map(rangeOf);
  return [
    ...(entries.length > 2 ? ['--service-cluster-ip-range must not contain more than two entries'] : []),
    ...(first && second && first.isV4 === second.isV4
      ? ['--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family']
      : []),
  ];
}
