import type { WebhookFieldValues } from '../../machinery/meta/webhook-fields.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { ApiObject } from './objects.ts';

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

/** undefined allows the request. */
export interface AdmissionResponse {
  readonly allowed?: boolean;
  readonly status?: { readonly message?: string; readonly code?: number; readonly reason?: string };
  /** JSON Patch operations, or their base64. */
  readonly patch?: readonly object[] | string;
  readonly patchType?: 'JSONPatch';
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** The API server receives what it throws as status 500. */
export type WebhookFunction = (
  review: AdmissionReview,
) => AdmissionResponse | undefined | void | Promise<AdmissionResponse | undefined | void>;

export interface Rule {
  readonly resources: readonly string[];
  /** Default `['']`, the core group. */
  readonly apiGroups?: readonly string[];
  /** Default: all. */
  readonly apiVersions?: readonly string[];
  /** Default: all. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** `webhooks[]` of a configuration, with the API server's defaults and `sideEffects` None. */
export interface WebhookOptions extends Partial<WebhookFieldValues> {
  readonly type: 'mutating' | 'validating';
  readonly rules: readonly Rule[];
  /** Name of its configuration, which several may share; default: its own name. */
  readonly configuration?: string;
  /** Faults of its calls from the first on. */
  readonly faults?: readonly Fault[];
}

/** A webhook that is a function of this process. */
export interface Webhook {
  readonly name: string;
  /** Every review received, in order; also those that a fault left without response. */
  readonly calls: () => readonly AdmissionReview[];
  /** The errors that the function threw, in order. */
  readonly errors: () => readonly unknown[];
  /** Faults of the following calls; [] for none. */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** Removes it, also from the configuration that `webhook` stored. */
  readonly remove: () => Promise<void>;
}
