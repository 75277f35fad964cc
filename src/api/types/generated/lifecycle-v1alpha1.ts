// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type Eviction = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: EvictionSpec;
  readonly status?: EvictionStatus;
};

export type EvictionList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Eviction>[] | null;
};

export type EvictionPodReference = {
  readonly name?: string;
  readonly uid?: string;
};

export type EvictionRequest = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: EvictionRequestSpec;
  readonly status?: EvictionRequestStatus;
};

export type EvictionRequestList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<EvictionRequest>[] | null;
};

export type EvictionRequestPodReference = {
  readonly name?: string;
  readonly uid?: string;
};

export type EvictionRequestSpec = {
  readonly target?: EvictionRequestTarget;
  readonly requester?: string;
  readonly intent?: string;
};

export type EvictionRequestStatus = {
  readonly conditions?: readonly metaV1.Condition[];
  readonly observedGeneration?: number | bigint;
};

export type EvictionRequestTarget = {
  readonly pod?: EvictionRequestPodReference;
};

export type EvictionSpec = {
  readonly target?: EvictionTarget;
};

export type EvictionStatus = {
  readonly conditions?: readonly metaV1.Condition[];
  readonly observedGeneration?: number | bigint;
  readonly requesters?: readonly Requester[];
  readonly targetResponders?: readonly TargetResponder[];
  readonly responders?: readonly ResponderStatus[];
};

export type EvictionTarget = {
  readonly pod?: EvictionPodReference;
};

export type Requester = {
  readonly name?: string;
  readonly intent?: string;
};

export type ResponderStatus = {
  readonly name?: string;
  readonly startTime?: string;
  readonly heartbeatTime?: string;
  readonly expectedCompletionTime?: string;
  readonly completionTime?: string;
  readonly message?: string;
};

export type TargetResponder = {
  readonly name?: string;
  readonly priority?: number | null;
  readonly state?: string;
};
