// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { JsonValue } from '../../../machinery/json/json.ts';
import type * as authenticationV1 from './authentication-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type AdmissionRequest = {
  readonly uid?: string;
  readonly kind?: metaV1.GroupVersionKind;
  readonly resource?: metaV1.GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind?: metaV1.GroupVersionKind;
  readonly requestResource?: metaV1.GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation?: string;
  readonly userInfo?: authenticationV1.UserInfo;
  readonly object?: JsonValue | null;
  readonly oldObject?: JsonValue | null;
  readonly dryRun?: boolean;
  readonly options?: JsonValue | null;
};

export type AdmissionResponse = {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Partial<metaV1.Status>;
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: { readonly [key: string]: string };
  readonly warnings?: readonly string[];
};

export type AdmissionReview = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
};
