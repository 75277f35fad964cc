import { asString, valueAt } from '../../../machinery/json/json.ts';
import type { World, WorldRequest } from '../world.ts';

/** Milliseconds by which two clocks may differ. */
const skew = 5000;

/**
 * Keeps a scenario from changing what was on the server before it: throws for a write to such an object, and for a
 * deletecollection outside of the namespaces that the scenario has made. `made` are the paths of what it made.
 */
export async function touchOnlyOwn(
  request: WorldRequest,
  send: World['send'],
  { made, since }: { readonly made: ReadonlySet<string>; readonly since: number },
): Promise<void> {
  const { method, path, query = {} } = request;
  if (method === 'GET' || method === 'POST' || query['dryRun'] !== undefined) return;
  if ([...made].some((own) => path === own || path.startsWith(`${own}/`))) return;
  const object = objectIn(path);
  if (object === undefined) throw new Error(`${path} may hold what others have made; ${rule}`);
  const { code, body } = await send({ method: 'GET', path: object });
  const createdAt = Date.parse(asString(valueAt(body, 'metadata', 'creationTimestamp')));
  if (code === 200 && createdAt < since - skew) throw new Error(`${object} was on the server before; ${rule}`);
}

/** The path of the object in a path of it or of one of its subresources; undefined for a collection. */
function objectIn(path: string): string | undefined {
  const parts = path.split('/');
  const at = parts[1] === 'api' ? 3 : 4;
  const isInside = parts[at] === 'namespaces' && parts.length > at + 2 && !ofNamespaces.has(parts[at + 2] ?? '');
  const end = at + (isInside ? 4 : 2);
  return parts.length < end ? undefined : parts.slice(0, end).join('/');
}

/** The subresources of a Namespace; what else follows its name is a resource inside. */
const ofNamespaces = new Set(['status', 'finalize']);

const rule = 'on a target a scenario changes only what it has made';
