import { asObject } from '../../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { nameOf } from '../fields.ts';
import { putObject } from '../write-object.ts';
import { annotationsAfterRollback, revisionOf, rollbackAnnotation } from './annotations.ts';
import { withCurrent } from './current-replica-set.ts';
import { allOf, templateOf, withoutHash } from './replica-sets.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { deployments } from './rollout.ts';
import type { Rollout } from './rollout.ts';
import type { Deployment, ReplicaSet } from '../../../api/types/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../../api/types/generated/core-v1.ts';

/**
 * The revision that a Deployment is asked to go back to, 0 for the one before; undefined for none. The annotation stands
 * for `rollbackTo` of extensions/v1beta1.
 */
export function askedRevision(deployment: Deployment): number | undefined {
  const text = metadataOf(deployment).annotations?.[rollbackAnnotation] ?? '';
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Takes the template of an earlier revision, or says why not. Follows pkg/controller/deployment/rollback.go. */
export async function rollBack(before: Rollout, asked: number): Promise<Result<Rollout>> {
  const known = await withCurrent(before, true);
  if (!known.ok) return known;
  const { deployment, family, recorder } = known.value;
  const revision = asked === 0 ? lastRevision(allOf(family)) : asked;
  const goal = allOf(family).find((one) => revisionOf(one) === revision);
  const name = JSON.stringify(nameOf(deployment));
  if (revision === 0 || !goal) {
    const message = revision === 0 ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    recorder.event(deployment, 'Warning', 'DeploymentRollbackRevisionNotFound', message);
    return write(known.value, deployment);
  }
  const template = withoutHash(templateOf(goal));
  if (semanticEqual(withoutHash(templateOf(deployment)), template)) {
    const message = `The rollback revision contains the same template as current deployment ${name}`;
    recorder.event(deployment, 'Warning', 'DeploymentRollbackTemplateUnchanged', message);
    return write(known.value, deployment);
  }
  const written = await write(known.value, withTemplate(deployment, template, goal));
  if (written.ok) {
    recorder.event(
      deployment,
      'Normal',
      'DeploymentRollback',
      `Rolled back deployment ${name} to revision ${revision}`,
    );
  }
  return written;
}

const withTemplate = (deployment: Deployment, template: PodTemplateSpec, goal: ReplicaSet): KubernetesObject =>
  withMetadata(
    { ...deployment, spec: { ...asObject(deployment.spec), template } },
    { annotations: annotationsAfterRollback(deployment, goal) },
  );

/** In any case it is not asked again. */
async function write(rollout: Rollout, deployment: Deployment): Promise<Result<Rollout>> {
  const { [rollbackAnnotation]: _asked, ...annotations } = metadataOf(deployment).annotations ?? {};
  const written = await putObject(rollout.client, deployments, withMetadata(deployment, { annotations }));
  return written.ok ? ok({ ...rollout, deployment: written.value }) : written;
}

/** The one before the last; 0 when there is none. Follows LastRevision of pkg/controller/deployment/util. */
function lastRevision(replicaSets: readonly ReplicaSet[]): number {
  const [, second = 0] = replicaSets.map((one) => revisionOf(one) ?? 0).sort((a, b) => b - a);
  return second;
}
