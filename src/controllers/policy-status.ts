import { syncObjects } from './workloads/follow-pods.ts';
import { sameJson } from '../machinery/json/json-equal.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import { ok } from '../machinery/meta/result.ts';
import { controllerUser } from './client.ts';
import type { Controller } from './controller.ts';
import { ignoreLostRace, applyObject } from './write-object.ts';
import type { ValidatingAdmissionPolicy } from '../api/types/generated/admissionregistration-v1.ts';

const policies = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicies' };

/**
 * Writes the type checking warnings of every ValidatingAdmissionPolicy into its status, once per generation. Follows
 * pkg/controller/validatingadmissionpolicystatus/controller.go.
 */
export const policyStatusController: Controller = (context) => {
  const client = context.clientFor(controllerUser('validatingadmissionpolicy-status-controller'));
  const queue = syncObjects(context, policies, async (policy: ValidatingAdmissionPolicy, { name }) => {
    const { generation } = metadataOf(policy);
    if (generation === undefined || sameJson(policy.status?.observedGeneration, generation)) return ok(undefined);
    const expressionWarnings = context.typeWarnings(policy);
    const status = {
      observedGeneration: generation,
      typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
    };
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      status,
    };
    const options = { fieldManager: 'validatingadmissionpolicy-status', subresource: '/status' } as const;
    return ignoreLostRace(await applyObject(client, policies, configuration, options));
  });
  return queue.progress;
};
