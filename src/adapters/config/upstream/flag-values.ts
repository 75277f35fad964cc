import { isIP } from 'node:net';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { goBoolError, readGoBool } from '../../../machinery/go/strconv.ts';
import { goDurationError } from '../../../machinery/go/go-duration.ts';

/** The texts of the given flags of kube-apiserver, by name. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

/** How kube-apiserver parses a flag. `text` and `texts` (a comma-separated list) accept anything. */
export type FlagType =
  | 'bool'
  | 'whole'
  | 'natural'
  | 'float'
  | 'duration'
  | 'ip'
  | 'text'
  | 'texts'
  | 'pair'
  | 'labels'
  | 'quantity'
  | 'ports'
  | 'sni'
  | 'numbers'
  | 'level'
  | 'modules';

const names: Readonly<Record<FlagType, string>> = {
  bool: `
    aggregator-reject-forwarding-redirect allow-privileged anonymous-auth audit-log-batch-throttle-enable
    audit-log-compress audit-log-truncate-enabled audit-webhook-batch-throttle-enable audit-webhook-truncate-enabled
    contention-profiling disable-http2-serving emulation-forward-compatible enable-aggregator-routing
    enable-bootstrap-token-auth enable-garbage-collector enable-logs-handler enable-priority-and-fairness
    encryption-provider-config-automatic-reload help log-json-split-stream log-text-split-stream
    permit-address-sharing permit-port-sharing profiling runtime-config-emulation-forward-compatible
    service-account-extend-token-expiration service-account-lookup shutdown-send-retry-after version
    watch-cache`,
  whole: `
    apiserver-count audit-log-batch-buffer-size audit-log-batch-max-size audit-log-batch-throttle-burst
    audit-log-maxage audit-log-maxbackup audit-log-maxsize audit-log-truncate-max-batch-size
    audit-log-truncate-max-event-size audit-webhook-batch-buffer-size audit-webhook-batch-max-size
    audit-webhook-batch-throttle-burst audit-webhook-truncate-max-batch-size audit-webhook-truncate-max-event-size
    default-not-ready-toleration-seconds default-unreachable-toleration-seconds default-watch-cache-size
    delete-collection-workers http2-max-streams-per-connection kubernetes-service-node-port
    lease-reuse-duration-seconds max-connection-bytes-per-sec max-mutating-requests-inflight max-requests-inflight
    min-request-timeout secure-port`,
  natural: 'kubelet-port kubelet-read-only-port',
  float: 'audit-log-batch-throttle-qps audit-webhook-batch-throttle-qps goaway-chance',
  duration: `
    audit-log-batch-max-wait audit-webhook-batch-initial-backoff audit-webhook-batch-max-wait
    audit-webhook-initial-backoff authentication-token-webhook-cache-ttl authorization-webhook-cache-authorized-ttl
    authorization-webhook-cache-unauthorized-ttl coordinated-leadership-lease-duration
    coordinated-leadership-renew-deadline coordinated-leadership-retry-period etcd-compaction-interval
    etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-readycheck-timeout
    event-ttl kubelet-timeout livez-grace-period log-flush-frequency request-timeout
    service-account-max-token-expiration shutdown-delay-duration shutdown-watch-termination-grace-period
    storage-initialization-timeout`,
  ip: 'advertise-address bind-address',
  text: `
    admission-control-config-file allow-metric-labels-manifest audit-log-format audit-log-mode audit-log-path
    audit-log-version audit-policy-file audit-webhook-config-file audit-webhook-mode audit-webhook-version
    authentication-config authentication-token-webhook-config-file authentication-token-webhook-version
    authorization-config authorization-policy-file authorization-webhook-config-file authorization-webhook-version
    cert-dir client-ca-file debug-socket-path egress-selector-config-file encryption-provider-config
    endpoint-reconciler-type etcd-cafile etcd-certfile etcd-keyfile etcd-prefix external-hostname feature-gates
    kubelet-certificate-authority kubelet-client-certificate kubelet-client-key logging-format oidc-ca-file
    oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url oidc-username-claim oidc-username-prefix
    peer-advertise-ip peer-advertise-port peer-ca-file proxy-client-cert-file proxy-client-key-file
    requestheader-client-ca-file runtime-config service-account-issuer service-account-jwks-uri
    service-account-key-file service-account-signing-endpoint service-account-signing-key-file
    service-cluster-ip-range show-hidden-metrics-for-version storage-backend storage-media-type tls-cert-file
    tls-min-version tls-private-key-file token-auth-file tracing-config-file`,
  texts: `
    admission-control api-audiences authorization-mode cors-allowed-origins disable-admission-plugins
    disabled-metrics emulated-version enable-admission-plugins etcd-servers etcd-servers-overrides
    kubelet-preferred-address-types min-compatibility-version oidc-signing-algs requestheader-allowed-names
    requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
    requestheader-username-headers strict-transport-security-directives tls-cipher-suites watch-cache-sizes`,
  pair: 'oidc-required-claim',
  labels: 'allow-metric-labels',
  quantity: 'log-json-info-buffer-size log-text-info-buffer-size',
  ports: 'service-node-port-range',
  sni: 'tls-sni-cert-key',
  numbers: 'tls-curve-preferences',
  level: 'v',
  modules: 'vmodule',
};

const isType = (text: string): text is FlagType => Object.hasOwn(names, text);

