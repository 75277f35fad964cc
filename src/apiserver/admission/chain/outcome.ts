import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AdmissionPhase } from './attributes.ts';
import type { RuleSubject } from '../matching/match-rules.ts';
import type { MatchRule } from '../matching/match-selectors.ts';
import type { PluginCount, RefusalSource } from './plugin.ts';
import type { ConditionRecord, BranchCounts, ExpressionValue, SkipReason } from './skip-reason.ts';
import type {
  AssumedVerdict,
  CallPhase,
  Hold,
  HttpExchange,
  ServerCertificate,
  FailureCause,
} from '../webhooks/call.ts';

/** The decisions of one pass in order; the trace is made of these. */
export type AdmissionRecord =
  | PluginRecord
  | PassedPlugins
  | WebhookRecord
  | PolicyRecord
  | UnmatchedPolicies
  | EmptyConfigurations;

/** Compiled-in plugins that changed nothing, one after the other: one record for all, since each request has some twenty. */
export interface PassedPlugins {
  readonly type: 'passed-plugins';
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly object: KubernetesObject | null;
  readonly names: readonly string[];
  /** The start and the end of each. */
  readonly times: readonly number[];
}

/**
 * Policies skipped at once (no rule names the resource, unbound, exempt): one record for all, since there may be
 * thousands.
 */
export interface UnmatchedPolicies {
  readonly type: 'unmatched-policies';
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly hooks: readonly UnevaluatedHook[];
  readonly exempt: readonly UnevaluatedHook[];
  readonly request: RuleSubject & { readonly kind: GroupVersionKind };
  readonly at: number;
}

interface UnevaluatedHook {
  readonly policy: {
    readonly name: string;
    readonly definition: JsonObject;
    readonly match: { readonly resourceRules: readonly MatchRule[] };
  };
  readonly bindings: readonly unknown[];
}

export interface EmptyConfigurations {
  readonly type: 'empty-configurations';
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly names: readonly string[];
}

/** One evaluation of a policy: one binding with one parameter object, or the clause that skipped it. */
export interface PolicyRecord extends RecordBase {
  readonly type: 'policy';
  readonly policy: string;
  /** null when the policy was skipped before a binding was chosen. */
  readonly binding: string | null;
  /** null for a binding without params. */
  readonly params: ParamsReference | null;
  readonly definition: JsonObject;
  readonly bound: JsonObject | null;
  readonly outcome: PolicyOutcome;
  /** With parameterNotFoundAction Deny: `ConfigMap limits in namespace default`. */
  readonly missingParams?: string | undefined;
  /** `status.typeChecking` of the policy. */
  readonly typeWarnings?: readonly TypeWarning[];
  readonly conditions?: readonly ConditionRecord[] | undefined;
  /** With `--coverage`: the variables that were used. */
  readonly variables?: readonly VariableRecord[] | undefined;
}

export interface TypeWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

export interface VariableRecord extends BranchCounts {
  readonly name: string;
}

export interface ParamsReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `failed-…` is an error, with the effect of failurePolicy. */
export type PolicyOutcome =
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  | (Evaluated & { readonly outcome: 'allowed' })
  | (Evaluated & { readonly outcome: 'denied'; readonly status: Status })
  | (Evaluated & { readonly outcome: 'failed-open'; readonly error: string })
  | (Evaluated & { readonly outcome: 'failed-closed'; readonly error: string; readonly status: Status });

export interface Evaluated {
  /** null when matching ended earlier. */
  readonly matched: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource } | null;
  readonly validations: readonly ValidationRecord[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Only of a mutating policy. */
  readonly mutations?: readonly MutationRecord[];
  readonly before?: KubernetesObject | null;
  readonly after?: KubernetesObject | null;
}

export interface MutationRecord {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
  readonly result: 'changed' | 'unchanged' | 'error';
  readonly error?: string;
}

export interface ValidationRecord extends BranchCounts {
  readonly expression: string;
  readonly result: 'true' | 'false' | 'error';
  /** Of a false validation or an error: the message for the user. */
  readonly message?: string;
  readonly values?: readonly ExpressionValue[];
}

