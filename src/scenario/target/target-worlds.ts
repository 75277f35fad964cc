import { createStubCertificates } from '../../faults/stub-certificates.ts';
import type { IssueCertificate } from '../../faults/stub-certificates.ts';
import type { World, Worlds } from '../world.ts';
import { discover, resourceNamed } from './discovery.ts';
import type { DiscoveredResource } from './discovery.ts';
import { createHttpsClient } from './https-client.ts';
import type { HttpsClient, TargetAccess } from './https-client.ts';
import { createTargetWorld } from './target-world.ts';
import { jsonOf } from './target-send.ts';

export interface TargetOptions {
  readonly access: TargetAccess;
  readonly issueCertificate: IssueCertificate;
  /** Where the stubs listen; 127.0.0.1 unless the server runs elsewhere. */
  readonly stubHost?: string;
  /** Under which name or address the server reaches the stubs; `stubHost` unless something else is said. */
  readonly stubName?: string;
}

export interface Target extends Worlds {
  readonly url: string;
  /** A kadmit keeps traces, so that expectations about webhooks can be looked at. */
  readonly tells: boolean;
}

/**
 * The worlds of a server behind a kubeconfig: each scenario acts on the same server and removes what it has made, so they
 * must run one after the other. Rejects with one line when the server cannot be reached or does not let the user in.
 */
export async function connectTarget(options: TargetOptions): Promise<Target> {
  const client = createHttpsClient(options.access);
  const certificates = createStubCertificates(options.issueCertificate);
  try {
    const tells = await isKadmit(client);
    const resources = createResources(client);
    await resources.find((all) => resourceNamed(all, 'pods'));
    const open = new Set<World>();
    return {
      url: options.access.url,
      tells,
      create: async (setup) => {
        const world = await createTargetWorld(setup, { ...options, client, resources, tells, certificates });
        open.add(world);
        return world;
      },
      // A world that is closed already has nothing left to do, and has said what it could not do.
      close: async () => {
        await Promise.allSettled([...open].map((world) => world.close()));
        client.close();
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function isKadmit({ send }: HttpsClient): Promise<boolean> {
  const { code, text } = await send({ method: 'GET', path: '/kadmit/v1/traces?limit=1', headers: {}, body: undefined });
  return code === 200 && jsonOf(text)['traceVersion'] === 1;
}

/** What the server serves. */
export interface Resources {
  /** Looks among all resources; asks the server again when nothing is found, since CRDs come and go. */
  readonly find: (
    look: (all: readonly DiscoveredResource[]) => DiscoveredResource | undefined,
  ) => Promise<DiscoveredResource | undefined>;
}

function createResources({ send }: HttpsClient): Resources {
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
