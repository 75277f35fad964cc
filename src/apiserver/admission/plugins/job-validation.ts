import { goQuote } from '../../../machinery/meta/field-error.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { SyncPlugin, PluginPorts } from '../chain/plugin.ts';
import { deny, byObject } from '../chain/refused-by.ts';
import { forResource, pass } from './handled-resource.ts';
import { podGroups } from './pod-group-protection.ts';
import type { Job } from '../../../api/types/generated/batch-v1.ts';
import type { PodGroup } from '../../../api/types/generated/scheduling-v1beta1.ts';

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
