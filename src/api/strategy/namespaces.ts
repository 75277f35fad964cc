import { asList, asObject } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { labelName } from '../validation/meta/name-rule.ts';
import type { ResourceRules } from './resource-rules.ts';
import { withEntry } from './with-entry.ts';
import { withField } from './with-field.ts';

const nameLabel = 'kubernetes.io/metadata.name';

/** Follows kubernetes pkg/registry/core/namespace/strategy.go. */
export const namespaceRules: ResourceRules = {
  scope: 'Cluster',
  name: labelName,
  returnsDeletedObject: true,
  emptyStatus: { phase: 'Active' },
  prepareForCreate: (namespace) => ok(labelled(withKubernetesFinalizer(namespace))),
  prepareForUpdate: (namespace, old, subresource) =>
    ok(labelled(subresource === '' ? withField(namespace, 'spec', specWithFinalizersOf(namespace, old)) : namespace)),
  restore: { finalize: (namespace, old) => withField(namespace, 'status', old['status']) },
};

/** The finalizer that keeps a namespace until it is empty. */
function withKubernetesFinalizer(namespace: KubernetesObject): KubernetesObject {
  const spec = asObject(namespace['spec']);
  const finalizers = asList(spec['finalizers']);
  if (finalizers.includes('kubernetes')) return namespace;
  return withField(namespace, 'spec', { ...spec, finalizers: [...finalizers, 'kubernetes'] });
}

/** `spec.finalizers` changes only through the finalize endpoint. */
function specWithFinalizersOf(namespace: KubernetesObject, old: KubernetesObject): KubernetesObject['spec'] {
  const { finalizers: _sent, ...spec } = asObject(namespace['spec']);
  const { finalizers } = asObject(old['spec']);
  return finalizers === undefined ? spec : { ...spec, finalizers };
}

/** With the label that repeats the name, which defaulting could not set while a generated name was unknown. */
function labelled(namespace: KubernetesObject): KubernetesObject {
  const { name = '', labels } = metadataOf(namespace);
  if (labels?.[nameLabel] === name) return namespace;
  return withMetadata(namespace, { labels: withEntry(labels, nameLabel, name) });
}
