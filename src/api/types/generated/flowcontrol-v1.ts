// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type ExemptPriorityLevelConfiguration = {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
};

export type FlowDistinguisherMethod = {
  readonly type?: string;
};

export type FlowSchema = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: FlowSchemaSpec;
  readonly status?: FlowSchemaStatus;
};

export type FlowSchemaCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type FlowSchemaList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<FlowSchema>[] | null;
};

export type FlowSchemaSpec = {
  readonly priorityLevelConfiguration?: PriorityLevelConfigurationReference;
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: FlowDistinguisherMethod;
  readonly rules?: readonly PolicyRulesWithSubjects[];
};

export type FlowSchemaStatus = {
  readonly conditions?: readonly FlowSchemaCondition[];
};

export type GroupSubject = {
  readonly name?: string;
};

export type LimitResponse = {
  readonly type?: string;
  readonly queuing?: QueuingConfiguration;
};

export type LimitedPriorityLevelConfiguration = {
  readonly nominalConcurrencyShares?: number | null;
  readonly limitResponse?: LimitResponse;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
};

export type NonResourcePolicyRule = {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
};

export type PolicyRulesWithSubjects = {
  readonly subjects?: readonly Subject[] | null;
  readonly resourceRules?: readonly ResourcePolicyRule[];
  readonly nonResourceRules?: readonly NonResourcePolicyRule[];
};

export type PriorityLevelConfiguration = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: PriorityLevelConfigurationSpec;
  readonly status?: PriorityLevelConfigurationStatus;
};

export type PriorityLevelConfigurationCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type PriorityLevelConfigurationList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<PriorityLevelConfiguration>[] | null;
};

export type PriorityLevelConfigurationReference = {
  readonly name?: string;
};

export type PriorityLevelConfigurationSpec = {
  readonly type?: string;
  readonly limited?: LimitedPriorityLevelConfiguration;
  readonly exempt?: ExemptPriorityLevelConfiguration;
};

export type PriorityLevelConfigurationStatus = {
  readonly conditions?: readonly PriorityLevelConfigurationCondition[];
};

export type QueuingConfiguration = {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
};

export type ResourcePolicyRule = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
};

export type ServiceAccountSubject = {
  readonly namespace?: string;
  readonly name?: string;
};

export type Subject = {
  readonly kind?: string;
  readonly user?: UserSubject;
  readonly group?: GroupSubject;
  readonly serviceAccount?: ServiceAccountSubject;
};

export type UserSubject = {
  readonly name?: string;
};
