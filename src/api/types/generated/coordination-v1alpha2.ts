// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type LeaseCandidate = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: LeaseCandidateSpec;
};

export type LeaseCandidateList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<LeaseCandidate>[] | null;
};

export type LeaseCandidateSpec = {
  readonly leaseName?: string;
  readonly pingTime?: string;
  readonly renewTime?: string;
  readonly binaryVersion?: string;
  readonly emulationVersion?: string;
  readonly strategy?: string;
};
