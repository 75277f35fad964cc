import { asObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { templateHash } from '../../template-hash/template-hash.ts';
import {
  type WorkloadCondition,
  conditionsOf,
  findCondition,
  withCondition,
  intOrZero,
  minReadySecondsOf,
  nameOf,
  namespaceOf,
  optionalInt,
  replicasOf,
  statusOf,
} from '../fields.ts';
import { controllerReference } from '../ownership.ts';
import { asStrings } from '../pod-control.ts';
import { putObject, putStatus, isTerminatingNamespace, postObject } from '../../write-object.ts';
import { revisionAnnotation, revisionOf, withRevision, withReplicaAnnotations } from './annotations.ts';
import { deploymentCondition, progressDeadline } from './deployment-status.ts';
import { maxSurge, allReplicaSets, templateHashLabel, templateOf, totalReplicas } from './replica-sets.ts';
import { deployments, replicaSetResource, type Rollout, writeStatus } from './rollout.ts';
import type { Deployment, ReplicaSet } from '../../../api/types/generated/apps-v1.ts';

/**
 * Updates the ReplicaSet of the current template and the revision of the Deployment; creates the ReplicaSet if
 * requested. Follows pkg/controller/deployment/sync.go getNewReplicaSet.
 */
export async function getNewReplicaSet(rollout: Rollout, create: boolean): Promise<Result<Rollout>> {
  const { deployment, family, client } = rollout;
  const revision = Math.max(0, ...family.old.map((one) => revisionOf(one) ?? 0)) + 1;
  if (family.current) {
    const minReadySeconds = minReadySecondsOf(deployment);
    const revised = withMinReady(withRevision(family.current, deployment, revision), minReadySeconds);
    if (!sameJson(revised, family.current)) {
      const written = await putObject(client, replicaSetResource, revised);
      return written.ok ? ok({ ...rollout, family: { ...family, current: written.value } }) : written;
    }
    const found = `Found new replica set "${nameOf(family.current)}"`;
    const isMissing = !findCondition(conditionsOf(deployment), 'Progressing');
    const text = metadataOf(revised).annotations?.[revisionAnnotation] ?? '';
    return updateRevision(
      rollout,
      text,
      isMissing ? progressCondition(rollout, 'True', 'FoundNewReplicaSet', found) : undefined,
    );
  }
  return create ? createNewReplicaSet(rollout, revision) : ok(rollout);
}

const withMinReady = (replicaSet: ReplicaSet, minReadySeconds: number): ReplicaSet =>
  minReadySecondsOf(replicaSet) === minReadySeconds
    ? replicaSet
    : { ...replicaSet, spec: { ...asObject(replicaSet.spec), minReadySeconds } };

const progressCondition = (
  { now }: Rollout,
  status: WorkloadCondition['status'],
  reason: string,
  message: string,
): WorkloadCondition => deploymentCondition('Progressing', status, { reason, message, now: now() });

/** Writes the revision, and the progress where there is a deadline. */
async function updateRevision(
  rollout: Rollout,
  revision: string,
  existing: WorkloadCondition | undefined,
): Promise<Result<Rollout>> {
  const { deployment } = rollout;
  const { annotations = {} } = metadataOf(deployment);
  const condition = progressDeadline(deployment) === undefined ? undefined : existing;
  const isKnown = annotations[revisionAnnotation] === revision;
  if (isKnown && !condition) return ok(rollout);
  const noted = withMetadata(deployment, { annotations: { ...annotations, [revisionAnnotation]: revision } });
  const conditions = condition ? withCondition(conditionsOf(deployment), condition) : undefined;
  const status = { ...statusOf(deployment), ...(conditions ? { conditions } : {}) };
  const written = await putStatus(rollout.client, deployments, noted, status);
  return written.ok ? ok({ ...rollout, deployment: written.value }) : written;
}

async function createNewReplicaSet(rollout: Rollout, revision: number): Promise<Result<Rollout>> {
  const { client, recorder, deployment, family } = rollout;
  const desired = newReplicaSet(rollout, revision);
  const name = nameOf(desired);
  const created = await postObject(client, replicaSetResource, desired);
  if (!created.ok) {
    if (created.status.reason === 'AlreadyExists') {
      const collisionCount = intOrZero(deployment.status?.collisionCount) + 1;
      const counted = await writeStatus(rollout, { ...statusOf(deployment), collisionCount });
      return counted.ok ? created : counted;
    }
    if (isTerminatingNamespace(created.status)) return created;
    const message = `Failed to create new replica set "${name}": ${created.status.message ?? ''}`;
    const condition = progressCondition(rollout, 'False', 'ReplicaSetCreateError', message);
    if (progressDeadline(deployment) !== undefined) {
      const conditions = withCondition(conditionsOf(deployment), condition);
      await writeStatus(rollout, { ...statusOf(deployment), conditions });
    }
    recorder.event(deployment, 'Warning', 'ReplicaSetCreateError', message);
    return created;
  }
  const current = created.value;
  const replicas = replicasOf(current);
  if (replicas > 0) {
    recorder.event(deployment, 'Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicas}`);
  }
  const condition = progressCondition(rollout, 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
  return updateRevision({ ...rollout, family: { ...family, current } }, String(revision), condition);
}

function newReplicaSet({ types, deployment, family }: Rollout, revision: number): KubernetesObject {
  const template = templateOf(deployment);
  const hash = templateHash(types, template, optionalInt(deployment.status?.collisionCount));
  const metadata = asObject(template.metadata);
  const labels = { ...asStrings(metadata.labels), [templateHashLabel]: hash };
  const selector = asObject(deployment.spec?.selector);
  const bare: KubernetesObject = {
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    metadata: {
      name: `${nameOf(deployment).slice(0, 252 - hash.length)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: newReplicaCount(deployment, totalReplicas(allReplicaSets(family)), 0),
      minReadySeconds: minReadySecondsOf(deployment),
      selector: { ...selector, matchLabels: { ...asObject(selector.matchLabels), [templateHashLabel]: hash } },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
  return withReplicaAnnotations(withRevision(bare, deployment, revision), deployment);
}

/** The maximum replicas of the new ReplicaSet, of `total`. Follows NewRSNewReplicas. */
export function newReplicaCount(deployment: Deployment, total: number, own: number): number {
  const desired = replicasOf(deployment);
  if (asObject(asObject(deployment.spec).strategy).type === 'Recreate') return desired;
  const headroom = desired + maxSurge(deployment) - total;
  return headroom <= 0 ? own : own + Math.min(headroom, desired - own);
}
