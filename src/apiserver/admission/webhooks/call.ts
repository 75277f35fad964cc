import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { AdmissionPhase } from '../chain/admission-phase.ts';
import type { FailureCause } from './failure-cause.ts';
import type { KubeconfigUser } from '../configuration/kubeconfig.ts';

/** `clientConfig` of a stored webhook: exactly one of url and service. */
export interface ClientConfig extends JsonObject {
  readonly url?: string;
  readonly service?: ServiceReference;
  /** Base64 of PEM, as stored. */
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
  /** The configuration the webhook stands in; undefined: the caller does not know. */
  readonly configuration?: string;
  readonly phase?: AdmissionPhase;
  readonly clientConfig: ClientConfig;
  /** The AdmissionReview, ready to send. */
  readonly body: string;
  /** Milliseconds this call may take; its `?timeout=` is this, for admission rounded up to whole seconds (rule HTTP-2). */
  readonly timeoutMs: number;
  /** Lets the time of the whole request stand still until the returned function is called. */
  readonly standStill?: () => () => void;
  /** Who calls, when it is no webhook of a configuration that is called. */
  readonly caller?: Caller;
  /** Sent besides the usual ones; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts when the client has gone. */
  readonly signal?: AbortSignal;
}

export interface Caller {
  /** undefined: nobody in particular. */
  readonly user: KubeconfigUser | undefined;
  /** The certificate of the webhook is not looked at. */
  readonly insecure: boolean;
}

/** How far a failed call came. */
export type CallPhase = 'client' | 'resolve' | 'connect' | 'tls' | 'headers' | 'body' | 'timeout' | 'canceled';

/** How far the call of a converter came. */
export type ConversionPhase = CallPhase | 'answer' | 'failure';

/** Where a service really is, when the webhook is called as one: `http://127.0.0.1:8400/mutate`. */
interface Reached {
  readonly url?: string;
  /** Who listens there, when `kadmit run` started it. */
  readonly program?: string;
  /** Its certificate was believed, since it is mapped and has no caBundle (`--inject-ca`). */
  readonly believed?: true;
}

/** One HTTP request of a call, and the response to it as far as it decides what follows. */
export interface HttpExchange {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  /** Absent when no response came. */
  readonly code?: number;
  /** Of a redirect that was followed: the Location header as written. */
  readonly location?: string;
  /** The seconds of the Retry-After header after which the call was repeated. */
  readonly retryAfter?: number;
}

/** Beside the reply itself; `assumed` is what counts in its place: nobody was asked. */
interface Circumstances extends Reached {
  readonly holds?: readonly Hold[];
  readonly assumed?: AssumedVerdict;
  /** All requests of the call, when there was more than one: it was redirected or repeated. */
  readonly exchanges?: readonly HttpExchange[];
}

export type CallReply = Circumstances &
  (
    | {
        readonly outcome: 'answered';
        /** Any HTTP status. */
        readonly code: number;
        /** Undefined when the header was absent. */
        readonly contentType: string | undefined;
        readonly body: Uint8Array;
      }
    /** `error` is Go's text, ready to stand after `failed to call webhook: ` (or `could not get REST client: ` in phase client). */
    | {
        readonly outcome: 'failed';
        readonly phase: CallPhase;
        readonly error: string;
        /** The same without the words that the request is part of. */
        readonly detail?: string;
        readonly cause?: FailureCause;
        readonly certificate?: ServerCertificate | undefined;
      }
  );

/** The request was held before or after the call, and its time stood still meanwhile. */
export interface Hold {
  readonly moment: 'before' | 'after';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** `canceled`: the client went away; `closed`: the server was stopped. */
  readonly ended: 'continued' | 'answered' | 'canceled' | 'closed';
  /** Who continued or answered; '' for nobody. */
  readonly by: string;
  /** What the webhook itself had answered, when the answer was replaced after the call. */
  readonly replaced?: JsonValue;
}

/** What the certificate of a server says that was refused for it; for the explanation, no text of upstream is made of it. */
export interface ServerCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** DNS names and addresses, as `subjectAltName` has them. */
  readonly names: readonly string[];
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** The name that the server had to have. */
  readonly serverName: string;
}

/** Sends one review. Never throws. Implemented by webhook-client/, by stubs in scenarios and by functions in tests. */
export type CallWebhook = (call: WebhookCall) => Promise<CallReply>;

/** What stands for the answer of a webhook that nobody runs; `ignore`: it fails, and the request goes on without it. */
export type AssumedVerdict = 'allow' | 'deny' | 'ignore';
