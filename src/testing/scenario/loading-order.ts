import type { LoadedManifest } from './format.ts';
import { isConfiguration, isPolicy } from './known-webhooks.ts';

/** Namespaces, definitions, the rest; webhook configurations and policies last, since they would intercept the others. */
export const inLoadingOrder = (manifests: readonly LoadedManifest[]): readonly LoadedManifest[] =>
  manifests.toSorted((a, b) => manifestRank(a) - manifestRank(b));

export function manifestRank({ object }: LoadedManifest): number {
  if (object['kind'] === 'Namespace' && object['apiVersion'] === 'v1') return 0;
  if (object['kind'] === 'CustomResourceDefinition') return 1;
  if (isPolicy(object)) return 4;
  return isConfiguration(object) ? 3 : 2;
}
