import { metadataOf } from '../../../machinery/meta/object.ts';
import type { SyncPlugin, PluginPorts } from '../chain/plugin.ts';
import { forResource, pass } from './handled-resource.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import { deny, byObject, byRule } from '../chain/refusal.ts';
import type { FormerPodGroupFields } from '../../../api/types/former-fields.ts';
import type { PodGroupSpec, Workload, PodGroup } from '../../../api/types/generated/scheduling-v1beta1.ts';
import type { Job } from '../../../api/types/generated/batch-v1.ts';

const podGroups = { group: 'scheduling.k8s.io', resource: 'podgroups' } as const;

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

/** A Job with gang scheduling keeps its parallelism. Follows kubernetes plugin/pkg/admission/job/admission.go of 1.36. */
export const jobValidation: SyncPlugin = {
  name: 'JobValidation',
  operations: ['UPDATE'],
  validate: forResource({ group: 'batch', resource: 'jobs' }, (request, { cluster }) => {
    const { object, oldObject } = request;
    if (oldObject === null || object.spec?.parallelism === oldObject.spec?.parallelism) return pass(request);
    const gang = groupsOf(oldObject, cluster).find((group) => isJsonObject(group.spec?.schedulingPolicy?.gang));
    if (gang === undefined) return pass(request);
    const name = goQuote(metadataOf(gang).name ?? '');
    const message = `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${name}`;
    const limit = { refused: 'spec.parallelism', allowed: 'the value it has' };
    return deny(request, message, byObject(gang, 'spec.schedulingPolicy.gang', limit));
  }),
};

/** The groups that the Pods name, else those that the Job controls. */
function groupsOf(job: Job, cluster: PluginPorts['cluster']): readonly PodGroup[] {
  const { namespace = '', uid } = metadataOf(job);
  const named = job.spec?.template?.spec?.schedulingGroup?.podGroupName;
  if (typeof named === 'string') {
    const group: PodGroup | undefined = cluster.get(podGroups, namespace, named);
    return group === undefined ? [] : [group];
  }
  return cluster
    .list(podGroups, namespace)
    .filter((group) => metadataOf(group).ownerReferences?.some((owner) => owner.controller && owner.uid === uid));
}
