import type { GroupVersionResource } from '../../apimachinery/gvk.ts';
import { readLabelSelector } from '../../apimachinery/label-selector.ts';
import type { LabelSelector } from '../../apimachinery/label-selector.ts';
import { valueAt } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { coreV1 } from '../served-resources.ts';

/** What ReplicaSets and ReplicationControllers do not share. */
export interface ReplicaKind {
  readonly kind: string;
  readonly resource: GroupVersionResource;
  /** Its service account, and who reports its Events. */
  readonly account: string;
  readonly component: string;
  readonly selectorOf: (object: KubernetesObject) => LabelSelector | undefined;
  /** Does its status count Pods that are being deleted? */
  readonly countsTerminating: boolean;
}

export const appsV1 = (resource: string): GroupVersionResource => ({ group: 'apps', version: 'v1', resource });

export const selectorOf = (object: KubernetesObject): LabelSelector | undefined => {
  const reading = readLabelSelector(valueAt(object, 'spec', 'selector'));
  return reading.outcome === 'selector' ? reading.selector : undefined;
};

export const replicaSets: ReplicaKind = {
  kind: 'ReplicaSet',
  resource: appsV1('replicasets'),
  account: 'replicaset-controller',
  component: 'replicaset-controller',
  selectorOf,
  countsTerminating: true,
};

/** Follows pkg/controller/replication/replication_controller.go, which is the ReplicaSet's with another face. */
export const replicationControllers: ReplicaKind = {
  kind: 'ReplicationController',
  resource: coreV1('replicationcontrollers'),
  account: 'replication-controller',
  component: 'replication-controller',
  selectorOf: (object) => {
    const reading = readLabelSelector({ matchLabels: valueAt(object, 'spec', 'selector') ?? {} });
    return reading.outcome === 'selector' ? reading.selector : undefined;
  },
  countsTerminating: false,
};
