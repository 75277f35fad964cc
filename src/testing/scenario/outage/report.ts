import type { ScenarioOutcome } from '../outcome.ts';

/** What taking down the backends of a scenario's webhooks showed. */
export interface OutageReport {
  readonly scenario: ScenarioOutcome['scenario'];
  readonly combination: string;
  /** `stuck`: with every backend down, at least one can never come back by itself. */
  readonly outcome: 'recovers' | 'stuck' | 'broken';
  /** Of a broken one, which could not be run at all: why. */
  readonly problem?: NonNullable<ScenarioOutcome['problem']>;
  readonly backends: readonly OutageBackend[];
  readonly drills: readonly Drill[];
  /** After all were down: which come back first, which once those are back, and so on. */
  readonly recovery: readonly (readonly string[])[];
  /** The webhooks that keep backends from coming back, each other's or their own; [] when all come back. */
  readonly knots: readonly Knot[];
  /** Backends that tie no knot, and cannot come back because of one. */
  readonly waiting: readonly string[];
  /** Backends that cannot come back while all hang, since the calls together outlast what they need. */
  readonly outOfTime: readonly string[];
  /** The webhook configurations that can be deleted while everything is down: the way out by hand. */
  readonly deletable: readonly string[];
}

export interface OutageBackend {
  /** `kyverno/kyverno-svc`, or the host of a url. */
  readonly name: string;
  /** Outside of the cluster it needs nothing that a webhook could refuse. */
  readonly inCluster: boolean;
  readonly webhooks: readonly WebhookName[];
}

export interface WebhookName {
  readonly name: string;
  readonly configuration: string;
}

/** One outage: these backends down, in this way. */
export interface Drill {
  readonly down: readonly string[];
  readonly how: 'refuse' | 'hang';
  /** How many everyday writes were tried. */
  readonly tried: number;
  readonly blocked: readonly BlockedWrite[];
  /** Of those admitted in the end: the one that took longest, milliseconds. */
  readonly slowest: { readonly write: string; readonly milliseconds: number } | undefined;
}

export interface BlockedWrite {
  /** `create a Pod in shop`. */
  readonly write: string;
  readonly code: number;
  readonly message: string;
  readonly milliseconds: number;
  /** The webhooks that failed closed; [] when the request ran out of time as a whole. */
  readonly by: readonly BlockingWebhook[];
  /** Of a request that ran out of time: which webhooks took how much of it, milliseconds. */
  readonly spent: readonly { readonly name: string; readonly milliseconds: number }[];
}

export interface BlockingWebhook extends WebhookName {
  readonly backend: string;
  /** `rules[0] (CREATE pods)`: the rule that took the request. */
  readonly rule: string;
}

/** A webhook that keeps backends from coming back which its own backend waits for, or that backend itself. */
export interface Knot extends BlockingWebhook {
  /** The backends that cannot come back. */
  readonly keeps: readonly string[];
  /** The writes that it needs and that are refused. */
  readonly blocked: readonly string[];
  /** What would save it, and whether another drill with it showed that it does. */
  readonly advice: Advice;
}

export interface Advice {
  readonly text: string;
  /** Fields of the webhook, as YAML says them. */
  readonly fields: string;
  readonly helps: boolean;
}
