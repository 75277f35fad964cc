import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';

export interface WebhookSpec {
  /** `webhooks[].name` of a configuration. */
  readonly name: string;
  /** Needed when several configurations use the name. */
  readonly configuration?: string;
  /** In order; [] allows everything. */
  readonly does: readonly Behaviour[];
  /** URL of a real process instead of a stub. */
  readonly to?: string;
  /** The first due fault happens. */
  readonly faults: readonly Fault[];
}

/** All patches form one patch; the first denial ends it. */
export type Behaviour =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly message?: string; readonly code?: number; readonly reason?: string }
  | { readonly type: 'label'; readonly labels: Readonly<Record<string, string>> }
  | { readonly type: 'annotate'; readonly annotations: Readonly<Record<string, string>> }
  /** To a Pod or Pod template, unless a container has that name. */
  | { readonly type: 'sidecar'; readonly container: JsonObject; readonly init: boolean }
  /** By path: `spec.hostNetwork` or `/spec/hostNetwork`; creates missing parents. */
  | { readonly type: 'set'; readonly fields: Readonly<Record<string, JsonValue>> }
  | { readonly type: 'patch'; readonly operations: readonly JsonObject[] }
  | { readonly type: 'warn'; readonly warnings: readonly string[] }
  | { readonly type: 'audit'; readonly annotations: Readonly<Record<string, string>> }
  /** Returns the request as an audit annotation and a warning. */
  | { readonly type: 'echo' }
  | { readonly type: 'script'; readonly run: ReviewFunction };

/**
 * Takes the AdmissionReview; returns its `response` or all of it, or a promise. No value, and a response without `allowed`, allow. `uid` is
 * optional; `patch` may be operations. An exception is a 500.
 */
export type ReviewFunction = (review: JsonObject) => unknown;

export interface Fault {
  readonly what: FaultKind;
  /** Call numbers from 1 since the faults were configured; undefined: every call. */
  readonly calls?: readonly number[];
  /** From 0 to 1, drawn with the scenario's seed; undefined: always. */
  readonly probability?: number;
  /** undefined: all. */
  readonly namespaces?: readonly string[];
}

export type FaultKind =
  | { readonly type: 'delay'; readonly delay: Delay }
  /** Accepts the connection and never responds. */
  | { readonly type: 'hang' }
  | { readonly type: 'refuse' }
  | { readonly type: 'reset' }
  /** Headers at once, the body after a delay. */
  | { readonly type: 'slow-body'; readonly delay: Delay }
  | { readonly type: 'status'; readonly code: number; readonly body?: string }
  /** A 200 without an AdmissionReview. */
  | { readonly type: 'garbage'; readonly body?: string; readonly contentType?: string }
  | { readonly type: 'wrong-uid' }
  | { readonly type: 'wrong-version' }
  | { readonly type: 'bad-patch' }
  | { readonly type: 'tls-expired' }
  | { readonly type: 'tls-wrong-name' }
  | { readonly type: 'tls-unknown-ca' }
  | { readonly type: 'tls-old-protocol' }
  | { readonly type: 'dns' };

/** Milliseconds. */
export type Delay =
  | { readonly type: 'fixed'; readonly milliseconds: number }
  | { readonly type: 'uniform'; readonly from: number; readonly to: number }
  | { readonly type: 'lognormal'; readonly median: number; readonly sigma: number };

/** How to load a script again; its functions have no room for it. */
const factories = new WeakMap<ReviewFunction, () => ReviewFunction>();

export function rememberFactory(script: ReviewFunction, another: () => ReviewFunction): ReviewFunction {
  factories.set(script, another);
  return script;
}

/** With module variables of its own; a function without a file stays the same. */
export const freshScript = (script: ReviewFunction): ReviewFunction => factories.get(script)?.() ?? script;
