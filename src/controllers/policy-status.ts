import { syncObjects } from './workloads/follow-pods.ts';
import { sameJson } from '../machinery/json/json-equal.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import { ok, refuse } from '../machinery/meta/result.ts';
import { controllerUser } from './client.ts';
import type { Controller } from './controller.ts';
import { needsNoRetry } from './write-object.ts';
import { resourcePath } from './served-resources.ts';
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
    const created = await client({
      method: 'PATCH',
      path: `${resourcePath(policies, '', name)}/status`,
      query: { fieldManager: 'validatingadmissionpolicy-status', force: 'true' },
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name },
        status: {
          observedGeneration: generation,
          typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
        },
      },
    });
    return created.ok || needsNoRetry(created.status) ? ok(undefined) : refuse(created.status);
  });
  return queue.progress;
};
