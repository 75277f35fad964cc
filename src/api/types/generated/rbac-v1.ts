// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type AggregationRule = {
  readonly clusterRoleSelectors?: readonly metaV1.LabelSelector[];
};

export type ClusterRole = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: AggregationRule;
};

export type ClusterRoleBinding = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef?: RoleRef;
};

export type ClusterRoleBindingList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ClusterRoleBinding>[] | null;
};

export type ClusterRoleList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ClusterRole>[] | null;
};

export type PolicyRule = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

export type Role = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
};

export type RoleBinding = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef?: RoleRef;
};

export type RoleBindingList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<RoleBinding>[] | null;
};

export type RoleList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Role>[] | null;
};

export type RoleRef = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
};

export type Subject = {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
};
