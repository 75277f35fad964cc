import { groupResourceText } from '../../machinery/meta/gvk.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import { claimEvaluator } from './claim-evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { objectCountEvaluator } from './object-count-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { createResourceClaimEvaluator } from './resource-claim-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

/**
 * Who says what objects of the resource use; undefined for what no quota counts: objects that are never stored, and
 * events. Follows kubernetes pkg/quota/v1/install/registry.go.
 */
export function evaluatorFor(resource: GroupResource, cluster: ClusterView): Evaluator | undefined {
  const name = groupResourceText(resource);
  if (uncounted.has(name)) return undefined;
  if (name === claims) return createResourceClaimEvaluator(cluster);
  return own.get(name) ?? objectCountEvaluator(resource);
}

const claims = groupResourceText({ group: 'resource.k8s.io', resource: 'resourceclaims' });

const own: ReadonlyMap<string, Evaluator> = new Map([
  [groupResourceText({ group: '', resource: 'pods' }), podEvaluator],
  [groupResourceText({ group: '', resource: 'services' }), serviceEvaluator],
  [groupResourceText({ group: '', resource: 'persistentvolumeclaims' }), claimEvaluator],
]);

const uncounted = new Set(
  [
    { group: '', resource: 'bindings' },
    { group: '', resource: 'componentstatuses' },
    { group: '', resource: 'events' },
    { group: 'events.k8s.io', resource: 'events' },
    { group: 'authentication.k8s.io', resource: 'tokenreviews' },
    { group: 'authentication.k8s.io', resource: 'selfsubjectreviews' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'localsubjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'selfsubjectrulesreviews' },
  ].map(groupResourceText),
);
