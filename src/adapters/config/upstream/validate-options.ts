import { fieldErrorText, forbiddenField, goQuote, invalidValue } from '../../../machinery/meta/field-error.ts';
import { readGoDuration } from '../../../machinery/go/go-duration.ts';
import type { ServerConfig } from '../server-config.ts';
import { defaultOptions } from './options.ts';
import type { UpstreamOptions } from './options.ts';
import { rangeFault, rangeProblems } from './service-ranges.ts';
import { auditProblems } from './validate-audit.ts';
import { authenticationProblems } from './validate-authentication.ts';
import { lateProblem, servingProblems, storageProblems } from './validate-serving.ts';
import { unreadableVersion, versionProblems } from './versions.ts';

/** Several errors as one. Follows apimachinery pkg/util/errors/errors.go: what is said twice stands once. */
export function aggregated(problems: readonly string[]): string | undefined {
  const different = [...new Set(problems)];
  return different.length > 1 ? `[${different.join(', ')}]` : different[0];
}

/**
 * What is wrong with flags, each problem by itself, in kube-apiserver's words and order. `plugins` is what is wrong with
 * the names of admission plugins. Follows pkg/controlplane/apiserver/options/validation.go and cmd/kube-apiserver/app/options.
 */
function optionProblems(config: ServerConfig, plugins: readonly string[]): readonly string[] {
  const { upstream = defaultOptions } = config;
  return [
    ...servingProblems(upstream),
    ...versionProblems(upstream),
    ...storageProblems(upstream),
    ...fairnessProblems(config, upstream),
    ...authenticationProblems(config, upstream),
    ...auditProblems(config, upstream),
    ...plugins,
    ...tokenProblems(config),
    ...metricsProblems(upstream),
    ...endpointProblems(config, upstream),
    ...electionProblems(upstream),
    ...rangeProblems(config.serviceClusterIpRange),
    ...portProblems(upstream),
    ...countProblems(upstream),
  ];
}

/** The line that kube-apiserver would end with; undefined when it would start. `plugins` is what is wrong with their names. */
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

/** What is said before all other flags are looked at. Follows component-base logs/api/v1/options.go. */
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

/** Follows validateAPIPriorityAndFairness. */
function fairnessProblems({ runtimeConfig }: ServerConfig, { truth }: UpstreamOptions): readonly string[] {
  if (!truth['enable-priority-and-fairness']) return [];
  const said = runtimeConfig.join(',').split(',');
  for (const api of ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all']) {
    if (said.includes(`${api}=false`)) {
      return [`--runtime-config=${api}=false conflicts with --enable-priority-and-fairness=true`];
    }
    if (said.includes(`${api}=true`)) return [];
  }
  return [];
}

/** Follows validateTokenRequest; who says nothing of issuers gets kadmit's own. */
const tokenProblems = ({ serviceAccountIssuer: [first] }: ServerConfig): readonly string[] =>
  first === ''
    ? ['--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together']
    : [];

/** Follows component-base metrics/api/v1/validation.go. */
function metricsProblems({ text }: UpstreamOptions): readonly string[] {
  const shown = text['show-hidden-metrics-for-version'];
  if (shown === '' || shown === '1.35') return [];
  const detail = "must be omitted or have the value '1.35'; only the previous minor version is allowed";
  return [fieldErrorText(invalidValue('metrics.showHiddenMetricsForVersion', shown, detail))];
}

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
