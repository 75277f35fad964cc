import { asString } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { KnownResource } from '../../../adapters/config/kubeconfig/named-resource.ts';

/** The short names that people type most; discovery, which knows all, is not in a trace. */
const shortNames: Readonly<Record<string, string>> = {
  pods: 'po',
  services: 'svc',
  namespaces: 'ns',
  configmaps: 'cm',
  serviceaccounts: 'sa',
  deployments: 'deploy',
  replicasets: 'rs',
  statefulsets: 'sts',
  daemonsets: 'ds',
  cronjobs: 'cj',
  ingresses: 'ing',
  persistentvolumeclaims: 'pvc',
  customresourcedefinitions: 'crd',
};

/** The resources that these traces are about, as far as they tell. */
export function resourcesIn(traces: readonly Trace[]): readonly KnownResource[] {
  const known = new Map<string, KnownResource>();
  for (const { request, objectAfter, objectBefore, objectReceived } of traces) {
    const { group, version, resource, subresource, namespace } = request;
    const object = objectAfter ?? objectReceived ?? objectBefore;
    const kind = subresource === '' ? asString(object?.['kind']) : '';
    const key = `${group}/${resource}`;
    if (resource === '' || (known.get(key)?.kind ?? '') !== '') continue;
    const otherNames = [kind.toLowerCase(), shortNames[resource] ?? ''].filter((name) => name !== '');
    known.set(key, { group, version, resource, kind, namespaced: namespace !== '', otherNames });
  }
  return [...known.values()];
}
