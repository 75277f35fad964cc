import type { KnownWebhook } from '../expect/step-observation.ts';
import type { ScenarioOutcome } from '../outcome.ts';

export interface OutageReport {
  readonly scenario: ScenarioOutcome['scenario'];
  readonly combination: string;
  /** `stuck`: with every backend down, at least one cannot recover by itself. */
  readonly outcome: 'recovers' | 'stuck' | 'broken';
  readonly problem?: NonNullable<ScenarioOutcome['problem']>;
  readonly backends: readonly ReportedBackend[];
  readonly drills: readonly Drill[];
  /** Waves of recovery after a full outage. */
  readonly recovery: readonly (readonly string[])[];
  /** Webhooks of a dependency cycle; [] when all backends recover. */
  readonly knots: readonly MutualDependency[];
  /** Backends outside the cycles that depend on one. */
  readonly waiting: readonly string[];
  /** Backends that cannot recover while all hang: the calls together exceed the request deadline. */
  readonly outOfTime: readonly string[];
  /** Webhook configurations that can be deleted during the outage. */
  readonly deletable: readonly string[];
}

export interface ReportedBackend {
  /** `kyverno/kyverno-svc`, or the host of a url. */
  readonly name: string;
  /** An external backend needs nothing from the cluster. */
  readonly inCluster: boolean;
  readonly webhooks: readonly KnownWebhook[];
}

export interface Drill {
  readonly down: readonly string[];
  readonly how: 'refuse' | 'hang';
  /** Number of standard writes tried. */
  readonly tried: number;
  readonly blocked: readonly BlockedWrite[];
  /** The slowest admitted write. */
  readonly slowest: { readonly write: string; readonly milliseconds: number } | undefined;
}

export interface BlockedWrite {
  /** `create a Pod in shop`. */
  readonly write: string;
  readonly code: number;
  readonly message: string;
  readonly milliseconds: number;
  /** Webhooks that failed closed; [] when the whole request timed out. */
  readonly by: readonly BlockingWebhook[];
  /** Of a request that timed out: milliseconds per webhook. */
  readonly spent: readonly { readonly name: string; readonly milliseconds: number }[];
}

export interface BlockingWebhook extends KnownWebhook {
  readonly backend: string;
  /** `rules[0] (CREATE pods)`: the rule that matched. */
  readonly rule: string;
}

/** A webhook that blocks writes its own backend depends on. */
export interface MutualDependency extends BlockingWebhook {
  /** Backends that cannot recover. */
  readonly keeps: readonly string[];
  /** Refused writes that they need. */
  readonly blocked: readonly string[];
  /** A fix, and whether another run with it recovers. */
  readonly advice: Advice;
}

export interface Advice {
  readonly text: string;
  /** YAML fields of the webhook. */
  readonly fields: string;
  readonly helps: boolean;
}
