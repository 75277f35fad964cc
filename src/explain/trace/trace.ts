import type {
  FailurePhase,
  MutationRecord,
  ParamsReference,
  ValidationRecord,
  VariableRecord,
} from '../../apiserver/admission/chain/outcome.ts';
import type { ConditionRecord, SkipReason } from '../../apiserver/admission/chain/skip-reason.ts';
import type {
  AssumedVerdict,
  ConversionPhase,
  Hold,
  HttpExchange,
  ServerCertificate,
} from '../../apiserver/admission/webhooks/call.ts';
import type { FailureCause } from '../../apiserver/admission/webhooks/failure-cause.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { WarningLoss } from '../../machinery/meta/warning-fates.ts';
import type { WebhookEntry } from '../../machinery/meta/webhook-fields.ts';
import type { AdmissionTurn, OvertakenBy } from '../../apiserver/request/journal.ts';

/**
 * What happened to one write: the document that `GET /kadmit/v1/traces/ID` answers, that `--trace-dir` writes and that
 * `kadmit explain` reads. Described in docs/reference/trace-format.md. All times are milliseconds; instants since 1970.
 */
export interface Trace {
  readonly traceVersion: 1;
  /** The request's Audit-Id. */
  readonly id: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  /** The release of Kubernetes that the server followed, `v1.32.0`; absent: the one it follows by itself. */
  readonly release?: string;
  /** When its webhooks had to be done (34 s after it came, or its own timeout); absent when nothing bounds it. */
  readonly deadline?: number;
  readonly verdict: Verdict;
  readonly request: TracedRequest;
  /** The stages of the path in order; one that ran again after a lost race stands there again. */
  readonly stages: readonly TracedStage[];
  /** Every plugin and webhook considered, in the order of the decisions. */
  readonly admission: readonly TracedDecision[];
  /** Configurations that were stored without webhooks; absent when there was none, or another of its kind had webhooks. */
  readonly emptyConfigurations?: readonly string[];
  /** The objects of custom resources that were converted, in order; absent when none was. */
  readonly conversions?: readonly TracedConversion[];
  /** The object as it came to admission: decoded, defaulted, a patch applied; absent when it did not come that far. */
  readonly objectReceived?: JsonObject | null;
  /** What another write did to the object while the webhooks were called, the last time it did; absent when none did. */
  readonly overtaken?: OvertakenBy;
  /** What was stored before; null for a create. */
  readonly objectBefore: JsonObject | null;
  /** The object as it was answered or, for a refused write, as far as it came. */
  readonly objectAfter: JsonObject | null;
  readonly response: {
    readonly code: number;
    readonly status: JsonObject | null;
    readonly warnings: readonly string[];
  };
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

export type { FailurePhase };

export type Verdict = 'admitted' | 'refused';

export interface TracedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly userAgent: string;
  /** The Content-Type of what it sent: which kind of patch, for one; absent when it named none. */
  readonly contentType?: string;
  /** What the client sent: a value if it was JSON, the text if it was YAML, absent for anything else. */
  readonly body?: JsonValue;
  /** username, uid, groups, extra: as webhooks saw them; null when nobody could be made out. */
  readonly user: JsonObject | null;
}

export interface TracedStage {
  readonly name: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly passed: boolean;
}

/** One object of a custom resource in another version. */
export interface TracedConversion {
  /** The name of its CustomResourceDefinition. */
  readonly definition: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The `apiVersion` it had, and the one that was wanted. */
  readonly from: string;
  readonly to: string;
  readonly strategy: 'None' | 'Webhook';
  /** The stage that wanted it. */
  readonly stage: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly outcome: 'converted' | 'failed';
  /** Of a webhook: whom the definition names; of the caBundle only the length. */
  readonly clientConfig?: JsonObject;
  /** Where a service was really called. */
  readonly url?: string;
  readonly error?: string;
  /** How far a failed call came; `failure` when the converter said no, `answer` when what it said cannot be used. */
  readonly failurePhase?: ConversionPhase;
  readonly failureCause?: FailureCause;
  readonly certificate?: ServerCertificate;
}

/** A warning that the client does not get, or not whole. */
export interface DroppedWarning {
  readonly warning: string;
  readonly because: WarningLoss;
}

/** An audit annotation that is in no audit event. */
export interface DroppedAnnotation {
  readonly key: string;
  readonly because: 'invalid-key' | 'already-written';
  /** What is wrong with the key that the name of the webhook and this one make. */
  readonly detail?: string;
}

export type TracedDecision = TracedPlugin | TracedWebhook | TracedPolicy;

/** To which of the times admission ran a decision belongs. */
interface InTurn extends AdmissionTurn {
  /** Counts them from 0; absent for 0. */
  readonly attempt?: number;
}

