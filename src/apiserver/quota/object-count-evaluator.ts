import { groupResourceText } from '../../machinery/meta/gvk.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { Evaluator } from './evaluator.ts';
import { count } from './usage.ts';

/** `count/RESOURCE.GROUP`. */
export const countName = ({ group, resource }: GroupResource): string =>
  `count/${group === '' ? resource : groupResourceText({ group, resource })}`;

/**
 * Objects are counted, under `count/…` and the older names of some resources.
 * Follows apiserver pkg/quota/v1/generic/evaluator.go NewObjectCountEvaluator.
 */
export function objectCountEvaluator(resource: GroupResource): Evaluator {
  const names = [countName(resource)];
  if (resource.group === '' && olderNames.has(resource.resource)) names.push(resource.resource);
  const one = new Map(names.map((name) => [name, count(1)]));
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matchingNames: (asked) => asked.filter((name) => one.has(name)),
    usage: () => one,
  };
}

/** Follows kubernetes pkg/quota/v1/evaluator/core/registry.go legacyObjectCountAliases. */
const olderNames = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);
