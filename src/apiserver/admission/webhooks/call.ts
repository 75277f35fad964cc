import { goPath, unescapeUrl } from '../../../machinery/go/go-url.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { bareHost } from '../../../machinery/url-address.ts';
import type { AdmissionPhase } from '../chain/attributes.ts';
import type { KubeconfigUser } from '../configuration/kubeconfig.ts';

/** Exactly one of url and service. */
export interface ClientConfig extends JsonObject {
  readonly url?: string;
  readonly service?: ServiceReference;
  /** Base64 of PEM. */
  readonly caBundle?: string;
}

export interface ServiceReference extends JsonObject {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

export interface WebhookCall {
  readonly webhookName: string;
  /** undefined: unknown. */
  readonly configuration?: string;
  readonly phase?: AdmissionPhase;
  readonly clientConfig: ClientConfig;
  /** AdmissionReview as JSON. */
  readonly body: string;
  /** Milliseconds; sent as `?timeout=`, for admission rounded up to whole seconds (rule HTTP-2). */
  readonly timeoutMs: number;
  /** Pauses the deadline of the whole request until the returned function is called. */
  readonly standStill?: () => () => void;
  readonly caller?: Caller;
  /** In addition to the usual ones; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Caller {
  /** undefined: no credentials. */
  readonly user: KubeconfigUser | undefined;
  readonly insecure: boolean;
}

export type CallPhase = 'client' | 'resolve' | 'connect' | 'tls' | 'headers' | 'body' | 'timeout' | 'canceled';

export type ConversionPhase = CallPhase | 'answer' | 'failure';

interface Reached {
  readonly url?: string;
  /** Started by `kadmit run`. */
  readonly program?: string;
  /** The certificate was not verified: the service is mapped and has no caBundle (`--inject-ca`). */
  readonly trustedAsMapped?: true;
}

export interface HttpExchange {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  /** Absent without a response. */
  readonly code?: number;
  /** The Location header of a followed redirect. */
  readonly location?: string;
  /** Seconds of the Retry-After header before a retry. */
  readonly retryAfter?: number;
}

/** `assumed` replaces the response: no call was made. */
interface CallRecord extends Reached {
  readonly holds?: readonly Hold[];
  readonly assumed?: AssumedVerdict;
  /** Present after redirects or retries. */
  readonly exchanges?: readonly HttpExchange[];
}

export type CallReply = CallRecord &
  (
    | {
        readonly outcome: 'answered';
        /** Any HTTP status. */
        readonly code: number;
        /** undefined: no header. */
        readonly contentType: string | undefined;
        readonly body: Uint8Array;
      }
    /** `error` is Go's text, to follow `failed to call webhook: ` (`could not get REST client: ` in phase client). */
    | {
        readonly outcome: 'failed';
        readonly phase: CallPhase;
        readonly error: string;
        /** `error` without the request prefix. */
        readonly detail?: string;
        readonly cause?: FailureCause;
        readonly certificate?: ServerCertificate | undefined;
      }
  );

/** A breakpoint paused the request before or after the call; its deadline was paused too. */
export interface Hold {
  readonly moment: 'before' | 'after';
  readonly startedAt: number;
  readonly milliseconds: number;
  /** `canceled`: the client disconnected; `closed`: the server stopped. */
  readonly ended: 'continued' | 'answered' | 'canceled' | 'closed';
  /** The user who continued or answered, or ''. */
  readonly by: string;
  /** The webhook's own response, when a user replaced it. */
  readonly replaced?: JsonValue;
}

/** The refused server certificate, for explanations only. */
export interface ServerCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** DNS names and addresses of `subjectAltName`. */
  readonly names: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
  /** The required name. */
  readonly serverName: string;
}

/** Sends one review; never throws. */
export type CallWebhook = (call: WebhookCall) => Promise<CallReply>;

/** Assumed response; `ignore`: the call fails and is ignored. */
export type AssumedVerdict = 'allow' | 'deny' | 'ignore';

