// Made of the tables in src/api/release/current by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type CertificateSigningRequest = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus;
};

export type CertificateSigningRequestCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
};

export type CertificateSigningRequestList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<CertificateSigningRequest>[] | null;
};

export type CertificateSigningRequestSpec = {
  readonly request?: string | null;
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly string[];
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: { readonly [key: string]: readonly string[] };
};

export type CertificateSigningRequestStatus = {
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  readonly certificate?: string;
};