interface RecordBase {
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** A compiled-in plugin that changed or denied something. */
export interface PluginRecord extends RecordBase {
  readonly type: 'plugin';
  readonly plugin: string;
  readonly outcome:
    | { readonly outcome: 'changed' }
    | { readonly outcome: 'denied'; readonly status: Status; readonly by?: RefusalSource };
  readonly object: KubernetesObject | null;
}

export interface WebhookRecord extends RecordBase {
  readonly type: 'webhook';
  /** As in upstream's annotation keys: in the whole list when mutating, among the selected when validating. */
  readonly index: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly definition: JsonObject;
  readonly outcome: WebhookOutcome;
  readonly conditions?: readonly ConditionRecord[] | undefined;
}

export type WebhookOutcome =
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  /** failurePolicy is ignored: selection itself failed (rule SEL-12). */
  | { readonly outcome: 'refused'; readonly status: Status }
  | (Called & {
      readonly outcome: 'allowed';
      readonly patch: readonly JsonObject[] | null;
      /** As kube-apiserver counts it; `hasEffect`: the object really differs. */
      readonly changed: boolean;
      readonly hasEffect: boolean;
      readonly after: KubernetesObject | null;
    })
  | (Called & { readonly outcome: 'denied'; readonly status: Status })
  | (Called & Failed & { readonly outcome: 'failed-open' })
  /** `byPolicy`: failurePolicy is Fail. */
  | (Called & Failed & { readonly outcome: 'failed-closed'; readonly byPolicy: boolean; readonly status: Status });

/** The failure of a call, apart from its text. */
export interface FailureDetails {
  readonly phase: FailurePhase;
  /** More exact than the phase. */
  readonly cause?: FailureCause | undefined;
  /** The refused certificate. */
  readonly certificate?: ServerCertificate | undefined;
  /** The code in metrics, where the phase does not decide it. */
  readonly countedAs?: 400;
}

interface Failed extends FailureDetails {
  readonly error: string;
  readonly detail: string;
}

export type FailurePhase = CallPhase | 'decode' | 'verify' | 'patch' | 'dry-run';

/** `request` is the AdmissionReview sent; null when none could be made. */
export interface Called {
  /** `rule` is the index of the matching rule. */
  readonly matched: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource; readonly rule: number };
  readonly uid: string;
  readonly request: JsonObject | null;
  readonly response: JsonValue | undefined;
  /** Approximate bytes kept of the response; absent without one. */
  readonly memory?: number;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Milliseconds: timeoutSeconds or the rest of the request's time. Absent when no call was made. */
  readonly timeoutMs?: number;
  /** Of a response that is no review. */
  readonly httpCode?: number;
  readonly url?: string;
  /** The program at that address, when `kadmit run` started it. */
  readonly program?: string;
  /** The certificate was not verified: the service is mapped and has no caBundle. */
  readonly trustedAsMapped?: true;
  /** All HTTP requests of a call that was redirected or repeated. */
  readonly exchanges?: readonly HttpExchange[];
  readonly holds?: readonly Hold[];
  /** The assumed verdict; the webhook was not called. */
  readonly assumed?: AssumedVerdict;
}

/** The result of one pass: mutating with its reinvocation, or validating. */
export interface AdmissionResult {
  readonly verdict:
    | { readonly outcome: 'admitted'; readonly object: KubernetesObject | null }
    | { readonly outcome: 'refused'; readonly status: Status };
  readonly received?: KubernetesObject | null;
  readonly records: readonly AdmissionRecord[];
  /** In upstream's order, before the budget of rule RSP-34 and deduplication. */
  readonly warnings: readonly string[];
  /** The first write wins; `patch.webhook…` belong to level Request. */
  readonly annotations: readonly AuditAnnotation[];
  /** For metrics: one entry per plugin that calls out, per round. */
  readonly calling?: readonly CallingTime[];
  readonly counts?: readonly PluginCount[];
}

export interface CallingTime {
  readonly plugin: string;
  readonly rejected: boolean;
  readonly startedAt: number;
  readonly finishedAt: number;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly value: string;
  readonly level: 'Metadata' | 'Request';
}
