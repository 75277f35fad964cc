import type { WebhookFieldValues } from '../../machinery/meta/webhook-fields.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { ApiObject } from './objects.ts';

/** What a webhook is asked. */
export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: AdmissionRequest;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** null for a DELETE. */
  readonly object: ApiObject | null;
  /** null for a CREATE. */
  readonly oldObject: ApiObject | null;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** What it answers; nothing at all allows. */
export interface AdmissionResponse {
  readonly allowed?: boolean;
  readonly status?: { readonly message?: string; readonly code?: number; readonly reason?: string };
  /** JSON Patch operations, or their base64. */
  readonly patch?: readonly object[] | string;
  readonly patchType?: 'JSONPatch';
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** A webhook. What it throws, the API server sees as an answer with status 500. */
export type WebhookFunction = (
  review: AdmissionReview,
) => AdmissionResponse | undefined | void | Promise<AdmissionResponse | undefined | void>;

export interface Rule {
  readonly resources: readonly string[];
  /** `['']`, the core group, unless something else is said. */
  readonly apiGroups?: readonly string[];
  /** All unless something else is said. */
  readonly apiVersions?: readonly string[];
  /** All unless something else is said. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** `webhooks[]` of a configuration; what is left out is as the API server has it, `sideEffects` None. */
export interface WebhookOptions extends Partial<WebhookFieldValues> {
  readonly type: 'mutating' | 'validating';
  readonly rules: readonly Rule[];
  /** The configuration it stands in: its own name unless something else is said. Several may share one. */
  readonly configuration?: string;
  /** What goes wrong with its calls from the first on. */
  readonly faults?: readonly Fault[];
}

/** A webhook that is a function of this process. */
export interface Webhook {
  readonly name: string;
  /** Every review that came so far, in order; also those that a fault kept from being answered. */
  readonly calls: () => readonly AdmissionReview[];
  /** What the function threw, in order: the server saw a 500 each time. */
  readonly errors: () => readonly unknown[];
  /** What goes wrong from the next call on; [] for nothing. */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** Nobody answers for it any more, and it stands in no configuration that `webhook` made. */
  readonly remove: () => Promise<void>;
}
