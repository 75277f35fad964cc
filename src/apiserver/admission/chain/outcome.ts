import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AdmissionPhase } from './admission-phase.ts';
import type { RuleSubject } from '../matching/match-rules.ts';
import type { Rule } from '../matching/rule.ts';
import type { PluginCount, RefusalSource } from './plugin.ts';
import type { ConditionRecord, Counted, ExpressionValue, SkipReason } from './skip-reason.ts';
import type { AssumedVerdict, CallPhase, Hold, HttpExchange, ServerCertificate } from '../webhooks/call.ts';
import type { FailureCause } from '../webhooks/failure-cause.ts';

/** Everything one pass through the chain decided, in the order it was decided. The trace is made of these. */
export type AdmissionRecord = PluginRecord | WebhookRecord | PolicyRecord | UnaskedPolicies | EmptyConfigurations;

/**
 * The policies that had no turn for a reason that is known at once: no rule of theirs names the resource, nobody bound
 * them, or the request is exempt. One record for all, since there may be thousands; policies/unasked.ts makes one of each.
 */
export interface UnaskedPolicies {
  readonly type: 'unasked-policies';
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly hooks: readonly UnaskedHook[];
  /** Those that the request is exempt from. */
  readonly exempt: readonly UnaskedHook[];
  readonly request: RuleSubject & { readonly kind: GroupVersionKind };
  readonly at: number;
}

interface UnaskedHook {
  readonly policy: {
    readonly name: string;
    readonly definition: JsonObject;
    readonly match: { readonly resourceRules: readonly Rule[] };
  };
  readonly bindings: readonly unknown[];
}

/** Configurations are stored, and none of them has a webhook. */
export interface EmptyConfigurations {
  readonly type: 'empty-configurations';
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly names: readonly string[];
}

