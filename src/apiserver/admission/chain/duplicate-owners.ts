import { byKey } from '../../../machinery/go/compare-texts.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject, OwnerReference } from '../../../machinery/meta/object.ts';
import type { PluginAnswer } from './plugin.ts';

/**
 * Removes repeated owner references, with a warning. Follows apiserver pkg/endpoints/handlers/rest.go (rule MUT-42).
 */
export function dropDuplicateOwners(object: KubernetesObject, when: 'before' | 'after'): PluginAnswer {
  const owners = metadataOf(object).ownerReferences ?? [];
  if (owners.length < 2) return { object };
  const kept = new Map<string, OwnerReference>();
  const duplicates: string[] = [];
  for (const owner of owners) {
    const text = textOf(owner);
    if (kept.has(text)) duplicates.push(owner.uid);
    else kept.set(text, owner);
  }
  if (duplicates.length === 0) return { object };
  const whenText = when === 'before' ? '' : ' after mutating admission happens';
  const warning = `.metadata.ownerReferences contains duplicate entries${whenText}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`;
  return { object: withMetadata(object, { ownerReferences: [...kept.values()] }), warnings: [warning] };
}

const textOf = (owner: OwnerReference): string => JSON.stringify(Object.entries(owner).toSorted(byKey));
