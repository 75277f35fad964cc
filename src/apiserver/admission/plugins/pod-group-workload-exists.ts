import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { deny, byObject, byRule } from '../chain/refused-by.ts';
import { forResource, pass } from './handled-resource.ts';
import { podGroups } from './pod-group-protection.ts';
import type { FormerPodGroupFields } from '../../../api/types/former-fields.ts';
import type { PodGroupSpec, Workload } from '../../../api/types/generated/scheduling-v1beta1.ts';

/**
 * The Workload and template that a PodGroup refers to must exist. Follows kubernetes
 * plugin/pkg/admission/podgroup/admission.go of 1.36.
 */
export const podGroupWorkloadExists: SyncPlugin = {
  name: 'PodGroupWorkloadExists',
  operations: ['CREATE'],
  validate: forResource(podGroups, (request, { cluster }) => {
    const spec: PodGroupSpec & FormerPodGroupFields = request.object.spec ?? {};
    const reference = spec.podGroupTemplateRef?.workload;
    if (!reference) return pass(request);
    const [name, template] = [asString(reference.workloadName), asString(reference.podGroupTemplateName)];
    const workload: Workload | undefined = cluster.get(
      { group: 'scheduling.k8s.io', resource: 'workloads' },
      request.namespace,
      name,
    );
    const fault = faultOf(workload, goQuote(name), template);
    if (fault === undefined) return pass(request);
    const limit = {
      refused: 'spec.podGroupTemplateRef.workload',
      allowed: 'a Workload that is there, with this template',
    };
    const source = workload
      ? byObject(workload, 'spec.podGroupTemplates', limit)
      : byRule(limit.refused, limit.allowed);
    return deny(request, `PodGroup rejected: ${fault}`, source);
  }),
};

function faultOf(workload: Workload | undefined, name: string, template: string): string | undefined {
  if (workload === undefined) return `Workload ${name} not found`;
  if (metadataOf(workload).deletionTimestamp !== undefined) return `Workload ${name} is being deleted`;
  const templates = asList(asObject(workload.spec).podGroupTemplates);
  if (templates.some((each) => asObject(each).name === template)) return undefined;
  return `PodGroupTemplate ${goQuote(template)} not found in Workload ${name}`;
}
