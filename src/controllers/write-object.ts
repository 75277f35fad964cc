import { sameJson } from '../machinery/json/json-equal.ts';
import type { JsonObject } from '../machinery/json/json.ts';
import type { GroupVersionResource } from '../machinery/meta/gvk.ts';
import { asKubernetesObject, type KubernetesObject } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import type { Status } from '../machinery/meta/status.ts';
import type { ApiClient } from './client.ts';
import { resourcePath } from './served-resources.ts';
import { nameOf, namespaceOf, statusOf } from './workloads/fields.ts';

const objectPath = (resource: GroupVersionResource, object: KubernetesObject): string =>
  resourcePath(resource, namespaceOf(object), nameOf(object));

type Subresource = '' | '/status' | '/finalize';

/** Creates an object in the collection of its namespace. */
export async function postObject(
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> {
  const path = resourcePath(resource, namespaceOf(object));
  const created = await client({ method: 'POST', path, body: object });
  return created.ok ? ok(asKubernetesObject(created.value) ?? object) : created;
}

/** Server-side apply of cluster-scoped fields, or of a status; takes over fields of other managers. */
export const applyObject = (
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  { fieldManager, subresource = '' }: { readonly fieldManager: string; readonly subresource?: Subresource },
): Promise<Result<JsonObject>> =>
  client({
    method: 'PATCH',
    path: `${objectPath(resource, object)}${subresource}`,
    query: { fieldManager, force: 'true' },
    contentType: 'application/apply-patch+yaml',
    body: object,
  });

/** Replaces an object, or its status; a conflict is a concurrent write. */
export async function putObject(
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  subresource: Subresource = '',
): Promise<Result<KubernetesObject>> {
  const path = objectPath(resource, object);
  const written = await client({ method: 'PUT', path: `${path}${subresource}`, body: object });
  return written.ok ? ok(asKubernetesObject(written.value) ?? object) : written;
}

export const putStatus = async (
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  status: JsonObject,
): Promise<Result<KubernetesObject>> => putObject(client, resource, { ...object, status }, '/status');

/** Writes the status unless the object has it. */
export const updateStatus: typeof putStatus = async (client, resource, object, status) =>
  sameJson(status, statusOf(object)) ? ok(object) : putStatus(client, resource, object, status);

export const patchObject = (
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  {
    type,
    body,
    subresource = '',
  }: {
    readonly type: 'merge-patch' | 'strategic-merge-patch';
    readonly body: JsonObject;
    readonly subresource?: Subresource;
  },
): Promise<Result<JsonObject>> =>
  client({
    method: 'PATCH',
    path: `${objectPath(resource, object)}${subresource}`,
    contentType: `application/${type}+json`,
    body,
  });

/** Succeeds when the object is gone already. */
export async function removeObject(
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  options?: JsonObject,
): Promise<Result<unknown>> {
  const body = options && { kind: 'DeleteOptions', apiVersion: 'v1', ...options };
  return ignoreNotFound(await client({ method: 'DELETE', path: objectPath(resource, object), ...(body && { body }) }));
}

/** Success when the object is gone: nothing is left to do. */
export const ignoreNotFound = (result: Result<unknown>): Result<unknown> =>
  !result.ok && result.status.code === 404 ? ok(undefined) : result;

/** Nothing can be created in a terminating namespace. */
export const isTerminatingNamespace = ({ details }: Status): boolean =>
  (details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');

/** Success when the namespace is terminating: nothing can be created there. */
export const ignoreTerminatingNamespace = (result: Result<unknown>): Result<unknown> =>
  !result.ok && isTerminatingNamespace(result.status) ? ok(undefined) : result;

/** Success when another writer was first, or the namespace is terminating: a retry would change nothing. */
export const ignoreLostRace = (result: Result<unknown>): Result<unknown> =>
  !result.ok && ['AlreadyExists', 'NotFound'].includes(result.status.reason ?? '')
    ? ok(undefined)
    : ignoreTerminatingNamespace(result);
