import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { Counts } from '../expect/settled.ts';
import type { World } from '../world.ts';

/** Counts the objects of these resources in all namespaces but those of the system. */
export async function countSettled(world: World, resources: readonly string[]): Promise<Counts> {
  const counts = new Map<string, number | string>();
  for (const name of resources) counts.set(name, await countOf(world, name));
  return Object.fromEntries(counts);
}

async function countOf(world: World, name: string): Promise<number | string> {
  const resource = await world.findResource(name);
  if (!resource) return `the server doesn't have a resource type "${name}"`;
  const { group, version } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const answer = await world.send({ method: 'GET', path: `${root}/${resource.resource}` });
  if (answer.code !== 200) return `they could not be listed: ${asString(valueAt(answer.body, 'message'))}`;
  const namespaces = asList(asObject(answer.body)['items']).map((item) =>
    asString(valueAt(item, 'metadata', 'namespace')),
  );
  return namespaces.filter((namespace) => !namespace.startsWith('kube-')).length;
}
