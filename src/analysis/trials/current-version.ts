import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { World, WorldRequest } from '../../testing/scenario/world.ts';

/**
 * An update or patch of the object as it is now: its resourceVersion and uid are those of another server. What states none is sent
 * as it is, and so is what is not there.
 */
export async function withCurrentVersion(request: WorldRequest, world: Pick<World, 'send'>): Promise<WorldRequest> {
  const { method, path, body } = request;
  if ((method !== 'PUT' && method !== 'PATCH') || !isJsonObject(body)) return request;
  const metadata = asObject(body['metadata']);
  if (metadata['resourceVersion'] === undefined && metadata['uid'] === undefined) return request;
  const current = await world.send({ method: 'GET', path });
  if (current.code >= 400) return request;
  const { resourceVersion, uid } = asObject(current.body['metadata']);
  const stated = {
    ...(metadata['resourceVersion'] === undefined ? {} : { resourceVersion: asString(resourceVersion) }),
    ...(metadata['uid'] === undefined ? {} : { uid: asString(uid) }),
  };
  return { ...request, body: { ...body, metadata: { ...metadata, ...stated } } };
}
