import type { World } from '../../testing/scenario/world.ts';

/** Makes a world's namespaces as they are asked for, each once; a name of '' is none. */
export function createNamespaces(world: World): (name: string) => Promise<void> {
  const known = new Set<string>();
  return async (name) => {
    if (name === '' || known.has(name)) return;
    known.add(name);
    const { code } = await world.send({ method: 'GET', path: `/api/v1/namespaces/${encodeURIComponent(name)}` });
    if (code !== 404) return;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await world.send({ method: 'POST', path: '/api/v1/namespaces', body });
    await world.settle();
  };
}
