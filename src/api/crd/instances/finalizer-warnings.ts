import { goQuote } from '../../../machinery/meta/field-error.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

const standard: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** A name with dots lacks only its path. */
const advice = (name: string): string => {
  const lacking = name.includes('.') ? ' including a path (/)' : '';
  return `prefer a domain-qualified finalizer name${lacking} to avoid accidental conflicts with other finalizer writers`;
};

/** About finalizers that are new. Follows apiextensions-apiserver pkg/registry/customresource/{strategy,validator}.go. */
export function finalizerWarnings(object: KubernetesObject, old?: KubernetesObject): readonly string[] {
  const before = new Set(old && metadataOf(old).finalizers);
  const added = [...new Set(metadataOf(object).finalizers)].filter((name) => !before.has(name));
  return added.toSorted().flatMap((name) => {
    const wrong = name.includes('/') || standard.has(name) ? [] : [advice(name)];
    return [...qualifiedNameErrors(name), ...wrong].map((text) => `metadata.finalizers: ${goQuote(name)}: ${text}`);
  });
}
