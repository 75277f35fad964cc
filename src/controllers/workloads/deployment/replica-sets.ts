import { asObject } from '../../../machinery/json/json.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { byAge, intOrZero, replicasOf, scaledValue } from '../fields.ts';
import type { Deployment, ReplicaSet, RollingUpdateDeployment } from '../../../api/types/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../../api/types/generated/core-v1.ts';

export const templateHashLabel = 'pod-template-hash';

/** A Deployment's ReplicaSets: of its current template, if it exists, and old ones, oldest first. */
export interface ReplicaSetFamily {
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** A kind with a Pod template. */
type Templated = { readonly kind: string; readonly spec?: { readonly template?: PodTemplateSpec } };

export const templateOf = (object: Templated): PodTemplateSpec => asObject(object.spec?.template);

/** Follows FindNewReplicaSet and FindOldReplicaSets of pkg/controller/deployment/util/deployment_util.go. */
export function groupReplicaSets(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSetFamily {
  const sorted = [...replicaSets].sort(byAge);
  const desired = withoutHash(templateOf(deployment));
  const current = sorted.find((one) => semanticEqual(withoutHash(templateOf(one)), desired));
  return { current, old: sorted.filter((one) => one !== current) };
}

/** A template without pod-template-hash. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const metadata = asObject(template.metadata);
  const { [templateHashLabel]: _hash, ...labels } = asObject(metadata.labels);
  return { ...template, metadata: { ...metadata, labels } };
}

export const allReplicaSets = ({ current, old }: ReplicaSetFamily): readonly ReplicaSet[] =>
  current ? [...old, current] : old;

export const isActiveSet = (replicaSet: ReplicaSet): boolean => replicasOf(replicaSet) > 0;

export const totalReplicas = (replicaSets: readonly ReplicaSet[]): number =>
  replicaSets.reduce((sum, one) => sum + replicasOf(one), 0);

export const totalStatus = (replicaSets: readonly ReplicaSet[], field: Counted): number =>
  replicaSets.reduce((sum, one) => sum + intOrZero(one.status?.[field]), 0);

type Counted = 'replicas' | 'readyReplicas' | 'availableReplicas';

const isRolling = (deployment: Deployment): boolean => deployment.spec?.strategy?.type === 'RollingUpdate';

const rollingUpdate = (deployment: Deployment, field: keyof RollingUpdateDeployment): number | string | undefined =>
  deployment.spec?.strategy?.rollingUpdate?.[field];

export const maxSurge = (deployment: Deployment): number =>
  isRolling(deployment) ? scaledValue(rollingUpdate(deployment, 'maxSurge'), replicasOf(deployment), Math.ceil) : 0;

/** maxUnavailable as a number; 1 when both are 0. Follows ResolveFenceposts. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  const unavailable = scaledValue(rollingUpdate(deployment, 'maxUnavailable'), replicas, Math.floor);
  return Math.min(replicas, unavailable === 0 && maxSurge(deployment) === 0 ? 1 : unavailable);
}
