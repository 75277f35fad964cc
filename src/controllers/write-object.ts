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

/** Replaces an object, or its status; a conflict is a concurrent write. */
export async function putObject(
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  subresource: '' | '/status' = '',
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
    readonly subresource?: '' | '/status';
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

/** Another writer was first, or the namespace is terminating. */
export const needsNoRetry = ({ reason, details }: Status): boolean =>
  reason === 'AlreadyExists' ||
  reason === 'NotFound' ||
  (details?.causes ?? []).some((cause) => cause.reason === 'NamespaceTerminating');
