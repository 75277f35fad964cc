import { discover } from './discovery.ts';
import type { DiscoveredResource } from './discovery.ts';
import type { HttpsClient } from './https-client.ts';
import { jsonOf } from './target-send.ts';

/** What the server serves. */
export interface Resources {
  /** Looks among all resources; asks the server again when nothing is found, since CRDs come and go. */
  readonly find: (
    look: (all: readonly DiscoveredResource[]) => DiscoveredResource | undefined,
  ) => Promise<DiscoveredResource | undefined>;
}

export function createResources({ send }: HttpsClient): Resources {
  let known: readonly DiscoveredResource[] = [];
  const ask = (): Promise<readonly DiscoveredResource[]> =>
    discover(async (path, accept) => {
      const { code, text } = await send({ method: 'GET', path, headers: { accept }, body: undefined });
      if (code === 401 || code === 403)
        throw new Error(`the server refuses ${path} with ${code}: is the kubeconfig right?`);
      return code === 200 ? jsonOf(text) : {};
    });
  return {
    find: async (look) => {
      const found = look(known);
      if (found) return found;
      known = await ask();
      return look(known);
    },
  };
}
