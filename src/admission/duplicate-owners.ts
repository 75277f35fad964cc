import { sameJson } from '../apimachinery/json-equal.ts';
import { metadataOf, withMetadata } from '../apimachinery/object.ts';
import type { KubernetesObject, OwnerReference } from '../apimachinery/object.ts';
import type { PluginAnswer } from './plugin.ts';

/**
 * The object without repeated owner references, and the warning about them; called before (not for PATCH) and after
 * mutating admission. Follows apiserver pkg/endpoints/handlers/rest.go (rule MUT-42).
 */
export function dropDuplicateOwners(object: KubernetesObject, when: 'before' | 'after'): PluginAnswer {
  const owners = metadataOf(object).ownerReferences ?? [];
  if (owners.length < 2) return { object };
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const owner of owners) {
    if (kept.some((other) => sameJson(other, owner))) duplicates.push(owner.uid);
    else kept.push(owner);
  }
  if (duplicates.length === 0) return { object };
  const whenText = when === 'before' ? '' : ' after mutating admission happens';
  const warning = `.metadata.ownerReferences contains duplicate entries${whenText}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`;
  return { object: withMetadata(object, { ownerReferences: kept }), warnings: [warning] };
}
