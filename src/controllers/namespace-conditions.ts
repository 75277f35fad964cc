import type { GroupResource } from '../machinery/meta/gvk.ts';
import { asList, asObject, type JsonValue } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import type { NamespaceCondition } from '../api/types/generated/core-v1.ts';

/** What remains in a namespace that is being emptied. */
export interface Remains {
  readonly content: readonly { readonly resource: GroupResource; readonly objects: readonly KubernetesObject[] }[];
  /** One error for each resource that could not be deleted. */
  readonly failures: readonly string[];
}

interface Verdict {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * `status.conditions` of a Terminating namespace; undefined when they stay as they are. `now` is RFC 3339.
 * Follows pkg/controller/namespace/deletion/status_condition_utils.go.
 */
export function conditionsAfter(
  before: readonly NamespaceCondition[] | undefined,
  remains: Remains,
  now: string,
): readonly JsonValue[] | undefined {
  const conditions = [...asList(before)];
  let changed = false;
  for (const verdict of verdictsOn(remains)) {
    const index = conditions.findIndex((condition) => asObject(condition).type === verdict.type);
    const old = asObject(conditions[index]);
    if (old.status === verdict.status && old.reason === verdict.reason && old.message === verdict.message) {
      continue;
    }
    changed = true;
    conditions.splice(index < 0 ? conditions.length : index, 1, {
      type: verdict.type,
      status: verdict.status,
      lastTransitionTime: old.status === verdict.status ? (old.lastTransitionTime ?? now) : now,
      reason: verdict.reason,
      message: verdict.message,
    });
  }
  return changed ? conditions : undefined;
}

function verdictsOn({ content, failures }: Remains): readonly Verdict[] {
  const resources = content.map(
    ({ resource, objects }) => `${resource.resource}.${resource.group} has ${objects.length} resource instances`,
  );
  const finalizers = [...countFinalizers(content)].map(
    ([finalizer, count]) => `${finalizer} in ${count} resource instances`,
  );
  return [
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    failures.length === 0
      ? fine(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        )
      : bad(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${failures.length} remaining: ${joined(failures)}`,
        ),
    resources.length === 0
      ? fine('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : bad('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${joined(resources)}`),
    finalizers.length === 0
      ? fine('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : bad(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${joined(finalizers)}`,
        ),
  ];
}

const fine = (type: string, reason: string, message: string): Verdict => ({ type, status: 'False', reason, message });
const bad = (type: string, reason: string, message: string): Verdict => ({ type, status: 'True', reason, message });

const joined = (texts: readonly string[]): string => texts.toSorted((a, b) => (a < b ? -1 : 1)).join(', ');

function countFinalizers(content: Remains['content']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const finalizer of content.flatMap(({ objects }) => objects.flatMap(finalizersOf))) {
    counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return counts;
}

const finalizersOf = (object: KubernetesObject): readonly string[] => metadataOf(object).finalizers ?? [];
