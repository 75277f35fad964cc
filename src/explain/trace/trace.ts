import type {
  FailurePhase,
  MutationRecord,
  ParamsReference,
  TypeWarning,
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
  FailureCause,
} from '../../apiserver/admission/webhooks/call.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../machinery/json/json.ts';
import type { WarningOmission } from '../../machinery/meta/sent-warnings.ts';
import type { WebhookEntry } from '../../machinery/meta/webhook-fields.ts';
import type { CollectionItem, ConcurrentWrite } from '../../apiserver/request/journal.ts';

/**
 * What happened to one write: the document of `GET /kadmit/v1/traces/ID`, `--trace-dir` and `kadmit explain`,
 * described in docs/reference/trace-format.md. Durations in milliseconds, times in milliseconds since 1970.
 */
export interface Trace {
  readonly traceVersion: 1;
  /** The request's Audit-Id. */
  readonly id: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  /** The release of Kubernetes that the server followed, `v1.33.0`; absent for the default one. */
  readonly release?: string;
  /** The deadline of its webhooks (34 s, or its own timeout); absent when there is none. */
  readonly deadline?: number;
  readonly verdict: Verdict;
  readonly request: TracedRequest;
  /** In order; a stage that ran again after a lost race is listed again. */
  readonly stages: readonly TracedStage[];
  /** Every plugin, policy and webhook considered, in order. */
  readonly admission: readonly TracedDecision[];
  /** Configurations without webhooks; absent when there are none, or another of its kind has webhooks. */
  readonly emptyConfigurations?: readonly string[];
  /** Conversions of custom resources, in order; absent when there are none. */
  readonly conversions?: readonly TracedConversion[];
  /** The object as admission received it: decoded, defaulted, patched; absent when it did not reach admission. */
  readonly objectReceived?: JsonObject | null;
  /** What another write did to the object during the webhook calls, the last time; absent when none did. */
  readonly concurrentWrite?: ConcurrentWrite;
  /** null for a create. */
  readonly objectBefore: JsonObject | null;
  /** The object of the response or, for a refused write, its last state. */
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
  /** Absent when it had none. */
  readonly contentType?: string;
  /** JSON as a value, YAML as text, absent for other formats. */
  readonly body?: JsonValue;
  /** username, uid, groups, extra; null when the user is unknown. */
  readonly user: JsonObject | null;
}

export interface TracedStage {
  readonly name: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly passed: boolean;
}

export interface TracedConversion {
  /** The name of its CustomResourceDefinition. */
  readonly definition: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The `apiVersion` before and after. */
  readonly from: string;
  readonly to: string;
  readonly strategy: 'None' | 'Webhook';
  /** The stage that required it. */
  readonly stage: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly outcome: 'converted' | 'failed';
  /** Of a webhook; a caBundle is replaced by its length. */
  readonly clientConfig?: JsonObject;
  /** The URL that was called for a Service. */
  readonly url?: string;
  readonly error?: string;
  /** The phase of a failed call; `failure`: the converter reported one. `answer`: its response is unusable. */
  readonly failurePhase?: ConversionPhase;
  readonly failureCause?: FailureCause;
  readonly certificate?: ServerCertificate;
}

/** A warning that the client receives shortened or not at all. */
export interface DroppedWarning {
  readonly warning: string;
  readonly because: WarningOmission;
}

/** An audit annotation that is in no audit event. */
export interface DroppedAnnotation {
  readonly key: string;
  readonly because: 'invalid-key' | 'already-written';
  /** What is wrong with the key. */
  readonly detail?: string;
}

export type TracedDecision = TracedPlugin | TracedWebhook | TracedPolicy;

interface OfItem extends CollectionItem {
  /** The admission attempt; absent for 0. */
  readonly attempt?: number;
}

