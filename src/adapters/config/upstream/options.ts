import { currentMinor } from '../../../machinery/meta/release-names.ts';
import { readGoDuration } from '../../../machinery/go/go-duration.ts';
import { readGoBool } from '../../../machinery/go/go-bool.ts';

type Rows<Value> = Readonly<Record<string, readonly [fallback: Value, help: string]>>;

const numbers = {
  'audit-log-batch-buffer-size': [10_000, 'mode batch: so many events wait, more are lost'],
  'audit-log-batch-max-size': [1, 'mode batch: so many events go together'],
  'audit-log-batch-throttle-burst': [0, 'mode batch: so many batches go at once'],
  'audit-log-batch-throttle-qps': [0, 'mode batch: so many batches go in a second'],
  'audit-log-truncate-max-batch-size': [10_485_760, 'truncating: bytes of a batch'],
  'audit-log-truncate-max-event-size': [102_400, 'truncating: bytes of an event; larger ones lose their bodies'],
  'audit-webhook-batch-buffer-size': [10_000, 'mode batch: so many events wait, more are lost'],
  'audit-webhook-batch-max-size': [400, 'mode batch: so many events go together'],
  'audit-webhook-batch-throttle-burst': [15, 'mode batch: so many batches go at once'],
  'audit-webhook-batch-throttle-qps': [10, 'mode batch: so many batches go in a second'],
  'audit-webhook-truncate-max-batch-size': [10_485_760, 'truncating: bytes of a batch'],
  'audit-webhook-truncate-max-event-size': [102_400, 'truncating: bytes of an event; larger ones lose their bodies'],
  'audit-log-maxage': [366, 'days after which an old audit log is removed; 0: never'],
  'audit-log-maxbackup': [100, 'so many old audit logs are kept; 0: all'],
  'audit-log-maxsize': [100, 'megabytes after which a new audit log begins; 0: never'],
  'goaway-chance': [0, 'how often, of 1, a request over HTTP/2 ends its connection; 0.02 at most'],
  'http2-max-streams-per-connection': [0, 'streams of an HTTP/2 connection; 0: 250'],
  'max-mutating-requests-inflight': [
    200,
    'without priority and fairness: writes at the same time, others get 429; 0: any number',
  ],
  'max-requests-inflight': [
    400,
    'without priority and fairness: reads at the same time, others get 429; 0: any number',
  ],
  'min-request-timeout': [1800, 'seconds a watch lasts at least, up to twice as many'],
} satisfies Rows<number>;

const durations = {
  'audit-log-batch-max-wait': [0, 'mode batch: a batch waits so long to be full'],
  'audit-webhook-batch-max-wait': [30_000, 'mode batch: a batch waits so long to be full'],
  'audit-webhook-initial-backoff': [10_000, 'how long until a failed call to the audit webhook is made again'],
  'request-timeout': [60_000, 'how long a request may take; its parameter timeout may say less'],
  'service-account-max-token-expiration': [0, 'how long ServiceAccount tokens last at most; 0: as long as asked for'],
  'shutdown-delay-duration': [0, 'how long a server that was told to stop goes on, with /readyz saying so'],
} satisfies Rows<number>;

const truths = {
  'audit-log-batch-throttle-enable': [false, 'mode batch: keep to qps and burst'],
  'audit-log-compress': [false, 'old audit logs are compressed'],
  'audit-log-truncate-enabled': [false, 'events and batches that are too large are cut'],
  'audit-webhook-batch-throttle-enable': [true, 'mode batch: keep to qps and burst'],
  'audit-webhook-truncate-enabled': [false, 'events and batches that are too large are cut'],
  'disable-http2-serving': [false, 'HTTP/1.1 alone'],
  'enable-bootstrap-token-auth': [false, 'bearer tokens of Secrets of type bootstrap.kubernetes.io/token'],
  'enable-priority-and-fairness': [
    true,
    'false: the two limits of requests in flight count, each by itself; otherwise nobody is refused for load',
  ],
  'service-account-extend-token-expiration': [true, 'tokens that admission has Pods ask for last a year'],
  'service-account-lookup': [true, 'a token ends with its ServiceAccount and what it is bound to'],
} satisfies Rows<boolean>;