/**
 * Every flag of kube-apiserver v1.37 and its type. Follows pkg/controlplane/apiserver/options,
 * cmd/kube-apiserver/app/options, apiserver pkg/server/options and component-base.
 */
export const flagTypes: ReadonlyMap<string, FlagType> = new Map(
  Object.entries(names).flatMap(([type, list]) =>
    isType(type)
      ? list
          .trim()
          .split(/\s+/)
          .map((name) => [name, type] as const)
      : [],
  ),
);

/** pflag's error: `invalid argument "x" for "--v" flag: …`; undefined for a valid value. */
export function valueFault(name: string, type: FlagType, text: string): string | undefined {
  const fault = faults[type]?.(text);
  if (fault === undefined) return undefined;
  return `invalid argument ${goQuote(text)} for "${type === 'level' ? '-v, --v' : `--${name}`}" flag: ${fault}`;
}

type Fault = (text: string) => string | undefined;

const parsing = (what: string, text: string, why: string): string =>
  `strconv.${what}: parsing ${goQuote(text)}: ${why}`;

/** As Go's ParseInt with base 0. */
const integer =
  (what: 'ParseInt' | 'ParseUint', lowest: bigint, highest: bigint): Fault =>
  (text) => {
    const unsigned = what === 'ParseInt' ? text.replace(/^[+-]/, '') : text;
    if (!/^(?:\d{1,400}|0x[\da-f]{1,400}|0o?[0-7]{1,400}|0b[01]{1,400})$/i.test(unsigned)) {
      return parsing(what, text, 'invalid syntax');
    }
    const digits = unsigned.replace(/^0(?=\d)/, '0o');
    if (/^0o.*[89]/.test(digits)) return parsing(what, text, 'invalid syntax');
    const value = BigInt(digits) * (text.startsWith('-') ? -1n : 1n);
    return value < lowest || value > highest ? parsing(what, text, 'value out of range') : undefined;
  };

const int64: Fault = integer('ParseInt', -(2n ** 63n), 2n ** 63n - 1n);
const uint32: Fault = integer('ParseUint', 0n, 2n ** 32n - 1n);
/** Verbosity is base 10. */
const level: Fault = (text) =>
  /^\d{1,400}$/.test(text)
    ? Number(text) > 2 ** 31 - 1
      ? parsing('ParseUint', text, 'value out of range')
      : undefined
    : parsing('ParseUint', text, 'invalid syntax');

const float: Fault = (text) => {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return parsing('ParseFloat', text, 'invalid syntax');
  return Number.isFinite(Number(text)) ? undefined : parsing('ParseFloat', text, 'value out of range');
};

const quantityForm = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Follows component-base logs/api/v1/types.go and klog. */
const modules: Fault = (text) => {
  for (const entry of text.split(',').filter((one) => one !== '')) {
    const parts = entry.split('=');
    const [pattern = '', verbosity = ''] = parts;
    if (parts.length !== 2 || pattern === '' || verbosity === '') {
      return `${goQuote(entry)} does not have the pattern=N format`;
    }
    const fault = level(verbosity);
    if (fault !== undefined) return `parsing verbosity in ${goQuote(entry)}: ${fault}`;
  }
  return undefined;
};

/** Follows apimachinery pkg/util/net/port_range.go. */
const ports: Fault = (text) => {
  const value = text.trim();
  if (value === '') return undefined;
  const [first = '', last] = value.includes('-') ? value.split('-') : value.split('+');
  const wrong = [first, last].find((part) => part !== undefined && !/^[+-]?\d{1,18}$/.test(part));
  if (wrong !== undefined) return parsing('Atoi', wrong, 'invalid syntax');
  const from = Number(first);
  const to = last === undefined ? from : value.includes('-') ? Number(last) : from + Number(last);
  if (from > 65_535 || to > 65_535) return `the port range cannot be greater than 65535: ${value}`;
  return to < from ? `end port cannot be less than start port: ${value}` : undefined;
};

/** Follows component-base cli/flag/namedcertkey_flag.go. */
const sni: Fault = (text) => {
  const [files = '', names] = text.split(/:(.*)/s);
  if (names !== undefined && names.trim() === '') return 'empty names list is not allowed';
  const isPair = files.split(',').filter((file) => file.trim() !== '').length === 2 && files.split(',').length === 2;
  return isPair ? undefined : 'expected comma separated certificate and key file paths';
};

const faults: Readonly<Partial<Record<FlagType, Fault>>> = {
  bool: (text) => (readGoBool(text) === undefined ? goBoolError(text) : undefined),
  whole: int64,
  natural: uint32,
  float,
  duration: goDurationError,
  ip: (text) => (text.trim() === '' || isIP(text.trim()) !== 0 ? undefined : `failed to parse IP: ${goQuote(text)}`),
  pair: (text) => (text.includes('=') ? undefined : 'malformed pair, expect string=string'),
  labels: (text) => (text.includes('=') ? undefined : `${text} must be formatted as key=value`),
  quantity: (text) => (/^[+-]?[\d.]+(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/.test(text) ? undefined : quantityForm),
  ports,
  sni,
  numbers: (text) =>
    text
      .split(',')
      .map(integer('ParseInt', -(2n ** 31n), 2n ** 31n - 1n))
      .find((fault) => fault !== undefined),
  level,
  modules,
};