/** One evaluation of a policy with one binding and one parameter object, or the clause that prevented it. */
export interface TracedPolicy extends OfItem {
  readonly type: 'policy';
  readonly name: string;
  /** Absent when no binding was considered. */
  readonly binding?: string;
  /** The object that was `params`. */
  readonly params?: ParamsReference;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  /** The `spec` of the policy and of the binding at that time. */
  readonly definition?: JsonObject;
  readonly bound?: JsonObject;
  /** `evaluated` may include warnings, audit annotations and changes. */
  readonly outcome: 'evaluated' | 'skipped' | 'failed-open' | 'failed-closed' | 'denied';
  readonly startedAt: number;
  readonly milliseconds: number;
  /** Of a skipped one: the deciding clause, with the names of apiserver/admission/chain/outcome.ts. */
  readonly reason?: SkipReason;
  readonly conditions?: readonly ConditionRecord[];
  /** With `--coverage`: the evaluated ones. */
  readonly variables?: readonly VariableRecord[];
  /** The `kind` and `resource` that it matched. */
  readonly matched?: JsonObject;
  /** The result of each validation or mutation. */
  readonly validations?: readonly ValidationRecord[];
  readonly mutations?: readonly MutationRecord[];
  readonly error?: string;
  /** With parameterNotFoundAction Deny: `ConfigMap limits in namespace default`. */
  readonly missingParams?: string;
  /** `status.typeChecking` of the policy at that time. */
  readonly typeWarnings?: readonly TypeWarning[];
  /** Of a denial: the client's Status. */
  readonly status?: JsonObject;
  /** Of a mutating one that changed the object: a JSON patch. */
  readonly patch?: readonly JsonObject[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Warnings that the client receives shortened or not at all. */
  readonly droppedWarnings?: readonly DroppedWarning[];
}

export interface TracedPlugin extends OfItem {
  readonly type: 'plugin';
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  readonly outcome: 'passed' | 'changed' | 'denied';
  /** Absent in traces of earlier versions. */
  readonly startedAt?: number;
  readonly milliseconds: number;
  /** Of a plugin that changed the object: a JSON patch. */
  readonly patch?: readonly JsonObject[];
  readonly message?: string;
  /** Of a refusal: where the limit is set. */
  readonly by?: Readonly<
    Record<'kind' | 'namespace' | 'name' | 'field', string> & Partial<Record<'refused' | 'allowed', string>>
  >;
}

export interface TracedWebhook extends OfItem {
  readonly type: 'webhook';
  readonly configuration: string;
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  readonly index: number;
  /** Its entry in the configuration at that time; a caBundle is replaced by its length. */
  readonly definition?: WebhookEntry;
  readonly outcome: 'called' | 'skipped' | 'failed-open' | 'failed-closed' | 'denied' | 'refused';
  readonly startedAt: number;
  readonly milliseconds: number;
  /** Of a skipped one: the deciding clause, with the names of apiserver/admission/chain/outcome.ts. */
  readonly reason?: SkipReason;
  /** The results of its matchConditions, when they were evaluated. */
  readonly conditions?: readonly ConditionRecord[];
  /** The phase of a failed call. */
  readonly failurePhase?: FailurePhase;
  /** The cause, where the phase leaves it open. */
  readonly failureCause?: FailureCause;
  readonly error?: string;
  /** The error without the prefix of kube-apiserver. */
  readonly failureDetail?: string;
  readonly certificate?: ServerCertificate;
  /** Of a denial, or of a failed selection: the client's Status. */
  readonly status?: JsonObject;
  /** The `kind` and `resource` of the call, and the index of the matching `rule`. */
  readonly matched?: JsonObject;
  /** The timeout of the call; absent when there was none. */
  readonly timeoutMilliseconds?: number;
  /** The URL that was called for a Service: of `--map`, or an endpoint. */
  readonly url?: string;
  /** The program at that URL and its start count, as `kadmit run` reports. */
  readonly program?: string;
  /** A mapped Service without a caBundle: `--inject-ca` accepts any certificate. */
  readonly trustedAsMapped?: true;
  /** All HTTP requests of the call when it was redirected or repeated; the last one has the answer. */
  readonly exchanges?: readonly HttpExchange[];
  /** `--assume` answered instead of a call. */
  readonly assumed?: AssumedVerdict;
  /** Breakpoints before or after the call; `milliseconds` includes them. */
  readonly holds?: readonly Hold[];
  /** The AdmissionReview sent, and the body received. */
  readonly review?: JsonObject | null;
  readonly answer?: JsonValue;
  readonly patch?: readonly JsonObject[];
  /** Did the patch change the object, as kube-apiserver counts it? */
  readonly changed?: boolean;
  /** False for a counted patch that makes no difference to the object. */
  readonly hasEffect?: boolean;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Warnings that the client receives shortened or not at all. */
  readonly droppedWarnings?: readonly DroppedWarning[];
  /** Audit annotations that are in no audit event. */
  readonly droppedAuditAnnotations?: readonly DroppedAnnotation[];
}

export const isTrace = (value: unknown): value is Trace =>
  isJsonObject(value) && value['traceVersion'] === 1 && Array.isArray(value['admission']);