const texts = {
  'audit-log-format': ['json', 'json, or legacy: a line of text for an event'],
  'audit-log-mode': ['blocking', 'blocking, blocking-strict or batch'],
  'audit-log-version': ['audit.k8s.io/v1', 'of audit events in the log'],
  'audit-webhook-config-file': ['', 'the kubeconfig that says where audit events go besides the log'],
  'audit-webhook-mode': ['batch', 'batch, blocking or blocking-strict'],
  'audit-webhook-version': ['audit.k8s.io/v1', 'of audit events sent to the webhook'],
  'oidc-ca-file': ['', 'CAs (PEM) of the issuer; those of the system unless given'],
  'oidc-client-id': ['', 'whom tokens of the issuer must be meant for'],
  'oidc-groups-claim': ['', 'the claim that names groups'],
  'oidc-groups-prefix': ['', 'what all groups begin with'],
  'oidc-issuer-url': ['', 'an OpenID Connect issuer whose tokens (JWTs) are taken'],
  'oidc-username-claim': ['sub', 'the claim that names the user'],
  'oidc-username-prefix': ['', 'what all users begin with; the issuer and # unless given, - for nothing'],
  'requestheader-client-ca-file': ['', 'CAs (PEM) of proxies that name the user in headers'],
  'service-account-jwks-uri': ['', 'where the discovery document says that the keys are'],
  'show-hidden-metrics-for-version': ['', 'takes 1.35; there are no hidden metrics here'],
  'tracing-config-file': ['', 'a TracingConfiguration: the collector that spans go to by gRPC, and how many'],
  'tls-min-version': ['', 'VersionTLS12, or VersionTLS13'],
} satisfies Rows<string>;

const lists = {
  'cors-allowed-origins': [[], 'regular expressions of origins whose pages may ask, ^ and $ or // and : around them'],
  'emulated-version': [[], `1.${currentMinor - 3} to 1.${currentMinor - 1}: as --kubernetes-version`],
  'min-compatibility-version': [[], `takes 1.${currentMinor - 3} to 1.${currentMinor}`],
  'oidc-required-claim': [[], 'CLAIM=VALUE that tokens must hold; repeatable'],
  'oidc-signing-algs': [['RS256'], 'algorithms that tokens may be signed with'],
  'requestheader-allowed-names': [[], 'common names of such proxies; any of these CAs unless given'],
  'requestheader-extra-headers-prefix': [[], 'what headers with extra fields of the user begin with'],
  'requestheader-group-headers': [[], 'headers that name groups'],
  'requestheader-uid-headers': [[], 'headers that name the uid'],
  'requestheader-username-headers': [[], 'headers that name the user'],
  'strict-transport-security-directives': [[], 'max-age=SECONDS, includeSubDomains, preload'],
  'tls-cipher-suites': [[], 'of TLS 1.2, in their names of the IANA registry'],
  'tls-sni-cert-key': [[], 'CERTIFICATE,KEY[:NAME,NAME]: another serving certificate for these names; repeatable'],
} satisfies Rows<readonly string[]>;

/** Values that are not split at commas. */
const unsplit: ReadonlySet<string> = new Set(['oidc-required-claim', 'tls-sni-cert-key']);

type Values<Table, Value> = Readonly<Record<keyof Table, Value>>;

/** Values of kube-apiserver's more specialised flags by name; durations in milliseconds. */
export interface UpstreamOptions {
  readonly number: Values<typeof numbers, number>;
  readonly duration: Values<typeof durations, number>;
  readonly truth: Values<typeof truths, boolean>;
  readonly text: Values<typeof texts, string>;
  readonly list: Values<typeof lists, readonly string[]>;
  /** The texts of all given flags of kube-apiserver. */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

/** Flags that are validated and otherwise have no effect here. */
const checkedOnly: ReadonlySet<string> = new Set([
  // Flags that `kadmit serve` declares itself.
  'requestheader-allowed-names',
  'requestheader-client-ca-file',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-uid-headers',
  'requestheader-username-headers',
]);

/** For `--help`. */
export const upstreamHelp: readonly { readonly name: string; readonly fallback: string; readonly help: string }[] =
  Object.entries<readonly [unknown, string]>({ ...texts, ...lists, ...truths, ...numbers, ...durations })
    .filter(([name]) => !checkedOnly.has(name))
    .map(([name, [fallback, help]]) => ({
      name,
      help,
      fallback: Object.hasOwn(durations, name) ? '' : String(fallback),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Expects well-formed texts (flag-values.ts). */
export function readUpstreamOptions(given: ReadonlyMap<string, readonly string[]>): UpstreamOptions {
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const all = (name: string): readonly string[] | undefined => {
    const said = given.get(name);
    return unsplit.has(name) ? said : said?.flatMap((text) => (text === '' ? [] : text.split(',')));
  };
  return {
    number: filled(numbers, (name) => numberOf(last(name))),
    duration: filled(durations, (name) => readGoDuration(last(name) ?? '')),
    truth: filled(truths, (name) => readGoBool(last(name) ?? '')),
    text: filled(texts, last),
    list: filled<typeof lists, readonly string[]>(lists, all),
    given,
  };
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const filled = <Table extends Rows<Value>, Value>(
  table: Table,
  read: (name: string) => Value | undefined,
): Values<Table, Value> =>
  // Every row of the table has a value.
  Object.fromEntries(Object.entries(table).map(([name, [fallback]]) => [name, read(name) ?? fallback])) as Values<
    Table,
    Value
  >;

export const defaultOptions: UpstreamOptions = readUpstreamOptions(new Map());
