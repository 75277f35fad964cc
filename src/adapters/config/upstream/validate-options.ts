import { isIPv4, isIPv6 } from 'node:net';
import { readGoDuration } from '../../../machinery/go/go-duration.ts';
import { fieldErrorText, forbiddenField, goQuote, invalidValue } from '../../../machinery/meta/field-error.ts';
import type { ServerConfig } from '../server-config.ts';
import { defaultOptions, type UpstreamOptions } from './options.ts';
import { authenticationProblems, lateProblem, servingProblems, storageProblems } from './validate-serving.ts';
import { unreadableVersion, versionProblems } from './versions.ts';

/** Joins errors and drops repeated ones. Follows apimachinery pkg/util/errors/errors.go. */
export function aggregated(problems: readonly string[]): string | undefined {
  const different = [...new Set(problems)];
  return different.length > 1 ? `[${different.join(', ')}]` : different[0];
}

/**
 * All errors in kube-apiserver's words and order; `plugins` are the errors of admission plugin names. Follows
 * pkg/controlplane/apiserver/options/validation.go and cmd/kube-apiserver/app/options.
 */
function optionProblems(config: ServerConfig, plugins: readonly string[]): readonly string[] {
  const { upstream = defaultOptions } = config;
  return [
    ...servingProblems(upstream),
    ...versionProblems(upstream),
    ...storageProblems(upstream),
    ...authenticationProblems(config, upstream),
    ...plugins,
    ...tokenProblems(config),
    ...endpointProblems(config, upstream),
    ...electionProblems(upstream),
    ...rangeProblems(config.serviceClusterIpRange),
    ...portProblems(upstream),
    ...countProblems(upstream),
  ];
}

/** kube-apiserver's last line; undefined when it would start. */
export function optionsProblem(config: ServerConfig, plugins: readonly string[]): string | undefined {
  const { upstream = defaultOptions } = config;
  return (
    earlyProblem(upstream) ??
    unreadableVersion(upstream) ??
    rangeFault(config.serviceClusterIpRange) ??
    aggregated(optionProblems(config, plugins)) ??
    lateProblem(upstream)
  );
}

/** Errors reported before all others. Follows component-base logs/api/v1/options.go. */
export function earlyProblem(upstream: UpstreamOptions): string | undefined {
  const last = lastOf(upstream);
  const { given } = upstream;
  const format = last('logging-format') ?? 'text';
  const errors = [
    ...(format === 'text' || format === 'json' ? [] : [invalidValue('format', format, 'Unsupported log format')]),
    ...((readGoDuration(last('log-flush-frequency') ?? '5s') ?? 0) < 0
      ? [invalidValue('flushFrequency', last('log-flush-frequency') ?? '', 'Must be greater than zero')]
      : []),
    ...(format === 'json' && given.has('vmodule')
      ? [forbiddenField('vmodule', 'Only supported for text log format')]
      : []),
    ...['text', 'json'].flatMap((one) => [
      ...(last(`log-${one}-split-stream`) === 'true' ? [alphaLogging(`options.${one}.splitStream`)] : []),
      ...(/[1-9]/.test(last(`log-${one}-info-buffer-size`) ?? '')
        ? [alphaLogging(`options.${one}.infoBufferSize`)]
        : []),
    ]),
  ];
  return aggregated(errors.map(fieldErrorText));
}

const alphaLogging = (field: string): ReturnType<typeof forbiddenField> =>
  forbiddenField(field, 'Feature LoggingAlphaOptions is disabled');

const lastOf =
  ({ given }: UpstreamOptions) =>
  (name: string): string | undefined =>
    given.get(name)?.at(-1);

/** Follows validateTokenRequest; the default issuer is kadmit's. */
const tokenProblems = ({ serviceAccountIssuer: [first] }: ServerConfig): readonly string[] =>
  first === ''
    ? ['--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together']
    : [];

/** Follows validateUnknownVersionInteroperabilityProxyFlags and validateServiceAccountTokenSigningConfig. */
function endpointProblems(config: ServerConfig, { given }: UpstreamOptions): readonly string[] {
  const peers = ['peer-ca-file', 'peer-advertise-ip', 'peer-advertise-port'].filter((name) => given.has(name));
  const endpoint = given.get('service-account-signing-endpoint')?.at(-1) ?? '';
  const hasKeys = config.serviceAccountSigningKeyFile !== '' || config.serviceAccountKeyFile.length > 0;
  const isAbstract = /^@(?:[a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/.test(endpoint);
  return [
    ...peers.map((name) => `--${name} requires UnknownVersionInteroperabilityProxy feature to be turned on`),
    ...(endpoint !== '' && hasKeys
      ? [
          "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
        ]
      : []),
    ...(endpoint.startsWith('@') && !isAbstract
      ? [
          `invalid value ${goQuote(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`,
        ]
      : []),
  ];
}

/** Follows validateCoordinatedLeadershipFlags. */
function electionProblems(options: UpstreamOptions): readonly string[] {
  const last = lastOf(options);
  const [lease = 0, renew = 0, retry = 0] = [
    ['coordinated-leadership-lease-duration', '15s'],
    ['coordinated-leadership-renew-deadline', '10s'],
    ['coordinated-leadership-retry-period', '2s'],
  ].map(([name = '', standard = '']) => readGoDuration(last(name) ?? standard));
  return [
    ...(lease <= renew
      ? ['--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline']
      : []),
    ...(renew <= retry
      ? ['--coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period']
      : []),
  ];
}

/** Follows validateServiceNodePort. */
function portProblems(options: UpstreamOptions): readonly string[] {
  const last = lastOf(options);
  const port = Number(last('kubernetes-service-node-port') ?? 0);
  const range = last('service-node-port-range') || '30000-32767';
  const [from = 0, to = from] = range.split('-').map(Number);
  return [
    ...(port < 0 || port > 65_535
      ? [
          `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
        ]
      : []),
    ...(port > 0 && (port < from || port > to)
      ? [`kubernetes service node port range ${range} doesn't contain ${port}`]
      : []),
  ];
}

function countProblems(options: UpstreamOptions): readonly string[] {
  const count = Number(lastOf(options)('apiserver-count') ?? 1);
  return count > 0 ? [] : [`--apiserver-count should be a positive number, but value '${count}' provided`];
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
