import { asObject, asString, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { Trace } from '../../trace/trace.ts';
import { pathOf } from './object-key.ts';

const configurations = ['mutating', 'validating'].map(
  (type) => `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`,
);

/**
 * The paths, of objects and of lists, that have to be read from the server for a scenario of these writes: what decided
 * about them and what they needed, as far as the traces do not tell.
 */
export function wantedObjects(writes: readonly Trace[]): readonly string[] {
  const namespaces = new Set(writes.map(({ request }) => request.namespace).filter((name) => name !== ''));
  const around = [...namespaces].flatMap((name) => [
    `/api/v1/namespaces/${encodeURIComponent(name)}`,
    `/api/v1/namespaces/${encodeURIComponent(name)}/limitranges`,
  ]);
  return [...new Set([...configurations, ...around, ...writes.flatMap(targetOf), ...writes.flatMap(referredTo)])];
}

/** What a write was about, where the trace does not show how it was before. */
const targetOf = ({ request, objectBefore }: Trace): readonly string[] =>
  request.name === '' || (objectBefore !== null && request.subresource === '') ? [] : [pathOf(request)];

/** What a Pod, or the template of one, names and must be there. */
function referredTo({ request, objectReceived }: Trace): readonly string[] {
  const spec = asObject(objectReceived?.['spec']);
  const pod = objectReceived?.['kind'] === 'Pod' ? spec : asObject(valueAt(spec, 'template', 'spec'));
  const namespace = encodeURIComponent(request.namespace);
  return [
    ...named(pod, 'serviceAccountName', `/api/v1/namespaces/${namespace}/serviceaccounts`),
    ...named(pod, 'priorityClassName', '/apis/scheduling.k8s.io/v1/priorityclasses'),
    ...named(pod, 'runtimeClassName', '/apis/node.k8s.io/v1/runtimeclasses'),
    ...named(spec, 'storageClassName', '/apis/storage.k8s.io/v1/storageclasses'),
  ];
}

function named(spec: JsonObject, field: string, collection: string): readonly string[] {
  const name = asString(spec[field]);
  const isThereAnyway =
    name === '' || (field === 'serviceAccountName' && name === 'default') || name.startsWith('system-');
  return isThereAnyway ? [] : [`${collection}/${encodeURIComponent(name)}`];
}