/** `?timeout=10s`, rounded up to seconds, as a Go duration (rule HTTP-2). */
export function timeoutQuery(timeoutMs: number): string {
  const seconds = Math.max(0, Math.ceil(timeoutMs / 1000));
  return `?timeout=${seconds < 60 ? '' : `${Math.floor(seconds / 60)}m`}${seconds % 60}s`;
}

/** A call that failed before its response began. Follows Go's url.Error (rule FAIL-4). */
export const postFailure = (url: string, cause: string): string => `Post ${goQuote(url)}: ${cause}`;

/** A call that failed in the response body. Follows client-go rest/request.go transformResponse (rule RSP-10). */
export const bodyFailure = (cause: string): string =>
  `unexpected error when reading response body. Please retry. Original error: ${cause}`;

/** Go's context.DeadlineExceeded and context.Canceled (rule FAIL-4). */
export const deadlineExceededText = 'context deadline exceeded';
export const contextCanceledText = 'context canceled';

/** The API refuses such a configuration (rule FAIL-3). */
export const noAddressText = (webhookName: string): string =>
  `failed calling webhook ${goQuote(webhookName)}: webhook configuration must have either service or URL`;

export interface CallTarget {
  readonly scheme: string;
  /** The Host header: `127.0.0.1:8443`, `hook.ns.svc:443`. Without a default port unless written. */
  readonly authority: string;
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Cleaned and percent-encoded, without a query. */
  readonly path: string;
}

/**
 * A service is `name.namespace.svc:port`, wherever it resolves to. Follows apiserver pkg/util/webhook/client.go (rules
 * HTTP-3, HTTP-4, HTTP-6).
 */
export function callTarget({ url, service }: ClientConfig): CallTarget | undefined {
  if (service) {
    const port = service.port ?? 443;
    const host = `${service.name}.${service.namespace}.svc`;
    return { scheme: 'https', authority: `${host}:${port}`, host, port, path: goPath(service.path ?? '') };
  }
  return url === undefined ? undefined : targetOfUrl(url);
}

/** Keeps a default port, as Go does. */
export function targetOfUrl(url: string): CallTarget | undefined {
  const [, scheme, authority, path] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  if (scheme === undefined || !authority) return undefined;
  const { host, port } = splitHostPort(authority, scheme);
  if (host === '') return undefined;
  return { scheme: scheme.toLowerCase(), authority, host, port, path: goPath(unescapeUrl(path ?? '')) };
}

/** Empty host if it cannot be dialled. */
export function splitHostPort(authority: string, scheme: string): Pick<CallTarget, 'host' | 'port'> {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(withoutUser(authority)) ?? [];
  return { host: bareHost(host), port: port ? Number(port) : defaultPort(scheme) };
}

const withoutUser = (authority: string): string => authority.slice(authority.lastIndexOf('@') + 1);

const defaultPort = (scheme: string): number => (scheme.toLowerCase() === 'http' ? 80 : 443);

export type CertificateCause =
  | 'not-yet-valid'
  | 'expired'
  | 'common-name-only'
  | 'name-mismatch'
  | 'key-usage'
  | 'not-an-authority'
  | 'unknown-authority';

type Cause =
  | CertificateCause
  | 'service-missing'
  | 'service-port-missing'
  | 'service-unroutable'
  | 'no-endpoints'
  | 'host-unknown'
  | 'proxy'
  | 'plain-http'
  | 'old-protocol'
  | 'client-certificate-wanted'
  | 'handshake-ended'
  | 'late-connection'
  | 'late-handshake'
  | 'no-http'
  | 'redirects'
  | 'uid-mismatch'
  | 'response-absent'
  | 'not-a-review'
  | 'patch-type'
  | 'patch-unasked'
  | 'patch-not-base64'
  | 'patch-undecodable'
  | 'operation-failed'
  | 'test-failed'
  | 'result-undecodable';

/** More exact than the phase, so that texts of errors need not be parsed. */
export type FailureCause =
  | { readonly because: Cause }
  /** `address`: `127.0.0.1:443`. */
  | { readonly because: 'connection-refused' | 'unreachable' | 'not-opened'; readonly address: string }
  | { readonly because: 'http-status'; readonly code: number };
