import { readGoDuration } from '../../../machinery/go/go-duration.ts';
import { parseGoUrl } from '../../../machinery/go/go-url.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { ServerConfig } from '../server-config.ts';
import type { UpstreamOptions } from './options.ts';

const negative = (flag: string): string => `${flag} can not be negative value`;

/** Follows apiserver pkg/server/options/server_run_options.go Validate. */
export function servingProblems({ number, duration, given }: UpstreamOptions): readonly string[] {
  const ms = (name: string): number => readGoDuration(given.get(name)?.at(-1) ?? '0') ?? 0;
  return [
    ...(ms('livez-grace-period') < 0 ? ['--livez-grace-period can not be a negative value'] : []),
    ...(duration['request-timeout'] < 0 ? [negative('--request-timeout')] : []),
    ...(number['min-request-timeout'] < 0 ? [negative('--min-request-timeout')] : []),
    ...(ms('storage-initialization-timeout') < 0 ? [negative('--storage-initialization-timeout')] : []),
    ...(ms('shutdown-watch-termination-grace-period') < 0
      ? ['shutdown-watch-termination-grace-period, if provided, can not be a negative value']
      : []),
  ];
}

const mediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

/** Follows apiserver pkg/server/options/etcd.go Validate. */
export function storageProblems({ given }: UpstreamOptions): readonly string[] {
  const last = (name: string): string => given.get(name)?.at(-1) ?? '';
  const overrides = given.get('etcd-servers-overrides') ?? [];
  const media = last('storage-media-type');
  return [
    ...(['', 'etcd3'].includes(last('storage-backend'))
      ? []
      : ["--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'"]),
    ...(overrides.join(',').split(',').every(isOverride)
      ? []
      : [
          '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
        ]),
    ...(last('encryption-provider-config') === '' && last('encryption-provider-config-automatic-reload') === 'true'
      ? ['--encryption-provider-config-automatic-reload must be set with --encryption-provider-config']
      : []),
    ...(media === '' || mediaTypes.includes(media)
      ? []
      : [`--storage-media-type ${goQuote(media)} invalid, allowed values: ${mediaTypes.join(', ')}`]),
  ];
}

function isOverride(text: string): boolean {
  const [resource = '', ...servers] = text.split('#');
  return text === '' || (resource.includes('/') && servers.length === 1);
}

/** Errors that kube-apiserver reports one by one after all other flags are valid. */
export function lateProblem({ given, duration }: UpstreamOptions): string | undefined {
  const maxExpirationMs = duration['service-account-max-token-expiration'];
  if (maxExpirationMs !== 0 && (maxExpirationMs < 3_600_000 || maxExpirationMs > 2 ** 32 * 1000)) {
    return 'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds';
  }
  return cacheSizeFault((given.get('watch-cache-sizes') ?? []).join(','));
}

/** Follows apiserver pkg/server/options/etcd.go ParseWatchCacheSizes. */
function cacheSizeFault(sizes: string): string | undefined {
  for (const size of sizes.split(',')) {
    if (size === '') continue;
    const [, count, ...more] = size.split('#');
    if (count === undefined || more.length > 0) return `invalid value of watch cache size: ${size}`;
    if (!/^[+-]?\d{1,15}$/.test(count)) return `invalid size of watch cache size: ${size}`;
    if (Number(count) < 0) return `watch cache size cannot be negative: ${size}`;
  }
  return undefined;
}

/** Follows kubernetes pkg/kubeapiserver/options/authentication.go Validate. */
export function authenticationProblems(config: ServerConfig, options: UpstreamOptions): readonly string[] {
  return [...oidcProblems(options), ...issuerProblems(config.serviceAccountIssuer), ...headerProblems(options)];
}

/** With an issuer the server does not start (unsupported-flags.ts). */
const oidcProblems = ({ given }: UpstreamOptions): readonly string[] =>
  [...given.keys()].some((name) => name.startsWith('oidc-'))
    ? ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set']
    : [];

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
function headerProblems({ list, given }: UpstreamOptions): readonly string[] {
  const empty = headerFlags.filter((name) => {
    const values = given.get(name)?.filter((text) => text !== '') ?? [];
    return values.some((text) => text.split(',').some((part) => part.trim() === ''));
  });
  const uids = list['requestheader-uid-headers'];
  return [
    ...empty.map((name) => `empty value in ${goQuote(name)}`),
    ...(uids.length > 0 && !uids.some((header) => header.toLowerCase() === 'x-remote-uid')
      ? [
          '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
        ]
      : []),
  ];
}
