import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import { type LabelSelector, readLabelSelector } from '../../machinery/selectors/label-selector.ts';
import type { ReplicaSet } from '../../api/types/generated/apps-v1.ts';
import type { ReplicationController } from '../../api/types/generated/core-v1.ts';
import type * as metaV1 from '../../api/types/generated/meta-v1.ts';
import { coreV1 } from '../served-resources.ts';

export type ReplicaOwner = ReplicaSet | ReplicationController;

type WithSelector = { readonly kind: string; readonly spec?: { readonly selector?: metaV1.LabelSelector | null } };

/** The differences between ReplicaSets and ReplicationControllers. */
export interface ReplicaKind {
  readonly kind: string;
  readonly resource: GroupVersionResource;
  /** The name of its service account and Event source. */
  readonly account: string;
  readonly selectorOf: (object: ReplicaOwner) => LabelSelector | undefined;
  /** Does its status count Pods that are being deleted? */
  readonly countsTerminating: boolean;
}

export const appsV1 = (resource: string): GroupVersionResource => ({ group: 'apps', version: 'v1', resource });

export const selectorOf = (object: WithSelector): LabelSelector | undefined => {
  const reading = readLabelSelector(object.spec?.selector ?? undefined);
  return reading.outcome === 'selector' ? reading.selector : undefined;
};

export const replicaSets: ReplicaKind = {
  kind: 'ReplicaSet',
  resource: appsV1('replicasets'),
  account: 'replicaset-controller',
  selectorOf,
  countsTerminating: true,
};

/** Follows pkg/controller/replication/replication_controller.go, an adapter of the ReplicaSet controller. */
export const replicationControllers: ReplicaKind = {
  kind: 'ReplicationController',
  resource: coreV1('replicationcontrollers'),
  account: 'replication-controller',
  selectorOf: (object) => {
    const reading = readLabelSelector({ matchLabels: object.spec?.selector ?? {} });
    return reading.outcome === 'selector' ? reading.selector : undefined;
  },
  countsTerminating: false,
};