/** One turn of a policy: one binding with one parameter object, or the clause that kept it from having one. */
export interface PolicyRecord {
  readonly type: 'policy';
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly policy: string;
  /** The binding whose turn it was; null when it did not come to any. */
  readonly binding: string | null;
  /** The object that was `params`; null when there was none. */
  readonly params: ParamsReference | null;
  /** The `spec` of the policy, and of the binding. */
  readonly definition: JsonObject;
  readonly bound: JsonObject | null;
  readonly outcome: PolicyOutcome;
  /** What its matchConditions came to, when they were evaluated. */
  readonly conditions?: readonly ConditionRecord[] | undefined;
  /** With `--coverage`: the variables that were used; a list of expressions evaluates them anew. */
  readonly variables?: readonly VariableRecord[] | undefined;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** A variable of a policy that was evaluated. */
export interface VariableRecord extends Counted {
  readonly name: string;
}

export interface ParamsReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What became of it. `allowed` may have warned or left audit annotations; `failed-…` is an error and what failurePolicy made of it. */
export type PolicyOutcome =
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  | (Evaluated & { readonly outcome: 'allowed' })
  | (Evaluated & { readonly outcome: 'denied'; readonly status: Status })
  | (Evaluated & { readonly outcome: 'failed-open'; readonly error: string })
  | (Evaluated & { readonly outcome: 'failed-closed'; readonly error: string; readonly status: Status });

/** What the expressions of a policy came to. */
export interface Evaluated {
  /** As what it saw the request; null when it did not come so far. */
  readonly matched: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource } | null;
  readonly validations: readonly ValidationRecord[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Of a mutating policy: what each mutation came to, and the object before and after all of them. */
  readonly mutations?: readonly MutationRecord[];
  readonly before?: KubernetesObject | null;
  readonly after?: KubernetesObject | null;
}

/** What one mutation came to, in the order of the policy. */
export interface MutationRecord {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
  readonly result: 'changed' | 'unchanged' | 'error';
  readonly error?: string;
}

/** What one validation came to, in the order of the policy. */
export interface ValidationRecord extends Counted {
  readonly expression: string;
  readonly result: 'true' | 'false' | 'error';
  /** Of a false one or an error: what the user is told. */
  readonly message?: string;
  readonly values?: readonly ExpressionValue[];
}

export interface PluginRecord {
  readonly type: 'plugin';
  readonly plugin: string;
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly outcome:
    | { readonly outcome: 'passed'; readonly changed: boolean }
    | { readonly outcome: 'denied'; readonly status: Status; readonly by?: RefusalSource };
  readonly object: KubernetesObject | null;
  readonly warnings: readonly string[];
  readonly startedAt: number;
  readonly finishedAt: number;
}

export interface WebhookRecord {
  readonly type: 'webhook';
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  /** The position upstream's annotation keys use: in the whole list when mutating, among the selected when validating. */
  readonly index: number;
  readonly configuration: string;
  readonly webhook: string;
  /** Its entry in the stored configuration. */
  readonly definition: JsonObject;
  readonly outcome: WebhookOutcome;
  /** What its matchConditions came to, when they were evaluated. */
  readonly conditions?: readonly ConditionRecord[] | undefined;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** What became of one webhook for one request. Every way not to be called has its reason. */
export type WebhookOutcome =
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  /** Selection itself failed; the request is refused whatever failurePolicy says (rule SEL-12). */
  | { readonly outcome: 'refused'; readonly status: Status }
  | (Called & {
      readonly outcome: 'allowed';
      readonly patch: readonly JsonObject[] | null;
      /** As kube-apiserver counts it; `hasEffect`: is the object really another one? */
      readonly changed: boolean;
      readonly hasEffect: boolean;
      readonly after: KubernetesObject | null;
    })
  | (Called & { readonly outcome: 'denied'; readonly status: Status })
  | (Called & Failed & { readonly outcome: 'failed-open' })
  /** Whatever failurePolicy says, or `byPolicy` since it says Fail. */
  | (Called & Failed & { readonly outcome: 'failed-closed'; readonly byPolicy: boolean; readonly status: Status });

/** How far a failed call came. */
interface Failed {
  readonly phase: FailurePhase;
  readonly error: string;
  /** The error without the words that upstream puts before it. */
  readonly detail: string;
  /** What exactly went wrong, where the phase leaves that open. */
  readonly cause?: FailureCause | undefined;
  /** Of a certificate that was refused: what it says. */
  readonly certificate?: ServerCertificate | undefined;
  /** The code by which it is counted, where the phase does not tell. */
  readonly countedAs?: 400;
}

export type FailurePhase = CallPhase | 'decode' | 'verify' | 'patch' | 'dry-run';

/** What was said and heard. `request` is the AdmissionReview sent; null when none could be made. */
export interface Called {
  /** As what it was called, and the index of the rule that said so. */
  readonly matched: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource; readonly rule: number };
  readonly uid: string;
  readonly request: JsonObject | null;
  readonly response: JsonValue | undefined;
  /** About how many bytes what is kept of the answer takes; absent when there was none. */
  readonly memory?: number;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** How long the call might take, in milliseconds: its timeoutSeconds or what was left of the request's time. Absent when it was not made. */
  readonly timeoutMs?: number;
  /** The HTTP status of an answer that could not be a review. */
  readonly httpCode?: number;
  /** Where a service was really called; absent for a webhook with a url. */
  readonly url?: string;
  /** Who listens there, when `kadmit run` started it. */
  readonly program?: string;
  /** Its certificate was believed, since it is mapped and has no caBundle. */
  readonly believed?: true;
  /** All HTTP requests of the call, when it was redirected or repeated. */
  readonly exchanges?: readonly HttpExchange[];
  /** When the request was held here. */
  readonly holds?: readonly Hold[];
  /** It was not called: this is assumed of it. */
  readonly assumed?: AssumedVerdict;
}

/** What a whole pass (mutating with its reinvocation, or validating) came to. */
export interface AdmissionResult {
  readonly verdict:
    | { readonly outcome: 'admitted'; readonly object: KubernetesObject | null }
    | { readonly outcome: 'refused'; readonly status: Status };
  /** The object as it came into the pass. */
  readonly received?: KubernetesObject | null;
  readonly records: readonly AdmissionRecord[];
  /** In upstream's order, before the budget of rule RSP-34 and the removal of repeats. */
  readonly warnings: readonly string[];
  /** Audit annotations, first write wins; `patch.webhook…` ones belong to level Request. */
  readonly annotations: readonly AuditAnnotation[];
  /** What the plugins that ask others took, for metrics; each round for itself. */
  readonly calling?: readonly CallingTime[];
  /** What compiled-in plugins count, for metrics. */
  readonly counts?: readonly PluginCount[];
}

/** A plugin that asks webhooks or policies, whether or not there was one to ask. */
export interface CallingTime {
  readonly plugin: string;
  readonly rejected: boolean;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly finishedAt: number;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly value: string;
  readonly level: 'Metadata' | 'Request';
}