/** One turn of an admission policy: one binding with one parameter object, or the clause that kept it from having one. */
export interface TracedPolicy extends InTurn {
  readonly type: 'policy';
  readonly name: string;
  /** The binding whose turn it was; absent when it did not come to any. */
  readonly binding?: string;
  /** The object that was `params`. */
  readonly params?: ParamsReference;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  /** The `spec` of the policy and of the binding as they were then. */
  readonly definition?: JsonObject;
  readonly bound?: JsonObject;
  /** `evaluated` may have warned, left audit annotations or changed the object. */
  readonly outcome: 'evaluated' | 'skipped' | 'failed-open' | 'failed-closed' | 'denied';
  readonly startedAt: number;
  readonly milliseconds: number;
  /** Of a skipped one: the clause that decided and what it looked at, under the names of apiserver/admission/chain/outcome.ts. */
  readonly reason?: SkipReason;
  readonly conditions?: readonly ConditionRecord[];
  /** With `--coverage`: those that were used. */
  readonly variables?: readonly VariableRecord[];
  /** As which `kind` and `resource` it saw the request. */
  readonly matched?: JsonObject;
  /** What each validation, or each mutation, came to. */
  readonly validations?: readonly ValidationRecord[];
  readonly mutations?: readonly MutationRecord[];
  readonly error?: string;
  /** Of a denying one: what the client is told. */
  readonly status?: JsonObject;
  /** Of a mutating one that changed the object: how. */
  readonly patch?: readonly JsonObject[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Those of them that the client does not get, or not whole. */
  readonly droppedWarnings?: readonly DroppedWarning[];
}

export interface TracedPlugin extends InTurn {
  readonly type: 'plugin';
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  readonly outcome: 'passed' | 'changed' | 'denied';
  /** When its turn began; traces of earlier versions do not say. */
  readonly startedAt?: number;
  readonly milliseconds: number;
  /** Of a plugin that changed the object: how, as a JSON patch. */
  readonly patch?: readonly JsonObject[];
  readonly message?: string;
  /** Of a plugin that refused: where the limit comes from. */
  readonly by?: Readonly<
    Record<'kind' | 'namespace' | 'name' | 'field', string> & Partial<Record<'refused' | 'allowed', string>>
  >;
}

export interface TracedWebhook extends InTurn {
  readonly type: 'webhook';
  readonly configuration: string;
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  readonly index: number;
  /** Its entry in the configuration as it was then; of the caBundle only the length. */
  readonly definition?: WebhookEntry;
  readonly outcome: 'called' | 'skipped' | 'failed-open' | 'failed-closed' | 'denied' | 'refused';
  readonly startedAt: number;
  readonly milliseconds: number;
  /** Of a skipped webhook: the clause that decided and what it looked at, under the names of apiserver/admission/chain/outcome.ts. */
  readonly reason?: SkipReason;
  /** What each of its matchConditions came to, when they were evaluated. */
  readonly conditions?: readonly ConditionRecord[];
  /** Of a failed one: how far the call came. */
  readonly failurePhase?: FailurePhase;
  /** What exactly went wrong, where the phase leaves that open. */
  readonly failureCause?: FailureCause;
  readonly error?: string;
  /** The error without the words that kube-apiserver puts before it: whoever reads of the webhook knows them. */
  readonly failureDetail?: string;
  /** Of a server whose certificate was refused: what it says. */
  readonly certificate?: ServerCertificate;
  /** Of a denying one, or of a selection that failed: what the client is told. */
  readonly status?: JsonObject;
  /** As which `kind` and `resource` it was called, and the index of the `rule` that matched. */
  readonly matched?: JsonObject;
  /** How long the call might take; absent when it was not made. */
  readonly timeoutMilliseconds?: number;
  /** Where a service was really called: what `--map` says, or an endpoint. */
  readonly url?: string;
  /** Who listens there and for which time it was started, as `kadmit run` says. */
  readonly program?: string;
  /** It is mapped and has no caBundle: whatever certificate it showed was believed, as `--inject-ca` says. */
  readonly believed?: true;
  /** All HTTP requests of the call, when the webhook redirected it or asked to repeat it; the last one led to the answer. */
  readonly exchanges?: readonly HttpExchange[];
  /** It was not called, since `--assume` says what to take for its answer. */
  readonly assumed?: AssumedVerdict;
  /** When the request was held before or after the call; its `milliseconds` count that too. */
  readonly holds?: readonly Hold[];
  /** The AdmissionReview sent, and the body that came back. */
  readonly review?: JsonObject | null;
  readonly answer?: JsonValue;
  readonly patch?: readonly JsonObject[];
  /** Did the patch change the object, as kube-apiserver counts it? */
  readonly changed?: boolean;
  /** Of a patch that counts as a change: it makes no difference to the object. */
  readonly hasEffect?: boolean;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Those of them that the client does not get, or not whole. */
  readonly droppedWarnings?: readonly DroppedWarning[];
  /** Those of them that are in no audit event. */
  readonly droppedAuditAnnotations?: readonly DroppedAnnotation[];
}
