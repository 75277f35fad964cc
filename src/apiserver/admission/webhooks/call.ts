import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { AdmissionPhase } from '../chain/admission-phase.ts';
import type { FailureCause } from './failure-cause.ts';
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
  readonly believed?: true;
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
interface Circumstances extends Reached {
  readonly holds?: readonly Hold[];
  readonly assumed?: AssumedVerdict;
  /** Present after redirects or retries. */
  readonly exchanges?: readonly HttpExchange[];
}

export type CallReply = Circumstances &
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
