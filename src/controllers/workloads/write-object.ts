import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { ApiClient } from '../client.ts';
import { resourcePath } from '../served-resources.ts';
import { nameOf, namespaceOf } from './fields.ts';

/** Replaces an object, or its status; a conflict is somebody else's write. */
export async function putObject(
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  subresource: '' | '/status' = '',
): Promise<Result<KubernetesObject>> {
  const path = resourcePath(resource, namespaceOf(object), nameOf(object));
  const written = await client({ method: 'PUT', path: `${path}${subresource}`, body: object });
  return written.ok ? ok(asKubernetesObject(written.value) ?? object) : written;
}

export const putStatus = async (
  client: ApiClient,
  resource: GroupVersionResource,
  object: KubernetesObject,
  status: JsonObject,
): Promise<Result<KubernetesObject>> => putObject(client, resource, { ...object, status }, '/status');
