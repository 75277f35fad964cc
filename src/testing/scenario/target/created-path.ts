import { asString, valueAt } from '../../../machinery/json/json.ts';
import type { WorldAnswer, WorldRequest } from '../world.ts';

const collection = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/[^/]+$/;

/** The path of the object that a request has made; undefined when it made none that stays. */
export function createdPath({ method, path, query = {} }: WorldRequest, answer: WorldAnswer): string | undefined {
  if (answer.code !== 201 || query['dryRun'] !== undefined) return undefined;
  if (method === 'PATCH' || method === 'PUT') return path;
  const name = asString(valueAt(answer.body, 'metadata', 'name'));
  // Reviews have no name; tokens and evictions are sent to an object, not to a collection.
  const isStored = method === 'POST' && collection.test(path) && name !== '' && answer.body['kind'] !== 'Status';
  return isStored ? `${path}/${name}` : undefined;
}
