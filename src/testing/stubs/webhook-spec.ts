import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';

/** A webhook of a scenario: who it is, what it does, and what goes wrong with it. */
export interface WebhookSpec {
  /** `webhooks[].name` of a configuration. */
  readonly name: string;
  /** The configuration, when two of them use the same webhook name; undefined: whichever. */
  readonly configuration?: string;
  /** What a stub does, one after the other; [] allows everything. */
  readonly does: readonly Behaviour[];
  /** Where a real process listens instead of a stub. */
  readonly to?: string;
  /** Tried in order for each call; the first that is due happens. */
  readonly faults: readonly Fault[];
}

/** One thing a stub does with a review. The patches of all are one patch; the first denial ends it. */
export type Behaviour =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly message?: string; readonly code?: number; readonly reason?: string }
  | { readonly type: 'label'; readonly labels: Readonly<Record<string, string>> }
  | { readonly type: 'annotate'; readonly annotations: Readonly<Record<string, string>> }
  /** Adds a container to a Pod, or to the Pod template of a workload, unless one of that name is there. */
  | { readonly type: 'sidecar'; readonly container: JsonObject; readonly init: boolean }
  /** Sets a field by its path: `spec.hostNetwork` or `/spec/hostNetwork`; what is missing on the way is made. */
  | { readonly type: 'set'; readonly fields: Readonly<Record<string, JsonValue>> }
  | { readonly type: 'patch'; readonly operations: readonly JsonObject[] }
  | { readonly type: 'warn'; readonly warnings: readonly string[] }
  | { readonly type: 'audit'; readonly annotations: Readonly<Record<string, string>> }
  /** Gives the request back as an audit annotation and a warning: what did the webhook see? */
  | { readonly type: 'echo' }
  /** A function of the review, from a JavaScript or TypeScript file. */
  | { readonly type: 'script'; readonly run: ReviewFunction };

/**
 * Takes the AdmissionReview, returns its `response` or all of it, perhaps later. Nothing allows, and so does a response
 * without `allowed`; uid may be left out; `patch` may be the operations themselves. May throw: then a 500.
 */
export type ReviewFunction = (review: JsonObject) => unknown;

/** Something that goes wrong, and when. */
export interface Fault {
  readonly what: FaultKind;
  /** Only these calls of the webhook, counted from 1 since its faults were configured; undefined: every call. */
  readonly calls?: readonly number[];
  /** From 0 to 1, drawn with the scenario's seed; undefined: always. */
  readonly probability?: number;
  /** Only requests in these namespaces; undefined: in all. */
  readonly namespaces?: readonly string[];
}

export type FaultKind =
  | { readonly type: 'delay'; readonly delay: Delay }
  /** Takes the connection and never answers. */
  | { readonly type: 'hang' }
  | { readonly type: 'refuse' }
  | { readonly type: 'reset' }
  /** The headers at once, the body after so long. */
  | { readonly type: 'slow-body'; readonly delay: Delay }
  | { readonly type: 'status'; readonly code: number; readonly body?: string }
  /** Answers 200 with something that is no AdmissionReview. */
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
