import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { requestPath } from './object-key.ts';

const configurations = ['webhookconfigurations', 'admissionpolicies', 'admissionpolicybindings'].flatMap((resource) =>
  ['mutating', 'validating'].map((type) => `/apis/admissionregistration.k8s.io/v1/${type}${resource}`),
);

/** Paths of objects and lists to read from the server: admission configurations, and what the writes need and the traces lack. */
export function wantedObjects(writes: readonly Trace[]): readonly string[] {
  const namespaces = new Set(writes.map(({ request }) => request.namespace).filter((name) => name !== ''));
  const around = [...namespaces].flatMap((name) => [
    `/api/v1/namespaces/${encodeURIComponent(name)}`,
    `/api/v1/namespaces/${encodeURIComponent(name)}/limitranges`,
  ]);
  return [
    ...new Set([
      ...configurations,
      ...around,
      ...writes.flatMap(targetOf),
      ...writes.flatMap(referredTo),
      ...writes.flatMap(paramsOf),
      ...writes.flatMap(definitionOf),
    ]),
  ];
}

/** ConfigMaps used as `params`; params of other kinds have to be added by hand. */
const paramsOf = ({ admission }: Trace): readonly string[] =>
  admission.flatMap((one) => {
    const params = one.type === 'policy' ? one.params : undefined;
    if (params?.kind !== 'ConfigMap') return [];
    return [`/api/v1/namespaces/${encodeURIComponent(params.namespace)}/configmaps/${encodeURIComponent(params.name)}`];
  });

/** Built-in kinds have none: the read returns 404. */
const definitionOf = ({ request: { group, resource } }: Trace): readonly string[] =>
  group === ''
    ? []
    : [`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(`${resource}.${group}`)}`];

/** Targets whose earlier state the trace lacks. */
const targetOf = ({ request, objectBefore }: Trace): readonly string[] =>
  request.name === '' || (objectBefore !== null && request.subresource === '') ? [] : [requestPath(request)];

const referredTo = ({ request, objectReceived }: Trace): readonly string[] =>
  objectReceived ? neededBy(objectReceived, request.namespace) : [];

/** Dependencies of objects that were read. */
export const wantedBy = (found: readonly JsonObject[]): readonly string[] =>
  found.flatMap((object) => neededBy(object, asString(valueAt(object, 'metadata', 'namespace'))));

/** Objects that a Pod or Pod template names. */
function neededBy(object: JsonObject, namespace: string): readonly string[] {
  const spec = asObject(object['spec']);
  const pod = object['kind'] === 'Pod' ? spec : asObject(valueAt(spec, 'template', 'spec'));
  const accounts = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts`;
  return [
    ...named(pod, 'serviceAccountName', accounts),
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
