import { asStrings } from '../pod-control.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { replicasOf, annotatedCount } from '../fields.ts';
import { maxSurge } from './replica-sets.ts';
import type { Deployment, ReplicaSet } from '../../../api/types/generated/apps-v1.ts';

const prefix = 'deployment.kubernetes.io';
export const revisionAnnotation = `${prefix}/revision`;
const historyAnnotation = `${prefix}/revision-history`;
const desiredAnnotation = `${prefix}/desired-replicas`;
const maxAnnotation = `${prefix}/max-replicas`;

/** Requests a rollback to an earlier revision. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';

/** Annotations of the Deployment itself. */
const deploymentAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
]);

const historyLimit = 2000;

type Annotations = Readonly<Record<string, string>>;

const annotationsOf = (object: KubernetesObject): Annotations => asStrings(metadataOf(object).annotations);

/** undefined when the annotation is not a number. */
export function revisionOf(replicaSet: ReplicaSet): number | undefined {
  const text = annotationsOf(replicaSet)[revisionAnnotation];
  if (text === undefined) return 0;
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

/** The Deployment's replicas when it last scaled this ReplicaSet. */
export const desiredReplicas = (replicaSet: ReplicaSet): number | undefined =>
  annotatedCount(replicaSet, desiredAnnotation);
export const maxReplicas = (replicaSet: ReplicaSet): number | undefined => annotatedCount(replicaSet, maxAnnotation);

/** The Deployment's own annotations with all others of the ReplicaSet. Follows SetDeploymentAnnotationsTo. */
export function annotationsAfterRollback(deployment: Deployment, goal: KubernetesObject): Annotations {
  const own = Object.entries(annotationsOf(deployment)).filter(([key]) => deploymentAnnotations.has(key));
  const others = Object.entries(annotationsOf(goal)).filter(([key]) => !deploymentAnnotations.has(key));
  return Object.fromEntries([...own, ...others]);
}

/** With the replica annotations of the Deployment. Follows SetReplicasAnnotations. */
export function withReplicaAnnotations(replicaSet: ReplicaSet, deployment: Deployment): KubernetesObject {
  const desired = replicasOf(deployment);
  const annotations = {
    ...annotationsOf(replicaSet),
    [desiredAnnotation]: String(desired),
    [maxAnnotation]: String(desired + maxSurge(deployment)),
  };
  return withMetadata(replicaSet, { annotations });
}

/**
 * With the Deployment's annotations and this revision, unless its own is later; an earlier one is added to its
 * history. Follows pkg/controller/deployment/util/deployment_util.go SetNewReplicaSetAnnotations.
 */
export function withRevision(replicaSet: ReplicaSet, deployment: Deployment, revision: number): KubernetesObject {
  const own = annotationsOf(replicaSet);
  const copied = Object.entries(annotationsOf(deployment)).filter(([key]) => !deploymentAnnotations.has(key));
  const annotations = { ...own, ...Object.fromEntries(copied) };
  const before = revisionOf(replicaSet);
  if (before === undefined || before >= revision) return withMetadata(replicaSet, { annotations });
  const old = own[revisionAnnotation];
  const history = old === undefined ? {} : { [historyAnnotation]: appendRevision(own[historyAnnotation] ?? '', old) };
  return withMetadata(replicaSet, {
    annotations: { ...annotations, [revisionAnnotation]: String(revision), ...history },
  });
}

/** Drops the oldest revisions of a long list. */
function appendRevision(history: string, revision: string): string {
  const revisions = history === '' ? [] : history.split(',');
  while (revisions.length > 0 && [...revisions, revision].join(',').length > historyLimit) revisions.shift();
  return [...revisions, revision].join(',');
}
