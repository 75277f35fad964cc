import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { forResource, pass } from './handled-resource.ts';

export const podGroups = { group: 'scheduling.k8s.io', resource: 'podgroups' } as const;
const finalizer = 'scheduling.k8s.io/podgroup-protection';

/**
 * Denies deletion of a PodGroup that still has Pods. Follows kubernetes
 * plugin/pkg/admission/scheduling/podgroupprotection/admission.go.
 */
export const podGroupProtection: SyncPlugin = {
  name: 'PodGroupProtection',
  operations: ['CREATE'],
  mutate: forResource(podGroups, (request) => {
    const present = metadataOf(request.object).finalizers ?? [];
    if (present.includes(finalizer)) return pass(request);
    return ok({ object: withMetadata(request.object, { finalizers: [...present, finalizer] }) });
  }),
};
