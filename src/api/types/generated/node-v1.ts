// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type Overhead = {
  readonly podFixed?: { readonly [key: string]: string };
};

export type RuntimeClass = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly handler?: string;
  readonly overhead?: Overhead;
  readonly scheduling?: Scheduling;
};

export type RuntimeClassList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<RuntimeClass>[] | null;
};

export type Scheduling = {
  readonly nodeSelector?: { readonly [key: string]: string };
  readonly tolerations?: readonly coreV1.Toleration[];
};
